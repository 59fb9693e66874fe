import type { Db } from '#store/db.ts'
import { updateSourceRow } from '#store/sources/sources.ts'
import { beginAnew, enqueue } from '#store/jobs/queue.ts'

type Source = { id: string; serverId: string }

/**
 * Queues the indexing of a source. An already queued job is not duplicated. A running job continues, since it will
 * include what it finds.
 */
export async function enqueueIngest(tx: Db, source: Source): Promise<void> {
  const added = await enqueueFirst(tx, source)
  if (added) await updateSourceRow(tx, source.id, { crawlStatus: 'pending', crawlError: null })
}

/** Queues the indexing of a source that is already marked as waiting. Returns false if it is queued or running. */
export async function enqueueFirst(tx: Db, { id, serverId }: Source): Promise<boolean> {
  return enqueue(tx, 'ingest', { sourceId: id }, { serverId, sourceId: id, dedupeKey: `ingest:${id}` })
}

/**
 * Queues the indexing of a source whose content or credential was replaced or removed. A running crawl loses its lease
 * in the same transaction, so it publishes nothing and restarts.
 */
export async function enqueueAnew(tx: Db, source: Source): Promise<void> {
  await beginAnew(tx, `ingest:${source.id}`)
  await enqueueIngest(tx, source)
  await updateSourceRow(tx, source.id, { crawlStatus: 'pending', crawlError: null })
}

/** Queues the indexing that was waiting or running when the server was deleted. */
export async function resumeIngest(tx: Db, source: Source & { crawlStatus: string }): Promise<void> {
  if (source.crawlStatus !== 'pending' && source.crawlStatus !== 'crawling') return
  await enqueueFirst(tx, source)
}
