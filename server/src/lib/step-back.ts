import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/** Of the 20 steps below normal. With every processor busy, threads at normal priority get some nine tenths of it. */
const BACKGROUND = 10

/**
 * Gives the calling worker thread a lower priority than the thread that answers requests, so that indexing takes what
 * those leave. On Linux a thread has a priority of its own; elsewhere the whole process would step back, so nothing is
 * done there.
 */
export function stepBack(): void {
  if (process.platform === 'linux' && !isMainThread) setPriority(0, BACKGROUND)
}
