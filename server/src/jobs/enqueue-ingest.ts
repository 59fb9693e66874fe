import type { Db } from '#store/db.ts'
import { updateSource } from '#store/sources.ts'
import { beginAnew, enqueue } from './queue.ts'

/**
 * Queues the indexing of a source. One that is waiting already is not queued twice; one that is being indexed now
 * goes on, since it takes in what it finds.
 */
export async function enqueueIngest(tx: Db, { id, serverId }: { id: string; serverId: string }): Promise<void> {
  const about = { serverId, sourceId: id, dedupeKey: `ingest:${id}` }
  const added = await enqueue(tx, 'ingest', { sourceId: id }, about)
  if (added) await updateSource(tx, id, { crawlStatus: 'pending', crawlError: null })
}

/**
 * Queues the indexing of a source whose content was replaced. Where the old content is being indexed just now, that
 * begins anew: it would not take in what has come.
 */
export async function enqueueUploaded(tx: Db, source: { id: string; serverId: string }): Promise<void> {
  await beginAnew(tx, `ingest:${source.id}`)
  await enqueueIngest(tx, source)
  await updateSource(tx, source.id, { crawlStatus: 'pending', crawlError: null })
}

/** Queues the indexing that a source was waiting for, or in the middle of, when its server was deleted. */
export async function resumeIngest(
  tx: Db,
  { id, serverId, crawlStatus }: { id: string; serverId: string; crawlStatus: string },
): Promise<void> {
  if (crawlStatus !== 'pending' && crawlStatus !== 'crawling') return
  await enqueue(tx, 'ingest', { sourceId: id }, { serverId, sourceId: id, dedupeKey: `ingest:${id}` })
}
