import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { PageRow, PageState } from './pages.ts'

/** Page filter. All sources must belong to one server that the caller may see. */
export type ReportFilter = { sourceIds: readonly string[]; state?: PageState; reason?: string }

export type ReportedPage = Pick<
  PageRow,
  'sourceId' | 'url' | 'title' | 'state' | 'reason' | 'detail' | 'chunks' | 'updatedAt'
>

/** Pages by source and address, at most `limit` after the first `offset`. */
export async function listReported(
  db: Db,
  filter: ReportFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<ReportedPage[]> {
  if (filter.sourceIds.length === 0) return []
  return reported(db, filter).select(COLUMNS).orderBy('sourceId').orderBy('url').limit(limit).offset(offset).execute()
}

/**
 * The next pages of the filter's single source after an address: cursor pagination, cheap at any depth and without
 * duplicates.
 */
export async function reportedAfter(db: Db, filter: ReportFilter, url: string, limit: number): Promise<ReportedPage[]> {
  return reported(db, filter).select(COLUMNS).where('url', '>', url).orderBy('url').limit(limit).execute()
}

export async function countReported(db: Db, filter: ReportFilter): Promise<number> {
  if (filter.sourceIds.length === 0) return 0
  const row = await reported(db, filter)
    .select(sql<number>`count(*)`.as('pages'))
    .executeTakeFirstOrThrow()
  return row.pages
}

const COLUMNS = ['sourceId', 'url', 'title', 'state', 'reason', 'detail', 'chunks', 'updatedAt'] as const

function reported(db: Db, { sourceIds, state, reason }: ReportFilter) {
  let query = db.selectFrom('pages').where('sourceId', 'in', [...sourceIds])
  if (state !== undefined) query = query.where('state', '=', state)
  if (reason !== undefined) query = query.where('reason', '=', reason)
  return query
}
