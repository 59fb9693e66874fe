import type { Store } from '#store/db.ts'
import type { Job } from '#store/jobs/job.ts'
import { type JobOutcome, finish, hasOpenIngests } from '#store/jobs/queue.ts'
import { lockServer } from '#store/servers/servers.ts'
import { listSources } from '#store/sources/sources.ts'
import { queueEvent } from '#store/webhooks/deliveries.ts'
import { findSubscribedServer } from '#store/webhooks/webhooks.ts'

/** Sources in an event: a bound for its size. */
const MAX_SOURCES = 50

/**
 * Ends a job. With the last indexing job of a server, the same transaction queues `server.indexed` or `server.failed`.
 * The lock on the server makes exactly one of several concurrent jobs the last one.
 */
export async function finishJob(store: Store, job: Job, outcome: JobOutcome): Promise<void> {
  const serverId = job.kind === 'ingest' ? await findSubscribedServer(store.read, job) : null
  if (serverId === null) return void (await finish(store.write, job, outcome))
  await store.transaction(async (tx) => {
    const server = await lockServer(tx, serverId)
    const isEnded = await finish(tx, job, outcome)
    if (!server || !isEnded || (await hasOpenIngests(tx, serverId))) return
    const sources = await listSources(tx, serverId)
    const isActive = sources.length === 0 || sources.some(({ crawlStatus }) => crawlStatus === 'complete')
    const { id, slug, name, accountId } = server
    const data = {
      serverId: id,
      slug,
      name,
      status: isActive ? 'active' : 'error',
      sourceCount: sources.length,
      sources: sources.slice(0, MAX_SOURCES).map((source) => ({
        id: source.id,
        url: source.url,
        label: source.label,
        crawlStatus: source.crawlStatus,
        crawlError: source.crawlError,
        pagesIndexed: source.pagesIndexed,
        pagesFailed: source.pagesFailed,
      })),
    }
    const type = isActive ? 'server.indexed' : 'server.failed'
    await queueEvent(tx, { type, to: { accountId }, serverId: id, data }, store.clock())
  })
}
