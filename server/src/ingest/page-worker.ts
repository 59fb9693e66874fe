import { parentPort } from 'node:worker_threads'
import { stepBack } from '#lib/step-back.ts'
import { type PageTask, type ProcessedPage, processPage } from './process-page.ts'
import type { Rejected } from './extract/extracted-page.ts'

/** What the worker answers for each task, in the order of the tasks. */
export type WorkerAnswer = { ok: true; result: ProcessedPage | Rejected } | { ok: false; error: unknown }

if (parentPort === null) throw new Error('page-worker.ts runs as a worker thread of page-pool.ts')
const port = parentPort
stepBack()

port.on('message', (task: PageTask) => {
  const answer = answerTo(task)
  const compressed = answer.ok && answer.result.kind === 'page' ? answer.result.compressed : null
  port.postMessage(answer, compressed === null ? [] : [compressed.buffer])
})

/** An exception is the pool's to report: it is a bug met on one page, and the next page is none the worse. */
function answerTo(task: PageTask): WorkerAnswer {
  try {
    return { ok: true, result: processPage(task) }
  } catch (error) {
    return { ok: false, error }
  }
}
