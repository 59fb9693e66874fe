import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { splitRef } from '#lib/addresses/page-address.ts'
import { preparedRow } from '#store/engine/prepared.ts'
import { below, deleteRows, findRow, isNot, isOneOf, isPresent, updateRows } from '#store/rows.ts'
import type { Schema } from '#store/schema.ts'

export type PageRow = Selectable<Schema['pages']>
export type PageState = PageRow['state']

/** Rows per query. SQLite accepts 32,766 parameters, PostgreSQL 65,535. */
export const ROWS_PER_QUERY = 500

/** Adds addresses new to the source, for the current crawl. Returns their number and total characters. */
export async function insertDiscovered(tx: Db, sourceId: string, pages: readonly { url: string; depth: number }[]) {
  const added = { pages: 0, characters: 0 }
  const updatedAt = Date.now()
  for (let from = 0; from < pages.length; from += ROWS_PER_QUERY) {
    const rows = pages.slice(from, from + ROWS_PER_QUERY).map((page) => ({ ...NEW_PAGE, ...page, sourceId, updatedAt }))
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

const NEW_PAGE = { state: 'queued', run: 0, chunks: 0, published: 0, misses: 0 } as const

const TO_GO = [
  'id',
  'url',
  'depth',
  'state',
  'textHash',
  'etag',
  'lastModified',
  'siteDate',
  'freshUntil',
  'misses',
] as const
export type PageToGo = Pick<PageRow, (typeof TO_GO)[number]>

/** Unsettled pages of this crawl in discovery order, after `afterId`. */
export async function listToGo(
  db: Db,
  { sourceId, run, afterId, limit }: { sourceId: string; run: number; afterId: number; limit: number },
): Promise<PageToGo[]> {
  const open = db.selectFrom('pages').select(TO_GO).where('sourceId', '=', sourceId).where('run', '<', run)
  return open.where('id', '>', afterId).orderBy('id').limit(limit).execute()
}

/** The rows of these pages, with the crawl that last settled each. */
export async function findPages(db: Db, sourceId: string, urls: readonly string[]) {
  if (urls.length === 0) return []
  return db
    .selectFrom('pages')
    .select([...TO_GO, 'run'])
    .where('sourceId', '=', sourceId)
    .where('url', 'in', [...urls])
    .orderBy('id')
    .execute()
}

export const findPage = (db: Db, sourceId: string, url: string) => findRow(db, 'pages', { sourceId, url })

/** When a page was last read, and when it last changed by its site's dates, or null. Milliseconds since 1970. */
export type PageAge = { sourceId: string; url: string; readAt: number; changedAt: number | null }

/** When a page last changed by the dates of its site, in whole seconds, or null. */
export function changedAt({ siteDate, lastModified }: Pick<PageRow, 'siteDate' | 'lastModified'>): number | null {
  const latest = Math.max(siteDate ?? 0, Date.parse(lastModified ?? '') || 0)
  return latest === 0 ? null : latest - (latest % 1_000)
}

/** The ages of the pages among these addresses. */
export async function agesOfPages(db: Db, sourceIds: readonly string[], urls: readonly string[]): Promise<PageAge[]> {
  if (sourceIds.length === 0 || urls.length === 0) return []
  const rows = await db
    .selectFrom('pages')
    .select(['sourceId', 'url', 'updatedAt', 'lastModified', 'siteDate'])
    .where('sourceId', 'in', sourceIds)
    .where('url', 'in', urls)
    .execute()
  return rows.map((row) => ({ sourceId: row.sourceId, url: row.url, readAt: row.updatedAt, changedAt: changedAt(row) }))
}

const isBelow = (address: string) => sql<boolean>`substr(url, 1, ${address.length}) = ${address}`

/** Lets the next crawl of a source delete the pages below an address, unless it finds them. */
export const unreadPages = (tx: Db, sourceId: string, address: string) =>
  updateRows(tx, 'pages', { sourceId, url: () => isBelow(address) }, { state: 'queued' })

type Kept = { sourceId: string; run: number; prefix: string; except: readonly string[] }

/**
 * Settles the remaining pages with address prefix `prefix` and none of `except` for crawl `run`, unchanged. They are of
 * the branch or tag that the query of the prefix names, or of none.
 */
export async function keepPages(tx: Db, { sourceId, run, prefix, except }: Kept) {
  const [start, ref] = splitRef(prefix)
  const isOfRef = ref === '' ? sql`url NOT LIKE '%&h=%'` : sql`substr(url, length(url) - ${ref.length - 1}) = ${ref}`
  const outside = except.map((address) => sql`AND NOT ${isBelow(address)}`)
  const url = () => sql<boolean>`${isBelow(start)} AND ${isOfRef} ${sql.join(outside, sql` `)}`
  // A page that was found but never fetched has nothing to keep.
  await updateRows(
    tx,
    'pages',
    { sourceId, run: below(run), state: isNot('queued'), url },
    { run, updatedAt: Date.now() },
  )
}

/**
 * Settles up to `limit` pages after `afterId` for crawl `run`: skips those never fetched, keeps the others. Returns the
 * last one, or null if there is none.
 */
export async function leaveUnsettled(
  tx: Db,
  { reason, detail, run, ...those }: Parameters<typeof listToGo>[1] & Skip,
): Promise<number | null> {
  const rows = await listToGo(tx, { run, ...those })
  const { queued = [], others = [] } = Object.groupBy(rows, ({ state }) => (state === 'queued' ? state : 'others'))
  const idsOf = (pages: typeof rows) => ({ id: isOneOf(pages.map(({ id }) => id)) })
  const skipped = { run, state: 'skipped', reason, detail, updatedAt: Date.now() } as const
  if (queued.length > 0) await updateRows(tx, 'pages', idsOf(queued), skipped)
  if (others.length > 0) await updateRows(tx, 'pages', idsOf(others), { run })
  return rows.at(-1)?.id ?? null
}

/** Addresses of the pages of a source that were read, also of those that are the same as others. */
export async function listReadUrls(db: Db, sourceId: string): Promise<string[]> {
  const read = db.selectFrom('pages').select('url').where('sourceId', '=', sourceId)
  return (await read.where('state', 'in', ['indexed', 'skipped']).execute()).map(({ url }) => url)
}

/** The start of a hash that is indexed: 48 of its bits. */
const START = 8

/** True if two pages can have the same text, by an index. */
export const sameStart = (hash: string, other: string) =>
  sql<boolean>`substr(${sql.ref(hash)}, 1, ${sql.lit(START)}) = substr(${sql.ref(other)}, 1, ${sql.lit(START)})`

type Skip = { reason: string; detail: string }

/** Deletes the pages that crawl `run` has not settled. */
export const deleteUnsettled = (tx: Db, sourceId: string, run: number) =>
  deleteRows(tx, 'pages', { sourceId, run: below(run) })

/** Queues a page for crawl `run`, without the validators and the date that could leave it as it is. */
export const requeuePage = (tx: Db, id: number, run: number) =>
  updateRows(tx, 'pages', { id }, { run: run - 1, etag: null, lastModified: null, siteDate: null })

/** Message prefix for a page that is skipped as a duplicate, before the other page's address. */
export const SAME_TEXT = 'The same text as '

/** Indexes the first of each group of duplicates whose original is gone or has changed. Its text is stored still. */
export const promoteDuplicates = (tx: Db, sourceId: string) =>
  updateRows(
    tx,
    'pages',
    {
      sourceId,
      reason: 'duplicate',
      textHash: isPresent,
      id: () => sql<boolean>`not exists (
        select 1 from pages as other
        where other.source_id = ${sourceId} and ${sameStart('other.textHash', 'pages.textHash')}
          and other.text_hash = pages.text_hash
          and (other.state = 'indexed' or (other.reason = 'duplicate' and other.id < pages.id)))`,
    },
    { state: 'indexed', reason: null, detail: null, published: 0, misses: 0 },
  )

/** Duplicates of a source, each with the indexed page that has the same text. */
export async function listDuplicates(db: Db, sourceId: string) {
  return db
    .selectFrom('pages')
    .innerJoin('pages as original', (join) =>
      join
        .onRef('original.sourceId', '=', 'pages.sourceId')
        .on(sameStart('original.textHash', 'pages.textHash'))
        .onRef('original.textHash', '=', 'pages.textHash'),
    )
    .select(['pages.id', 'pages.url', 'original.id as originalId', 'original.url as originalUrl'])
    .where('pages.sourceId', '=', sourceId)
    .where('pages.reason', '=', 'duplicate')
    .where('original.state', '=', 'indexed')
    .execute()
}

/** Indexes a duplicate in place of its original. All duplicates then refer to it. */
export async function replaceOriginal(
  tx: Db,
  { id, url, originalId }: { id: number; url: string; originalId: number },
) {
  const detail = `${SAME_TEXT}${url}`
  await updateRows(tx, 'pages', { id: originalId }, { state: 'skipped', reason: 'duplicate', detail, published: 0 })
  await updateRows(tx, 'pages', { id }, { state: 'indexed', reason: null, detail: null, published: 0, misses: 0 })
}

/** Result of crawling one page. Absent members stay unchanged. */
export type PageOutcome = { id: number } & Partial<
  Omit<PageRow, 'id' | 'sourceId' | 'url' | 'run' | 'depth' | 'anchorTexts' | 'updatedAt'>
>

export const updateSettledPage = (tx: Db, run: number, { id, ...outcome }: PageOutcome) =>
  updateRows(tx, 'pages', { id }, { ...outcome, run, updatedAt: Date.now() })

const sameText = preparedRow(['', '', '', 0, 0], (db, [sourceId, start, textHash, otherThan, since]) =>
  db
    .selectFrom('pages')
    .select(['id', 'url'])
    .where('sourceId', '=', sourceId)
    .where(sql`substr(text_hash, 1, ${sql.lit(START)})`, '=', start)
    .where('textHash', '=', textHash)
    .where('state', '=', sql.lit('indexed'))
    .where('id', '!=', otherThan)
    .where('run', '>=', since)
    .orderBy('id')
    .limit(sql.lit(1)),
)

/** Another indexed page of the source with the same text, settled by crawl `since` or later, if any. */
export const findSameText = (
  tx: Db,
  sourceId: string,
  { textHash, otherThan, since }: { textHash: string; otherThan: number; since: number },
) => sameText(tx, sourceId, textHash.slice(0, START), textHash, otherThan, since)
