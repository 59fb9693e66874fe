import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Store } from './db.ts'
import { deleteUploadsOf } from './uploads.ts'
import { deleteCitations } from './write-calls.ts'

/** How much was deleted with a source. */
export type Purged = { chunks: number; crawlUrls: number; indexJobs: number; callCitations: number }

/** Rows deleted in one statement: on SQLite everything else waits so long, which are some 10 ms. */
const ROWS_AT_ONCE = 200
/** Parts of segments have 2 MB each. */
const PARTS_AT_ONCE = 1

/**
 * Deletes a source with everything made from it: its jobs first, by which a crawl under way finds that it has lost its
 * work, and its place in the index, so that it is found no more; then pages, texts and segments bit by bit, and at last
 * itself. Counts what was deleted. Null when it was not there, or another removal was faster.
 */
export async function removeSource(store: Store, sourceId: string): Promise<Purged | null> {
  const { write } = store
  const purged: Purged = { chunks: 0, crawlUrls: 0, indexJobs: 0, callCitations: 0 }
  await store.transaction(async (tx) => {
    // In the order in which a crawl takes the two rows: the other way round they could wait for each other.
    const jobs = await tx.deleteFrom('jobs').where('sourceId', '=', sourceId).executeTakeFirst()
    purged.indexJobs = Number(jobs.numDeletedRows)
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
    const texts = await write
      .deleteFrom('texts')
      .where('sourceId', '=', sourceId)
      .where('hash', 'in', some)
      .executeTakeFirst()
    return Number(texts.numDeletedRows)
  })
  await deleteUploadsOf(write, sourceId)
  const segments = await write.selectFrom('segments').select('id').where('sourceId', '=', sourceId).execute()
  for (const { id } of segments) {
    await untilNone(async () => {
      const some = write.selectFrom('segmentParts').select('part').where('segmentId', '=', id).limit(PARTS_AT_ONCE)
      const parts = await write
        .deleteFrom('segmentParts')
        .where('segmentId', '=', id)
        .where('part', 'in', some)
        .executeTakeFirst()
      return Number(parts.numDeletedRows)
    })
  }
  await untilNone(async () => {
    const citations = await deleteCitations(write, sourceId)
    purged.callCitations += citations
    return citations
  })
  const gone = await write.deleteFrom('sources').where('id', '=', sourceId).executeTakeFirst()
  return gone.numDeletedRows > 0n ? purged : null
}

/** Repeats until nothing was left to do, and lets others have their turn in between. */
async function untilNone(step: () => Promise<number>): Promise<void> {
  while ((await step()) > 0) await nextTurn()
}
