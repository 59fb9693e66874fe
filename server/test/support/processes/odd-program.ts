import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { serveChild } from '#workers/serve-child.ts'

/** Tasks of the program. */
export type OddTask =
  | 'answer'
  | 'pid'
  | 'grow an array'
  | 'fill buffers'
  | 'throw'
  | 'reach out'
  | 'spin'
  | { bytes: Uint8Array }

serveChild((task: OddTask): unknown => {
  switch (task) {
    case 'answer':
      return 'here'
    case 'pid':
      return process.pid
    case 'grow an array': {
      // The backing store doubles in one allocation, which a thread's heap limit would not catch.
      const numbers: number[] = []
      for (;;) numbers.push(1.5)
    }
    case 'fill buffers': {
      const buffers: Buffer[] = []
      for (;;) buffers.push(Buffer.alloc(1 << 20, 1))
    }
    case 'spin':
      for (;;);
    case 'throw':
      throw new Error('a fault of the program')
    case 'reach out':
      // eslint-disable-next-line node/no-process-env -- the test checks its content
      return {
        environment: Object.keys(process.env),
        wrote: [tryTo(() => writeTo(tmpdir())), tryTo(() => writeTo(getCompileCacheDir() ?? tmpdir()))],
        ran: tryTo(runProgram),
        threaded: tryTo(() => new Worker('', { eval: true })),
      }
    default:
      return task.bytes.byteLength
  }
})

const writeTo = (folder: string) => writeFileSync(join(folder, 'docent-odd-program'), 'written')
const runProgram = () => spawnSync(process.execPath, ['--version'])

function tryTo(work: () => unknown): string {
  try {
    work()
    return 'yes'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'refused'
  }
}
