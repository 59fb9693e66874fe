import type { PageOrder } from '@docent/contract/operations/pages'
import { sql } from 'kysely'
import { defined } from '#lib/objects.ts'
import type { Db } from '#store/db.ts'
import { type PageRow, type PageState, sameStart } from './pages.ts'
import { type ListPart, containsText, countRows, wordsOf } from '#store/rows.ts'

/** Page filter. All sources must belong to one server that the caller may see. */
export type ReportFilter = { sourceIds: readonly string[]; state?: PageState; reason?: string; search?: string }

export type ReportedPage = Pick<PageRow, (typeof COLUMNS)[number]>

/** Pages in an order. Of equal ones, by source and address. */
export async function listReported(
  db: Db,
  filter: ReportFilter,
  { sort, limit, offset }: ListPart & { sort: PageOrder },
): Promise<ReportedPage[]> {
  if (filter.sourceIds.length === 0) return []
  const all = reported(db, filter).select(COLUMNS)
  const by = { newest: 'updatedAt', passages: 'chunks' } as const
  const sorted = sort === 'address' ? all : all.orderBy(by[sort], 'desc')
  return sorted.orderBy('sourceId').orderBy('url').limit(limit).offset(offset).execute()
}

/** The next pages of the filter's single source after an address: cheap at any depth and without duplicates. */
export const reportedAfter = (db: Db, filter: ReportFilter, url: string, limit: number): Promise<ReportedPage[]> =>
  reported(db, filter).select(COLUMNS).where('url', '>', url).orderBy('url').limit(limit).execute()

export async function countReported(db: Db, filter: ReportFilter): Promise<number> {
  return filter.sourceIds.length === 0 ? 0 : countRows(reported(db, filter))
}

const COLUMNS = ['sourceId', 'url', 'title', 'state', 'reason', 'detail', 'chunks', 'updatedAt'] as const

const reported = (db: Db, { sourceIds, state, reason, search }: ReportFilter) =>
  db
    .selectFrom('pages')
    .where('sourceId', 'in', sourceIds)
    .where((is) => is.and(defined({ state, reason })))
    .where((is) => is.and(wordsOf(search).map((word) => containsText(db, ['url', 'title'], word))))

/** Pages of a source by state. `toGo` counts those that the current crawl has yet to settle, whatever their state. */
export type PageCounts = Record<PageState, number> & { toGo: number }

export async function countPages(db: Db, sourceId: string, run: number): Promise<PageCounts> {
  const rows = await db
    .selectFrom('pages')
    .select(['state', sql<number>`count(*)`.as('pages')])
    .select(sql<number>`sum(case when run < ${run} then 1 else 0 end)`.as('toGo'))
    .where('sourceId', '=', sourceId)
    .groupBy('state')
    .execute()
  const counts: PageCounts = { queued: 0, indexed: 0, skipped: 0, failed: 0, toGo: 0 }
  for (const { state, pages, toGo } of rows) {
    counts[state] = pages
    counts.toGo += toGo
  }
  return counts
}

/** Passages of the indexed pages, and size of their texts, from an index: a row stores its size after the text. */
export async function sizeOfSource(db: Db, sourceId: string): Promise<{ chunks: number; textBytes: number }> {
  const { chunks } = await db
    .selectFrom('pages')
    .select(sql<number>`coalesce(sum(chunks), 0)`.as('chunks'))
    .where('sourceId', '=', sourceId)
    .where('state', '=', 'indexed')
    .executeTakeFirstOrThrow()
  const isPackedOnly = sql<boolean>`not exists (
    select 1 from texts where texts.source_id = ${sourceId} and texts.hash = packed_texts.hash)`
  let textBytes = 0
  for (const table of ['texts', 'packedTexts'] as const) {
    const isIndexed = sql<boolean>`exists (select 1 from pages
      where pages.source_id = ${sourceId} and state = 'indexed' and ${sameStart('textHash', `${table}.hash`)}
        and text_hash = ${sql.ref(`${table}.hash`)})`
    const { size } = await db
      .selectFrom(table)
      .select(sql<number>`coalesce(sum(size), 0)`.as('size'))
      .where('sourceId', '=', sourceId)
      .where(isIndexed)
      .$if(table === 'packedTexts', (packed) => packed.where(isPackedOnly))
      .executeTakeFirstOrThrow()
    textBytes += size
  }
  return { chunks, textBytes }
}

/** Counts the source's pages that its patterns exclude. */
export const countLeftOut = (db: Db, sourceId: string) =>
  countRows(reported(db, { sourceIds: [sourceId], state: 'skipped', reason: 'out_of_scope' }))

/** Failed and skipped pages by reason, most frequent first. */
export async function countReasons(db: Db, sourceId: string) {
  return db
    .selectFrom('pages')
    .select(['state', sql<string>`coalesce(reason, 'unknown')`.as('reason')])
    .select([sql<number>`count(*)`.as('pages'), sql<string | null>`min(detail)`.as('detail')])
    .where('sourceId', '=', sourceId)
    .where('state', 'in', ['skipped', 'failed'])
    .groupBy(['state', 'reason'])
    .orderBy('pages', 'desc')
    .execute()
}
