import { setFlagsFromString } from 'node:v8'

/**
 * Gives the threads of tests the young generation of the service's threads. A large one moves more at once than the
 * 16 MB by which Node raises the limit of a thread that exhausts its memory, and then ends the whole process
 * (`Worker::NearHeapLimit`, https://github.com/nodejs/node/blob/main/src/node_worker.cc).
 */
setFlagsFromString('--max-semi-space-size=8')
