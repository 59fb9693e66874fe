import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { prepared, preparedUpdate } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'

export type PageRow = Selectable<Schema['pages']>
export type PageState = PageRow['state']

/** Rows per query. SQLite accepts 32,766 parameters, PostgreSQL 65,535. */
export const ROWS_PER_QUERY = 500

type Discovered = { url: string; depth: number }

/** Adds addresses new to the source, for the current crawl. Returns their number and total characters. */
export async function insertDiscovered(
  tx: Db,
  sourceId: string,
  pages: readonly Discovered[],
): Promise<{ pages: number; characters: number }> {
  const added = { pages: 0, characters: 0 }
  for (let from = 0; from < pages.length; from += ROWS_PER_QUERY) {
    const rows = pages.slice(from, from + ROWS_PER_QUERY).map(({ url, depth }) => discoveredRow(sourceId, url, depth))
    const inserted = await tx
      .insertInto('pages')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['sourceId', 'url']).doNothing())
      .returning(sql<number>`length(url)`.as('characters'))
      .execute()
    added.pages += inserted.length
    for (const { characters } of inserted) added.characters += characters
  }
  return added
}

/** Total characters of the source's addresses, from a covering index. */
export async function sizeOfAddresses(db: Db, sourceId: string): Promise<number> {
  const { characters } = await db
    .selectFrom('pages')
    .select(sql<number>`coalesce(sum(length(url)), 0)`.as('characters'))
    .where('sourceId', '=', sourceId)
    .executeTakeFirstOrThrow()
  return characters
}

function discoveredRow(sourceId: string, url: string, depth: number): Insertable<Schema['pages']> {
  return {
    sourceId,
    url,
    state: 'queued',
    reason: null,
    detail: null,
    run: 0,
    depth,
    title: null,
    textHash: null,
    chunks: 0,
    etag: null,
    lastModified: null,
    published: 0,
    misses: 0,
    anchorTexts: null,
    updatedAt: Date.now(),
  }
}

export type PageToGo = Pick<PageRow, 'id' | 'url' | 'depth' | 'state' | 'textHash' | 'etag' | 'lastModified' | 'misses'>

/** Unsettled pages of this crawl in discovery order, after `afterId`. */
export async function listToGo(
  db: Db,
  { sourceId, run, afterId, limit }: { sourceId: string; run: number; afterId: number; limit: number },
): Promise<PageToGo[]> {
  return (
    db
      .selectFrom('pages')
      .select(['id', 'url', 'depth', 'state', 'textHash', 'etag', 'lastModified', 'misses'])
      .where('sourceId', '=', sourceId)
      // Avoids the index of runs, which has another order.
      .where(sql<number>`+run`, '<', run)
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute()
  )
}

/** The rows of these pages, with the crawl that last settled each. */
export async function findPages(
  db: Db,
  sourceId: string,
  urls: readonly string[],
): Promise<(PageToGo & { run: number })[]> {
  if (urls.length === 0) return []
  return db
    .selectFrom('pages')
    .select(['id', 'url', 'depth', 'state', 'textHash', 'etag', 'lastModified', 'misses', 'run'])
    .where('sourceId', '=', sourceId)
    .where('url', 'in', [...urls])
    .orderBy('id')
    .execute()
}

/** Settles the remaining pages with address prefix `prefix` for crawl `run`, unchanged. */
export async function keepPages(
  tx: Db,
  { sourceId, run, prefix }: { sourceId: string; run: number; prefix: string },
): Promise<void> {
  await tx
    .updateTable('pages')
    .set({ run })
    .where('sourceId', '=', sourceId)
    .where('run', '<', run)
    // A page that was found but never fetched has nothing to keep.
    .where('state', '!=', 'queued')
    .where(sql<string>`substr(url, 1, ${prefix.length})`, '=', prefix)
    .execute()
}

/**
 * Settles up to `limit` unsettled pages for crawl `run`: never fetched pages are skipped with `reason`, all others stay
 * unchanged. Returns their number.
 */
export async function leaveUnsettled(
  tx: Db,
  { sourceId, run, limit, reason, detail }: { sourceId: string; run: number; limit: number } & Skip,
): Promise<number> {
  const rows = await tx
    .selectFrom('pages')
    .select(['id', 'state'])
    .where('sourceId', '=', sourceId)
    .where('run', '<', run)
    .limit(limit)
    .execute()
  const isQueued = ({ state }: { state: PageState }) => state === 'queued'
  const skipped = { run, state: 'skipped', reason, detail, updatedAt: Date.now() } as const
  for (const [pages, values] of [
    [rows.filter(isQueued), skipped],
    [rows.filter((row) => !isQueued(row)), { run }],
  ] as const) {
    const ids = pages.map(({ id }) => id)
    if (ids.length > 0) await tx.updateTable('pages').set(values).where('id', 'in', ids).execute()
  }
  return rows.length
}

type Skip = { reason: string; detail: string }

/** Deletes the pages that crawl `run` has not settled. */
export async function deleteUnsettled(tx: Db, sourceId: string, run: number): Promise<void> {
  await tx.deleteFrom('pages').where('sourceId', '=', sourceId).where('run', '<', run).execute()
}

/** Message prefix for a page that is skipped as a duplicate, before the other page's address. */
export const SAME_TEXT = 'The same text as '

/**
 * Requeues pages that crawl `run` skipped as duplicates of a page that turned out to be gone, moved or changed. Returns
 * their number.
 */
export async function requeueOrphans(tx: Db, sourceId: string, run: number): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('pages')
    .set({ run: run - 1 })
    .where('sourceId', '=', sourceId)
    .where('run', '=', run)
    .where('reason', '=', 'duplicate')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('pages as other')
            .select('other.id')
            .where('other.sourceId', '=', sourceId)
            .where('other.state', '=', 'indexed')
            .where(sql<boolean>`other.url = substr(pages.detail, ${sql.lit(SAME_TEXT.length + 1)})`),
        ),
      ),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Result of crawling one page. Absent members stay unchanged. */
export type PageOutcome = { id: number } & Partial<
  Pick<
    PageRow,
    'state' | 'reason' | 'detail' | 'title' | 'textHash' | 'chunks' | 'etag' | 'lastModified' | 'published' | 'misses'
  >
>

/** Page outcomes have only a few shapes. */
const updatePage = preparedUpdate('pages')

/** Settles a page for this crawl. */
export async function updateSettledPage(tx: Db, run: number, { id, ...outcome }: PageOutcome): Promise<void> {
  await updatePage(tx, id, { ...outcome, run, updatedAt: Date.now() })
}

// Look up by text: with a bare `run`, SQLite would scan all pages of the crawl through its index.
const sameText = prepared(['', '', 0, 0], (db, [sourceId, textHash, otherThan, since]) =>
  db
    .selectFrom('pages')
    .select(['id', 'url'])
    .where('sourceId', '=', sourceId)
    .where('textHash', '=', textHash)
    .where('state', '=', sql.lit('indexed'))
    .where('id', '!=', otherThan)
    .where(sql<number>`+run`, '>=', since)
    .orderBy('id')
    .limit(sql.lit(1)),
)

/** Another indexed page of the source with the same text, settled by crawl `since` or later, if any. */
export async function findSameText(
  tx: Db,
  sourceId: string,
  { textHash, otherThan, since }: { textHash: string; otherThan: number; since: number },
): Promise<{ id: number; url: string } | undefined> {
  const [same] = await sameText(tx, [sourceId, textHash, otherThan, since])
  return same
}
