import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { prepared } from '#store/engine/prepared.ts'
import { ROWS_PER_QUERY } from './pages.ts'
import { updateRows } from '#store/engine/statements.ts'

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
  for (let from = 0; from < ids.length; from += ROWS_PER_QUERY) {
    await tx
      .updateTable('pages')
      .set({ published: 1 })
      .where('id', 'in', ids.slice(from, from + ROWS_PER_QUERY))
      .execute()
  }
}

/** Marks all pages of the source as unpublished. */
export async function markUnpublished(tx: Db, sourceId: string): Promise<void> {
  await updateRows(tx, 'pages', { sourceId }, { published: 0 })
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

/** Rows per statement. Each has two parameters. */
const ROWS_AT_ONCE = 500

/** Outlines of the source's indexed pages after page `afterId`. */
export async function listOutlines(
  db: Db,
  sourceId: string,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<{ id: number; outline: Uint8Array }[]> {
  return db
    .selectFrom('pages')
    .innerJoin('texts', (join) =>
      join.onRef('texts.sourceId', '=', 'pages.sourceId').onRef('texts.hash', '=', 'pages.textHash'),
    )
    .select(['pages.id', 'texts.outline'])
    .where('pages.sourceId', '=', sourceId)
    .where('pages.state', '=', 'indexed')
    .where('pages.id', '>', afterId)
    .orderBy('pages.id')
    .limit(limit)
    .execute()
}

/** Navigation labels of each indexed page of the source, as a JSON array. */
export async function listNavigationTexts(
  db: Db,
  sourceId: string,
): Promise<{ url: string; anchorTexts: string | null }[]> {
  return db
    .selectFrom('pages')
    .select(['url', 'anchorTexts'])
    .where('sourceId', '=', sourceId)
    .where('state', '=', 'indexed')
    .execute()
}

/** Saves the navigation labels of the pages with these addresses. */
export async function saveNavigationTexts(
  db: Db,
  sourceId: string,
  texts: readonly (readonly [url: string, anchorTexts: string])[],
): Promise<void> {
  for (let from = 0; from < texts.length; from += ROWS_AT_ONCE) {
    const rows = texts.slice(from, from + ROWS_AT_ONCE).map(([url, json]) => sql`(${url}, ${json})`)
    await sql`
      with given (url, texts) as (values ${sql.join(rows)})
      update pages set anchor_texts = given.texts from given
      where pages.source_id = ${sourceId} and pages.url = given.url`.execute(db)
  }
}
