import { parentPort } from 'node:worker_threads'
import { stepBack } from '#lib/step-back.ts'
import { type BuildTask, runBuildTask } from './build-tasks.ts'

/** What the worker answers for each task, in the order of the tasks. */
export type BuildAnswer = { ok: true; bytes: Uint8Array<ArrayBuffer> | null } | { ok: false; error: unknown }

if (parentPort === null) throw new Error('build-worker.ts runs as a worker thread of build-pool.ts')
const port = parentPort
stepBack()

port.on('message', (task: BuildTask) => {
  const answer = answerTo(task)
  port.postMessage(answer, answer.ok && answer.bytes !== null ? [answer.bytes.buffer] : [])
})

/** An exception belongs to whoever gave the task; the next one is none the worse. */
function answerTo(task: BuildTask): BuildAnswer {
  try {
    return { ok: true, bytes: runBuildTask(task) }
  } catch (error) {
    return { ok: false, error }
  }
}
