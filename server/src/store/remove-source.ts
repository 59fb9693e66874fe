import { sql } from 'kysely'
import type { Db } from './db.ts'
import { deleteCitations } from './write-calls.ts'

/** How much was deleted with a source. */
export type Purged = { chunks: number; crawlUrls: number; indexJobs: number; callCitations: number }

/**
 * Deletes a source with everything made from it: pages, texts, segments, credential, jobs, and the citations of it in
 * the request log. A crawl under way finds its job gone and stops.
 */
export async function removeSource(tx: Db, sourceId: string): Promise<Purged> {
  const { numDeletedRows: indexJobs } = await tx.deleteFrom('jobs').where('sourceId', '=', sourceId).executeTakeFirst()
  const { pages, chunks } = await tx
    .selectFrom('pages')
    .select([sql<number>`count(*)`.as('pages'), sql<number>`coalesce(sum(chunks), 0)`.as('chunks')])
    .where('sourceId', '=', sourceId)
    .executeTakeFirstOrThrow()
  const callCitations = await deleteCitations(tx, sourceId)
  await tx.deleteFrom('sources').where('id', '=', sourceId).execute()
  return { chunks, crawlUrls: pages, indexJobs: Number(indexJobs), callCitations }
}
