import { serveChild } from '#workers/serve-child.ts'
import type { Rejected } from '#extract/extracted-page.ts'
import { type PageTask, type ProcessedPage, processPage } from './process-page.ts'
import { type ListTask, type SiteList, readList } from './read-list.ts'

export type WorkerTask = PageTask | ListTask

export type WorkerResult = ProcessedPage | Rejected | SiteList

/** Answers of the worker, in the order of its tasks. */
export type WorkerAnswer = { ok: true; result: WorkerResult } | { ok: false; error: unknown }

serveChild((task: WorkerTask): WorkerAnswer => {
  try {
    return { ok: true, result: 'list' in task ? readList(task) : processPage(task) }
  } catch (error) {
    // A bug on one page: the pool reports it, and the worker continues.
    return { ok: false, error }
  }
})
