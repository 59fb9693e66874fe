import type { Db } from '#store/db.ts'
import { prepared } from '#store/engine/prepared.ts'

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
