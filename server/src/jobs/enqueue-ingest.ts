import type { Db, Store } from '#store/db.ts'
import { requeuePage } from '#store/pages/pages.ts'
import { findLiveSource, updateSourceRow } from '#store/sources/sources.ts'
import { hasUnreadPush } from '#store/sources/pushes.ts'
import { type Job, jobKinds } from '#store/jobs/job.ts'
import { type JobOutcome, beginAnew, changePayload, enqueue, finish } from '#store/jobs/queue.ts'
import {
  dueForRefresh,
  isDueForRefresh,
  hasStaleSegments,
  sourcesWithStaleSegments,
} from '#store/sources/due-sources.ts'

type Source = { id: string; serverId: string }

/**
 * Queues the indexing of a source, once. A running job continues, since it will include what it finds. Returns false if
 * it is queued or running. `isScheduled`: nobody asked for it.
 */
export async function enqueueIngest(tx: Db, source: Source, isScheduled = false): Promise<boolean> {
  const added = await enqueueFirst(tx, source, isScheduled)
  if (added) await updateSourceRow(tx, source.id, { crawlStatus: 'pending', crawlError: null })
  return added
}

/** Ends a job. If there was a push since its reading began, the source is read again. */
export async function finishReading(tx: Db, job: Job, outcome: JobOutcome): Promise<boolean> {
  const isEnded = await finish(tx, job, outcome)
  if (!isEnded || job.kind !== 'ingest') return isEnded
  const { sourceId } = jobKinds.ingest.parse(JSON.parse(job.payload))
  // A push that is counted later waits for the end of this job to queue another.
  const source = (await hasUnreadPush(tx, sourceId)) ? await findLiveSource(tx, sourceId) : undefined
  if (source) await enqueueIngest(tx, source)
  return isEnded
}

/** Queues the indexing of pages that were imported. */
export const enqueueStored = (tx: Db, { id, serverId }: Source): Promise<boolean> =>
  enqueue(tx, 'ingest', { sourceId: id, isStored: true }, { serverId, sourceId: id, dedupeKey: `ingest:${id}` })

/**
 * Queues the indexing of a source that is already marked as waiting. Returns false if it is queued or running. One that
 * is scheduled counts as asked for then: from its next time slice, it fetches fresh pages too.
 */
export async function enqueueFirst(tx: Db, { id, serverId }: Source, isScheduled = false): Promise<boolean> {
  const about = { serverId, sourceId: id, dedupeKey: `ingest:${id}` }
  const scheduled = { sourceId: id, isScheduled: true }
  const added = await enqueue(tx, 'ingest', isScheduled ? scheduled : { sourceId: id }, about)
  if (!added && !isScheduled) await changePayload(tx, about.dedupeKey, scheduled, { sourceId: id })
  return added
}

/** `refreshState` of a site that is read whole: links of unchanged pages can lead to pages that were out of reach. */
const READ_ALL = JSON.stringify({ trusted: null, unchanged: 0, notFetched: 0, isAnew: true })

/** Indexes a source anew after a change of content, scope or credential. A running crawl loses its lease at once. */
export async function enqueueAnew(tx: Db, source: Source): Promise<void> {
  await beginAnew(tx, `ingest:${source.id}`)
  await enqueueIngest(tx, source)
  await updateSourceRow(tx, source.id, { crawlStatus: 'pending', crawlError: null, refreshState: READ_ALL })
}

/** Lets the last crawl of a source go on with one of its pages. Returns false if the source is queued or running. */
export async function enqueuePage(
  tx: Db,
  source: Source & { run: number },
  { id, now }: { id: number; now: number },
): Promise<boolean> {
  if (!(await enqueueFirst(tx, source))) return false
  await requeuePage(tx, id, source.run)
  const open = { crawlStatus: 'crawling', crawlError: null, crawlStartedAt: now, crawlUsage: null } as const
  await updateSourceRow(tx, source.id, open)
  return true
}

/** Queues the indexing that was waiting or running when the server was deleted. */
export async function resumeIngest(tx: Db, source: Source & { crawlStatus: string }): Promise<void> {
  if (source.crawlStatus !== 'pending' && source.crawlStatus !== 'crawling') return
  await enqueueFirst(tx, source)
}

/** Sources queued per run. The next run takes the rest. */
const AT_ONCE = 200

/** Queues sources that are due by schedule, and uploads of an earlier text format, each once. Returns their number. */
export async function refreshDue(store: Store, when: { now: number; textFormat: string }): Promise<number> {
  const due = await dueForRefresh(store.read, when, AT_ONCE)
  return queueEach(store, due, (tx, id) => isDueForRefresh(tx, when, id), true)
}

/** Queues each source that still needs it. Returns their number. */
async function queueEach(
  store: Store,
  sources: readonly Source[],
  isNeeded: (tx: Db, id: string) => Promise<boolean>,
  isScheduled = false,
) {
  let queued = 0
  for (const source of sources) {
    await store.transaction(async (tx) => {
      if (!(await isNeeded(tx, source.id))) return
      await enqueueIngest(tx, source, isScheduled)
      queued++
    })
  }
  return queued
}

/** Queues sources whose index has another format: they cannot be searched. Returns their number on this node. */
export async function queueRebuilds(store: Store, format: number): Promise<number> {
  let queued = 0
  for (let afterId = ''; ;) {
    const sources = await sourcesWithStaleSegments(store.read, { format, afterId, limit: AT_ONCE })
    queued += await queueEach(store, sources, (tx, id) => hasStaleSegments(tx, format, id))
    const last = sources[AT_ONCE - 1]
    if (!last) return queued
    afterId = last.id
  }
}
