import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from './db.ts'
import { prepared } from './prepared.ts'
import type { Schema } from './schema.ts'

export type PageRow = Selectable<Schema['pages']>
export type PageState = PageRow['state']
/** Pages of a source by state, and how many of them, in whatever state, the current crawl has yet to settle. */
export type PageCounts = Record<PageState, number> & { toGo: number }

/** Rows in one insert: SQLite takes 32,766 parameters, PostgreSQL 65,535. */
const ROWS_PER_INSERT = 500

type Discovered = { url: string; depth: number }

/**
 * Adds addresses that the source has not met before, to go in the current crawl. Returns how many were new, and their
 * characters.
 */
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

/** Characters of all addresses of the source. Read from the index that has them. */
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

/** Pages that this crawl has not settled, in the order of their discovery, from after `afterId`. */
export async function listToGo(
  db: Db,
  { sourceId, run, afterId, limit }: { sourceId: string; run: number; afterId: number; limit: number },
): Promise<PageToGo[]> {
  return (
    db
      .selectFrom('pages')
      .select(['id', 'url', 'depth', 'state', 'textHash', 'etag', 'lastModified', 'misses'])
      .where('sourceId', '=', sourceId)
      // Not by the index of runs, which has them in another order.
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

/** Settles for crawl `run`, as they were, the pages whose addresses begin with `prefix` and that it has not settled. */
export async function keepPages(
  tx: Db,
  { sourceId, run, prefix }: { sourceId: string; run: number; prefix: string },
): Promise<void> {
  await tx
    .updateTable('pages')
    .set({ run })
    .where('sourceId', '=', sourceId)
    .where('run', '<', run)
    // One that was found and never looked at has nothing to keep.
    .where('state', '!=', 'queued')
    .where(sql<string>`substr(url, 1, ${prefix.length})`, '=', prefix)
    .execute()
}

/**
 * Settles for crawl `run` up to `limit` of the pages that it has not settled: those that were never looked at are skipped
 * for `reason`, all others stay as they were. Returns how many.
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

/** What is said of a page that is left out for another one with the same text, up to the other's address. */
export const SAME_TEXT = 'The same text as '

/**
 * Puts the pages back that crawl `run` left out for another one which it has then found to be gone, moved or changed.
 * Returns how many.
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

/** What a crawl found out about one page. Members that are absent stay as they were. */
export type PageOutcome = { id: number } & Partial<
  Pick<
    PageRow,
    'state' | 'reason' | 'detail' | 'title' | 'textHash' | 'chunks' | 'etag' | 'lastModified' | 'published' | 'misses'
  >
>

/** Sets these columns of a page; the last value is its id. */
function preparedUpdate(columns: readonly string[]) {
  const placeholders: unknown[] = [...columns, 0]
  return prepared(placeholders, (db, values) =>
    db
      .updateTable('pages')
      .set(Object.fromEntries(columns.map((column, at) => [column, values[at]])))
      .where('id', '=', values[columns.length] as number),
  )
}

/** What pages are settled with has a few shapes. */
const updates = new Map<string, ReturnType<typeof preparedUpdate>>()

/** Settles a page for this crawl. */
export async function settlePage(tx: Db, run: number, { id, ...outcome }: PageOutcome): Promise<void> {
  const values = { ...outcome, run, updatedAt: Date.now() }
  const columns = Object.keys(values)
  const shape = columns.join(' ')
  const update = updates.get(shape) ?? preparedUpdate(columns)
  updates.set(shape, update)
  await update(tx, [...Object.values(values), id])
}

// By its text: with a bare `run`, SQLite would go through all pages of the crawl by the index that has it.
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

/** Another indexed page of the source with the same text, settled by crawl `since` or a later one, if there is one. */
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

/** Bytes of the text that the page has now; 0 for one without. */
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

/** Indexed pages that the published segments do not hold as they are now, with their texts. */
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

/** Marks pages as held by the published segments. The crawl that built them is the only one to change them. */
export async function markPublished(tx: Db, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += ROWS_PER_INSERT) {
    await tx
      .updateTable('pages')
      .set({ published: 1 })
      .where('id', 'in', ids.slice(from, from + ROWS_PER_INSERT))
      .execute()
  }
}

/** Marks all pages of the source as held by no published segment. */
export async function markUnpublished(tx: Db, sourceId: string): Promise<void> {
  await tx.updateTable('pages').set({ published: 0 }).where('sourceId', '=', sourceId).execute()
}

/** Deletes texts that no page of the source has any more. */
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

/** How many pages of the source are in which state, and how many of them the crawl `run` has yet to settle. */
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
 * Passages of the indexed pages and the size of their texts. Asked with every publish, so it goes through the indexes of
 * texts: a row leads to its size past the whole text.
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

/** Address and text of every indexed page: what the published segments may hold. */
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

/** Pages of the source that its patterns leave out. */
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
