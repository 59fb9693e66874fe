import { serveApart } from '#lib/serve-apart.ts'
import type { Rejected } from './extract/extracted-page.ts'
import { type PageTask, type ProcessedPage, processPage } from './process-page.ts'

/** What the worker answers for each task, in the order of the tasks. */
export type WorkerAnswer = { ok: true; result: ProcessedPage | Rejected } | { ok: false; error: unknown }

serveApart((task: PageTask): WorkerAnswer => {
  try {
    return { ok: true, result: processPage(task) }
  } catch (error) {
    // A bug met on one page, which is the pool's to report; the next page is none the worse.
    return { ok: false, error }
  }
})
