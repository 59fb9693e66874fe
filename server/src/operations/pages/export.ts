import type { Db } from '#store/db.ts'
import { type ReportFilter, type ReportedPage, reportedAfter } from '#store/pages/page-report.ts'
import type { Handler } from '../operation.ts'
import { presentPage, readFilter } from './filter.ts'

/** Rows per read: about 2 ms on SQLite, which blocks everything else. */
const BATCH = 500

export const exportPages: Handler<'pages.export'> = async ({ deps, server }, { format: _, ...given }) => {
  const { read } = deps.store
  return rows(read, await readFilter(read, server.id, given))
}

async function* rows(db: Db, { sourceIds, ...filter }: ReportFilter) {
  for (const sourceId of sourceIds) {
    let batch: ReportedPage[] = []
    do {
      batch = await reportedAfter(db, { sourceIds: [sourceId], ...filter }, batch.at(-1)?.url ?? '', BATCH)
      yield* batch.map(presentPage)
    } while (batch.length === BATCH)
  }
}
