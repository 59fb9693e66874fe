import { enqueueIngest } from '#jobs/enqueue-ingest.ts'
import { takeFailedJob } from '#store/jobs/job-report.ts'
import { enqueue } from '#store/jobs/queue.ts'
import type { Payload } from '#store/jobs/job.ts'
import { findAnyServer } from '#store/servers/servers.ts'
import { findSourceById } from '#store/sources/sources.ts'
import type { OperationDeps } from '../operation.ts'

/**
 * Queues the work of a failed job again, with all attempts. Work of a deleted server is dropped. Null if there is no
 * such job; otherwise whether it was queued.
 */
export async function requeueJob({ store }: OperationDeps, id: number): Promise<boolean | null> {
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
