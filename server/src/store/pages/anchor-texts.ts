import { sql } from 'kysely'
import type { Db } from '#store/db.ts'

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
