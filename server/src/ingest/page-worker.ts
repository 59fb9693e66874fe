import { serveApart } from '#lib/serve-apart.ts'
import type { Rejected } from './extract/extracted-page.ts'
import { type PageTask, type ProcessedPage, processPage } from './process-page.ts'
import { type ListTask, type SiteList, readList } from './sources/read-list.ts'

export type WorkerTask = PageTask | ListTask

export type WorkerResult = ProcessedPage | Rejected | SiteList

/** What the worker answers for each task, in the order of the tasks. */
export type WorkerAnswer = { ok: true; result: WorkerResult } | { ok: false; error: unknown }

serveApart((task: WorkerTask): WorkerAnswer => {
  try {
    return { ok: true, result: 'list' in task ? readList(task) : processPage(task) }
  } catch (error) {
    // A bug met on one page, which is the pool's to report; the next page is none the worse.
    return { ok: false, error }
  }
})
