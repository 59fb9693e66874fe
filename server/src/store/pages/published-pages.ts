import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { ROWS_PER_QUERY } from './pages.ts'

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
  await tx.updateTable('pages').set({ published: 0 }).where('sourceId', '=', sourceId).execute()
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
