import type { Db } from '#store/db.ts'
import { deleteOrphanTexts } from '#store/pages/texts.ts'
import { deleteOtherSegments } from '#store/pages/segments.ts'
import { NO_CONTENT, updateSourceRow } from './sources.ts'

/** Pages deleted per transaction: about 10 ms on SQLite, which blocks everything else. */
const PAGES_AT_ONCE = 200

/** Empties a source's published version. The next indexing deletes its content. */
export async function withdrawContent(tx: Db, sourceId: string): Promise<void> {
  await updateSourceRow(tx, sourceId, {
    ...NO_CONTENT,
    discardContent: 1,
    cursor: null,
    publishedPages: 0,
  })
}

/** Deletes some of a withdrawn source's pages, texts and segments. False if nothing was left. */
export async function deleteSomeContent(tx: Db, sourceId: string): Promise<boolean> {
  const some = tx.selectFrom('pages').select('id').where('sourceId', '=', sourceId).limit(PAGES_AT_ONCE)
  const pages = await tx.deleteFrom('pages').where('id', 'in', some).executeTakeFirst()
  if (pages.numDeletedRows > 0n) return true
  await deleteOrphanTexts(tx, sourceId)
  if (await deleteOtherSegments(tx, sourceId, [])) return true
  await updateSourceRow(tx, sourceId, { discardContent: 0 })
  return false
}
