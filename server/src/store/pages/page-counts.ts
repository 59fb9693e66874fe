import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { PageState } from './pages.ts'

/** Pages of a source by state. `toGo` counts those that the current crawl has yet to settle, whatever their state. */
export type PageCounts = Record<PageState, number> & { toGo: number }

/** Counts pages of the source by state, and those that crawl `run` has yet to settle. */
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

/**
 * Passage count of the indexed pages, and size of their texts. Runs on every publication, so it uses the indexes of
 * texts: a row stores its size after the whole text.
 */
export async function sizeOfSource(db: Db, sourceId: string): Promise<{ chunks: number; textBytes: number }> {
  const { chunks } = await db
    .selectFrom('pages')
    .select(sql<number>`coalesce(sum(chunks), 0)`.as('chunks'))
    .where('sourceId', '=', sourceId)
    .where('state', '=', 'indexed')
    .executeTakeFirstOrThrow()
  const { textBytes } = await db
    .selectFrom('texts')
    .select(sql<number>`coalesce(sum(size), 0)`.as('textBytes'))
    .where('sourceId', '=', sourceId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('pages')
          .select('pages.id')
          .where('pages.sourceId', '=', sourceId)
          .where('state', '=', 'indexed')
          .whereRef('textHash', '=', 'texts.hash'),
      ),
    )
    .executeTakeFirstOrThrow()
  return { chunks, textBytes }
}

/** Counts the source's pages that its patterns exclude. */
export async function countLeftOut(db: Db, sourceId: string): Promise<number> {
  const { pages } = await db
    .selectFrom('pages')
    .select(sql<number>`count(*)`.as('pages'))
    .where('sourceId', '=', sourceId)
    .where('state', '=', 'skipped')
    .where('reason', '=', 'out_of_scope')
    .executeTakeFirstOrThrow()
  return pages
}

/** Failed and skipped pages by reason, most frequent first. */
export async function countReasons(
  db: Db,
  sourceId: string,
): Promise<{ state: PageState; reason: string; pages: number; detail: string | null }[]> {
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
