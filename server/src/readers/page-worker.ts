import type { Rejected } from '#extract/extracted-page.ts'
import { serveTasks } from '#workers/serve-child.ts'
import { type PageTask, type ProcessedPage, processDocument } from './process-page.ts'
import { type ListTask, type SiteList, readList } from './read-list.ts'

export type WorkerTask = PageTask | ListTask

export type WorkerResult = ProcessedPage | Rejected | SiteList

serveTasks((task: WorkerTask): WorkerResult | Promise<WorkerResult> =>
  'list' in task ? readList(task) : processDocument(task),
)
