import { openChildProcess } from '#workers/child-process.ts'
import type { OddTask } from './odd-program.ts'

const [, , shell] = process.argv
const apart = openChildProcess<OddTask, unknown>({
  program: new URL('./odd-program.ts', import.meta.url),
  heapMb: 64,
  memoryMb: 400,
  ...(shell === undefined ? {} : { shell }),
  // Tasks are read in order: after this one it is in the endless loop, or about to enter it.
  onAnswer: (pid) => process.stdout.write(`${String(pid)}\n`),
  onEnd: (why) => process.stdout.write(`ended: ${String(why)}\n`),
})
apart.setBusy(true)
apart.post('pid')
apart.post('spin')
