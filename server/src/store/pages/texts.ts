import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { deleteEmptyPacks, withTexts } from './packed-texts.ts'
import { ROWS_PER_QUERY, SAME_TEXT, type PageRow } from './pages.ts'
import { insertNewRow, isOneOf, updateRows } from '#store/rows.ts'

export type NewText = { hash: string; markdown: Uint8Array; outline: Uint8Array; size: number }

/** Bytes of the page's current text. 0 without text. */
export async function sizeOfPage(tx: Db, id: number): Promise<number> {
  const row = await withTexts(tx)
    .select(sql<number>`coalesce(texts.size, packed_texts.size, 0)`.as('size'))
    .where('pages.id', '=', id)
    .executeTakeFirst()
  return row?.size ?? 0
}

export const insertText = (tx: Db, sourceId: string, text: NewText) => insertNewRow(tx, 'texts', { sourceId, ...text })

/** Deletes texts that no page of the source refers to, and packs without texts. */
export async function deleteOrphanTexts(tx: Db, sourceId: string): Promise<void> {
  const pages = tx.selectFrom('pages').where('sourceId', '=', sourceId).where('textHash', 'is not', null)
  const used = pages.select((page) => page.ref('textHash').$notNull().as('hash'))
  for (const table of ['texts', 'packedTexts'] as const)
    await tx.deleteFrom(table).where('sourceId', '=', sourceId).where('hash', 'not in', used).execute()
  await deleteEmptyPacks(tx, sourceId)
}

type ImportedPage = {
  url: string
  title: string
  anchorTexts: string
  chunks: number
  text: NewText
  /** Addresses of duplicates. */
  copies?: readonly string[]
} & Pick<PageRow, 'updatedAt' | 'lastModified'>

/** Adds pages of a file to a source that has never been read. False for a page that it has. */
export async function insertImported(tx: Db, sourceId: string, page: ImportedPage): Promise<boolean> {
  const { text, copies = [], ...facts } = page
  const settled = { sourceId, textHash: text.hash, run: 1, depth: 0, published: 0, misses: 0 }
  await insertText(tx, sourceId, text)
  if (!(await insertNewRow(tx, 'pages', { ...settled, ...facts, state: 'indexed' }))) return false
  const { title, updatedAt } = facts
  const same = { state: 'skipped', reason: 'duplicate', detail: SAME_TEXT + facts.url } as const
  for (const url of copies) {
    if (!(await insertNewRow(tx, 'pages', { ...settled, ...same, url, title, chunks: 0, updatedAt }))) return false
  }
  return true
}

/** Marks pages as published. Only the crawl that built the segments changes them. */
export async function markPublished(tx: Db, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += ROWS_PER_QUERY) {
    await updateRows(tx, 'pages', { id: isOneOf(ids.slice(from, from + ROWS_PER_QUERY)) }, { published: 1 })
  }
}

export const markUnpublished = (tx: Db, sourceId: string) => updateRows(tx, 'pages', { sourceId }, { published: 0 })

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

/** Ids and addresses of the indexed pages, in the order in which they were found. */
export const listIndexedIds = (db: Db, sourceId: string) =>
  db
    .selectFrom('pages')
    .select(['id', 'url'])
    .where('sourceId', '=', sourceId)
    .where('state', '=', 'indexed')
    .orderBy('id')
    .execute()

/** Navigation labels of each indexed page of the source, as a JSON array. */
export const listNavigationTexts = (db: Db, sourceId: string) =>
  db
    .selectFrom('pages')
    .select(['url', 'anchorTexts'])
    .where('sourceId', '=', sourceId)
    .where('state', '=', 'indexed')
    .execute()

/** Saves the navigation labels of the pages with these addresses. */
export async function saveNavigationTexts(
  db: Db,
  sourceId: string,
  texts: readonly (readonly [url: string, anchorTexts: string])[],
): Promise<void> {
  for (let from = 0; from < texts.length; from += ROWS_PER_QUERY) {
    const rows = texts.slice(from, from + ROWS_PER_QUERY).map(([url, json]) => sql`(${url}, ${json})`)
    await sql`
      with given (url, texts) as (values ${sql.join(rows)})
      update pages set anchor_texts = given.texts from given
      where pages.source_id = ${sourceId} and pages.url = given.url`.execute(db)
  }
}
