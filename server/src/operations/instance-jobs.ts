import { INSTANCE_PAGE_SIZE } from '@docent/contract/operations/instance'
import { countReportedJobs, listReportedJobs, failedJobIds, takeFailedJob } from '#store/jobs/job-report.ts'
import { isoTime } from '#lib/clock.ts'
import { DocentError } from '#errors.ts'
import { enqueueIngest } from '#jobs/enqueue-ingest.ts'
import { enqueue } from '#store/jobs/queue.ts'
import type { Payload } from '#store/jobs/job.ts'
import { findAnyServer } from '#store/servers/servers.ts'
import { findSourceById } from '#store/sources/sources.ts'
import type { Handler, OperationDeps } from './operation.ts'
import { pagingOf, partOf } from './paging.ts'

export const listJobs: Handler<'instance.jobs'> = async ({ deps }, { state, page }) => {
  const { read } = deps.store
  const total = await countReportedJobs(read, state)
  const rows = await listReportedJobs(read, state, partOf(page, INSTANCE_PAGE_SIZE))
  const jobs = rows.map(({ id, serverId, serverName, runAt, createdAt, updatedAt, ...job }) => ({
    ...job,
    id: String(id),
    server: serverId === null ? null : { serverId, name: serverName ?? '' },
    runAt: isoTime(runAt),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  }))
  return { jobs, ...pagingOf(page, INSTANCE_PAGE_SIZE, total) }
}

export const retryJob: Handler<'instance.retryJob'> = async ({ deps, jobId }) => {
  // Another operator may have retried it first.
  if ((await requeueJob(deps, jobId)) === null) throw new DocentError('job_not_found')
  deps.wakeWorker()
  return { ok: true }
}

/** Ids per query. Each job has a separate transaction. */
const AT_ONCE = 100

export const retryAllJobs: Handler<'instance.retryJobs'> = async ({ deps, signal }) => {
  let retried = 0
  for (let ids = await failedJobIds(deps.store.read, 0, AT_ONCE); ids.length > 0;) {
    for (const id of ids) {
      signal.throwIfAborted()
      if (await requeueJob(deps, id)) retried++
    }
    ids = await failedJobIds(deps.store.read, ids.at(-1) ?? 0, AT_ONCE)
  }
  deps.wakeWorker()
  return { ok: true, retried }
}

export const dismissJob: Handler<'instance.dismissJob'> = async ({ deps, jobId }) => {
  const job = await deps.store.transaction((tx) => takeFailedJob(tx, jobId))
  // Another operator may have dismissed or retried it first.
  if (!job) throw new DocentError('job_not_found')
  return { ok: true }
}

/**
 * Queues the work of a failed job again, with all attempts. Work of a deleted server is dropped. Null if there is no
 * such job; otherwise whether it was queued.
 */
async function requeueJob({ store }: OperationDeps, id: number): Promise<boolean | null> {
  return store.transaction(async (tx) => {
    const job = await takeFailedJob(tx, id)
    if (!job) return null
    const { kind, payload, serverId, sourceId, dedupeKey } = job
    if (kind === 'ingest') {
      const source = sourceId === null ? undefined : await findSourceById(tx, sourceId)
      const isLive = source && (await findAnyServer(tx, source.serverId)) !== undefined
      if (isLive) await enqueueIngest(tx, source)
      return isLive ?? false
    }
    const about = { ...(serverId === null ? {} : { serverId }), ...(dedupeKey === null ? {} : { dedupeKey }) }
    return enqueue(tx, kind, JSON.parse(payload) as Payload<typeof kind>, about)
  })
}
