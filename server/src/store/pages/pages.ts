import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { prepared } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'

export type PageRow = Selectable<Schema['pages']>
export type PageState = PageRow['state']
/** Pages of a source by state. `toGo` counts those that the current crawl has yet to settle, whatever their state. */
export type PageCounts = Record<PageState, number> & { toGo: number }

/** Rows per insert. SQLite accepts 32,766 parameters, PostgreSQL 65,535. */
const ROWS_PER_INSERT = 500

type Discovered = { url: string; depth: number }

/** Adds addresses new to the source, for the current crawl. Returns their number and total characters. */
export async function insertDiscovered(
  tx: Db,
  sourceId: string,
  pages: readonly Discovered[],
): Promise<{ pages: number; characters: number }> {
  const added = { pages: 0, characters: 0 }
  for (let from = 0; from < pages.length; from += ROWS_PER_INSERT) {
    const rows = pages.slice(from, from + ROWS_PER_INSERT).map(({ url, depth }) => discoveredRow(sourceId, url, depth))
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

/** Updates these columns of a page. The last parameter is its id. */
function preparedUpdate(columns: readonly string[]) {
  const placeholders: unknown[] = [...columns, 0]
  return prepared(placeholders, (db, values) =>
    db
      .updateTable('pages')
      .set(Object.fromEntries(columns.map((column, at) => [column, values[at]])))
      .where('id', '=', values[columns.length] as number),
  )
}

/** Page outcomes have only a few shapes. */
const updates = new Map<string, ReturnType<typeof preparedUpdate>>()

/** Settles a page for this crawl. */
export async function updateSettledPage(tx: Db, run: number, { id, ...outcome }: PageOutcome): Promise<void> {
  const values = { ...outcome, run, updatedAt: Date.now() }
  const columns = Object.keys(values)
  const shape = columns.join(' ')
  const update = updates.get(shape) ?? preparedUpdate(columns)
  updates.set(shape, update)
  await update(tx, [...Object.values(values), id])
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

export type NewText = { hash: string; markdown: Uint8Array; outline: Uint8Array; size: number }

const NOTHING: Uint8Array = new Uint8Array()
const textInto = prepared(['', '', NOTHING, NOTHING, 0], (db, [sourceId, hash, markdown, outline, size]) =>
  db
    .insertInto('texts')
    .values({ sourceId, hash, markdown, outline, size })
    .onConflict((conflict) => conflict.columns(['sourceId', 'hash']).doNothing()),
)

const sizeOf = prepared([0], (db, [id]) =>
  db
    .selectFrom('pages')
    .innerJoin('texts', (join) =>
      join.onRef('texts.sourceId', '=', 'pages.sourceId').onRef('texts.hash', '=', 'pages.textHash'),
    )
    .select('texts.size')
    .where('pages.id', '=', id),
)

/** Bytes of the page's current text. 0 without text. */
export async function sizeOfPage(tx: Db, id: number): Promise<number> {
  const [text] = await sizeOf(tx, [id])
  return text?.size ?? 0
}

export async function insertText(tx: Db, sourceId: string, text: NewText): Promise<void> {
  const { hash, markdown, outline, size } = text
  await textInto(tx, [sourceId, hash, markdown, outline, size])
}

export type UnpublishedPage = {
  id: number
  url: string
  title: string
  textHash: string
  markdown: Uint8Array
  outline: Uint8Array
}

/** Indexed pages whose current state is not in the published segments, with their texts. */
export async function listUnpublished(
  db: Db,
  sourceId: string,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<UnpublishedPage[]> {
  return db
    .selectFrom('pages')
    .innerJoin('texts', (join) =>
      join.onRef('texts.sourceId', '=', 'pages.sourceId').onRef('texts.hash', '=', 'pages.textHash'),
    )
    .select(['pages.id', 'pages.url', 'texts.markdown', 'texts.outline'])
    .select((is) => [is.fn.coalesce('pages.title', sql<string>`''`).as('title'), is.ref('texts.hash').as('textHash')])
    .where('pages.sourceId', '=', sourceId)
    .where('pages.state', '=', 'indexed')
    .where('pages.published', '=', 0)
    .where('pages.id', '>', afterId)
    .orderBy('pages.id')
    .limit(limit)
    .execute()
}

/** Marks pages as published. Only the crawl that built the segments changes them. */
export async function markPublished(tx: Db, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += ROWS_PER_INSERT) {
    await tx
      .updateTable('pages')
      .set({ published: 1 })
      .where('id', 'in', ids.slice(from, from + ROWS_PER_INSERT))
      .execute()
  }
}

/** Marks all pages of the source as unpublished. */
export async function markUnpublished(tx: Db, sourceId: string): Promise<void> {
  await tx.updateTable('pages').set({ published: 0 }).where('sourceId', '=', sourceId).execute()
}

/** Deletes texts that no page of the source refers to. */
export async function deleteOrphanTexts(tx: Db, sourceId: string): Promise<void> {
  await tx
    .deleteFrom('texts')
    .where('sourceId', '=', sourceId)
    .where('hash', 'not in', (is) =>
      is
        .selectFrom('pages')
        .select((page) => page.ref('textHash').$notNull().as('hash'))
        .where('sourceId', '=', sourceId)
        .where('textHash', 'is not', null),
    )
    .execute()
}

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

/** Address and text of every indexed page: the permitted content of published segments. */
export async function listIndexed(db: Db, sourceId: string): Promise<{ url: string; textHash: string }[]> {
  return db
    .selectFrom('pages')
    .select('url')
    .select((is) => is.ref('textHash').$notNull().as('textHash'))
    .where('sourceId', '=', sourceId)
    .where('state', '=', 'indexed')
    .where('textHash', 'is not', null)
    .execute()
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
