import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Store } from '#store/db.ts'
import { deleteUploadsOf } from './uploads.ts'
import { type Place, deleteCitations } from '#store/calls/delete-citations.ts'
import { deletedRows, deletesRow } from '#store/engine/changed-row.ts'
import { runsOnPostgres } from '#store/engine/engine-of.ts'

/** Counts of deleted rows of a source. */
export type Purged = { chunks: number; crawlUrls: number; indexJobs: number; callCitations: number }

/** Rows deleted per statement: about 10 ms on SQLite, which blocks everything else. */
const ROWS_AT_ONCE = 200
/** Calls are written up to a minute after they were answered, while the database is unavailable. */
const LATE_MS = 120_000
/** Segment parts have 2 MB each. */
const PARTS_AT_ONCE = 1

/**
 * Deletes a source with all derived data. First its jobs, so that a running crawl finds that it has lost its lease, and
 * its published segments, so that it is no longer searchable. Then pages, texts and segments in batches, finally the
 * source itself. Returns the counts, or null if it did not exist or another removal was faster.
 */
export async function deleteSourceRows(store: Store, sourceId: string): Promise<Purged | null> {
  const { write } = store
  const purged: Purged = { chunks: 0, crawlUrls: 0, indexJobs: 0, callCitations: 0 }
  await store.transaction(async (tx) => {
    // Same lock order as in a crawl. The reverse order could deadlock.
    purged.indexJobs = await deletedRows(tx.deleteFrom('jobs').where('sourceId', '=', sourceId))
    await tx.updateTable('sources').set({ segments: '[]' }).where('id', '=', sourceId).execute()
  })
  await untilNone(async () => {
    const some = write.selectFrom('pages').select('id').where('sourceId', '=', sourceId).limit(ROWS_AT_ONCE)
    const pages = await write.deleteFrom('pages').where('id', 'in', some).returning('chunks').execute()
    purged.crawlUrls += pages.length
    for (const { chunks } of pages) purged.chunks += chunks
    return pages.length
  })
  await untilNone(async () => {
    const some = write.selectFrom('texts').select('hash').where('sourceId', '=', sourceId).limit(ROWS_AT_ONCE)
    return deletedRows(write.deleteFrom('texts').where('sourceId', '=', sourceId).where('hash', 'in', some))
  })
  await deleteUploadsOf(write, sourceId)
  const segments = await write.selectFrom('segments').select('id').where('sourceId', '=', sourceId).execute()
  for (const { id } of segments) {
    await untilNone(async () => {
      const some = write.selectFrom('segmentParts').select('part').where('segmentId', '=', id).limit(PARTS_AT_ONCE)
      return deletedRows(write.deleteFrom('segmentParts').where('segmentId', '=', id).where('part', 'in', some))
    })
  }
  const source = await write
    .selectFrom('sources')
    .select(['id', 'serverId'])
    .where('id', '=', sourceId)
    .executeTakeFirst()
  if (!source) return null
  const started = await store.now()
  for (let from: Place | null = { at: 0, seq: 0 }; from !== null; await nextTurn()) {
    const { deleted, next } = await deleteCitations(write, source, from)
    purged.callCitations += deleted
    from = next
  }
  return store.transaction(async (tx) => {
    // Calls that cite the source are written under a shared lock of its row.
    if (runsOnPostgres(tx)) await tx.selectFrom('sources').select('id').where('id', '=', sourceId).forUpdate().execute()
    for (let from: Place | null = { at: started - LATE_MS, seq: 0 }; from !== null;) {
      const { deleted, next } = await deleteCitations(tx, source, from)
      purged.callCitations += deleted
      from = next
    }
    return (await deletesRow(tx.deleteFrom('sources').where('id', '=', sourceId))) ? purged : null
  })
}

/** Repeats until nothing is left, and lets other work run in between. */
async function untilNone(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0) await nextTurn()
}
