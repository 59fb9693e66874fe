import type { Rejected } from '#extract/extracted-page.ts'
import type { Killed } from './kill-reason.ts'
import type { PageTask, ProcessedPage } from './process-page.ts'
import type { ListKind, ListTask, SiteList } from './read-list.ts'

export type PageResult = ProcessedPage | Rejected | Killed

/** Reads the documents of one crawl. */
export type PageReader = {
  /**
   * Processes one document. Rejects with the signal's reason when aborted, and with an error if no process can be
   * started.
   */
  process(task: PageTask, signal?: AbortSignal): Promise<PageResult>
  /** Reads a list of pages such as a sitemap; null if that exceeds the limits. Rejects as `process` does. */
  readList<K extends ListKind>(task: ListTask<K>, signal?: AbortSignal): Promise<SiteList<K> | null>
}
