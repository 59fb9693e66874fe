import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Store, Db } from '#store/db.ts'
import { deleteRows, deleteSomeRows, findRow, runsOnPostgres, updateRows } from '#store/rows.ts'
import { deleteOrphanTexts } from '#store/pages/texts.ts'
import { deleteUnusedObjects } from '#store/engine/blobs/delete-objects.ts'
import { deleteOtherSegments } from '#store/pages/segments.ts'
import { deleteQuestions } from './questions.ts'
import { deleteUploadsOf } from './uploads.ts'
import { NO_CONTENT, updateSourceRow } from './sources.ts'

/** Counts of deleted rows of a source. */
export type Purged = { chunks: number; crawlUrls: number; indexJobs: number; callCitations: number }

/** Rows deleted per statement: about 10 ms on SQLite, which blocks everything else. */
const ROWS_AT_ONCE = 200
/** Segment parts have 2 MB each. */
const PARTS_AT_ONCE = 1

/** Deletes a source with all derived data, jobs and segments first. Returns counts, or null if it was gone. */
export async function deleteSourceRows(store: Store, sourceId: string): Promise<Purged | null> {
  const { write } = store
  const purged: Purged = { chunks: 0, crawlUrls: 0, indexJobs: 0, callCitations: 0 }
  await store.transaction(async (tx) => {
    // Same lock order as in a crawl. The reverse order could deadlock.
    purged.indexJobs = await deleteRows(tx, 'jobs', { sourceId })
    await updateRows(tx, 'sources', { id: sourceId }, { segments: '[]' })
  })
  await untilNone(async () => {
    const some = write.selectFrom('pages').select('id').where('sourceId', '=', sourceId).limit(ROWS_AT_ONCE)
    const pages = await write.deleteFrom('pages').where('id', 'in', some).returning('chunks').execute()
    purged.crawlUrls += pages.length
    for (const { chunks } of pages) purged.chunks += chunks
    return pages.length
  })
  for (const table of ['texts', 'packedTexts'] as const)
    await untilNone(() => deleteSomeRows(write, table, { sourceId }, ['hash', ROWS_AT_ONCE]))
  await deleteUploadsOf(write, sourceId)
  const segments = await write.selectFrom('segments').select('id').where('sourceId', '=', sourceId).execute()
  for (const { id: segmentId } of segments)
    await untilNone(() => deleteSomeRows(write, 'segmentParts', { segmentId }, ['part', PARTS_AT_ONCE]))
  await untilNone(() => deleteSomeRows(write, 'citedPages', { sourceId }, ['id', ROWS_AT_ONCE]))
  const isRemoved = await store.transaction(async (tx) => {
    // Calls that cite the source are written under a shared lock of its row.
    if (runsOnPostgres(tx)) await tx.selectFrom('sources').select('id').where('id', '=', sourceId).forUpdate().execute()
    purged.callCitations = (await findRow(tx, 'sourceUses', { sourceId }))?.citations ?? 0
    return (await deleteRows(tx, 'sources', { id: sourceId })) > 0
  })
  await deleteUnusedObjects(store)
  return isRemoved ? purged : null
}

/** Repeats until nothing is left, and lets other work run in between. */
async function untilNone(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0) await nextTurn()
}

/** Empties a source's published version. The next indexing deletes its content. */
export async function withdrawContent(tx: Db, sourceId: string): Promise<void> {
  await deleteQuestions(tx, sourceId)
  await updateSourceRow(tx, sourceId, { ...NO_CONTENT, discardContent: 1, cursor: null, publishedPages: 0 })
}

/** Deletes some of a withdrawn source's pages, texts and segments. False if nothing was left. */
export async function deleteSomeContent(tx: Db, sourceId: string): Promise<boolean> {
  if ((await deleteSomeRows(tx, 'pages', { sourceId }, ['id', ROWS_AT_ONCE])) > 0) return true
  await deleteOrphanTexts(tx, sourceId)
  if (await deleteOtherSegments(tx, sourceId, [])) return true
  await updateSourceRow(tx, sourceId, { discardContent: 0 })
  return false
}

/** Removes what calls cite of a source from the log and its reports. */
export async function deleteCitations(tx: Db, sourceId: string) {
  for (const table of ['citedPages', 'pageDays', 'pagePeriods'] as const) await deleteRows(tx, table, { sourceId })
}
