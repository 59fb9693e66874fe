import { INSTANCE_PAGE_SIZE } from '@docent/contract/operations/instance'
import { found } from '#errors.ts'
import { enqueueIngest } from '#jobs/enqueue-ingest.ts'
import { isoTime, isoTimeOrNull, isoTimes } from '#lib/clock.ts'
import type { Db } from '#store/db.ts'
import { type Node, listNodes } from '#store/engine/processes.ts'
import { readDatabaseFacts, readStorage } from '#store/instance/instance-report.ts'
import {
  countReportedJobs,
  failedJobIds,
  listReportedJobs,
  oldestDueAt as readOldestDue,
  takeFailedJob,
} from '#store/jobs/job-report.ts'
import type { Payload } from '#store/jobs/job.ts'
import { enqueue } from '#store/jobs/queue.ts'
import { findAnyServer } from '#store/servers/servers.ts'
import { findSourceById } from '#store/sources/sources.ts'
import { instanceAccountHandlers } from './instance-accounts.ts'
import type { HandlersOf, InstanceFacts, OperationDeps } from './operation.ts'
import { pagingOf, partOf } from './paging.ts'

/** Failed jobs per query. Each has a separate transaction. */
const AT_ONCE = 100

export const instanceHandlers: HandlersOf<'instance'> = {
  'instance.get': async ({ deps }) => {
    const { store, config, baseUrl, instance, features } = deps
    const [database, storage, queue, nodes] = await Promise.all([
      readDatabaseFacts(store),
      readStorage(store.read),
      readQueue(store.read),
      listNodes(store),
    ])
    const { machine, models, ...own } = instance
    const { signUps, passwordSignIn: passwords, defaultPlan, rateLimits } = config
    return {
      ...isoTimes(own),
      url: baseUrl(),
      database: { engine: store.engine, ...database },
      ...(await machine()),
      nodes: withThis(nodes, own).map((node) => ({ ...node, since: isoTime(node.since), isThis: node.id === own.id })),
      queue: { ...queue, oldestDueAt: isoTimeOrNull(queue.oldestDueAt) },
      storage,
      models: { ...models, browser: features.javascriptRendering },
      settings: { signUps, passwords, defaultPlan, rateLimits },
    }
  },

  'instance.jobs': async ({ deps }, { state, page }) => {
    const { read } = deps.store
    const total = await countReportedJobs(read, state)
    const rows = await listReportedJobs(read, state, partOf(page, INSTANCE_PAGE_SIZE))
    const jobs = rows.map(({ serverId, serverName, ...job }) => ({
      ...isoTimes(job),
      id: String(job.id),
      server: serverId === null ? null : { serverId, name: serverName ?? '' },
    }))
    return { jobs, ...pagingOf(page, INSTANCE_PAGE_SIZE, total) }
  },

  'instance.retryJob': async ({ deps, jobId }) => {
    // Another operator may have retried it first.
    found(await requeueJob(deps, jobId), 'job_not_found')
    deps.wakeWorker()
    return { ok: true }
  },

  'instance.retryJobs': async ({ deps, signal }) => {
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
  },

  'instance.dismissJob': async ({ deps, jobId }) => {
    // Another operator may have dismissed or retried it first.
    found(await deps.store.transaction((tx) => takeFailedJob(tx, jobId)), 'job_not_found')
    return { ok: true }
  },

  ...instanceAccountHandlers,

  'instance.backups': ({ deps }) => deps.backups.list(),
  'instance.createBackup': async ({ deps }) => found(await deps.backups.begin(), 'backup_running'),
}

type OwnNode = Pick<InstanceFacts, 'id' | 'role' | 'version' | 'host' | 'startedAt'>

/** Adds this node if the database lists none of its connections, as on SQLite. */
function withThis(nodes: Node[], { id, role, version, host, startedAt }: OwnNode): Node[] {
  if (nodes.some((node) => node.id === id)) return nodes
  return [...nodes, { id, role, version, host, since: startedAt }]
}

/** Numbers of jobs, and the time from which the oldest one that waits was due, or null. */
export async function readQueue(read: Db) {
  const [queued, running, failed, oldestDueAt] = await Promise.all([
    countReportedJobs(read, 'queued'),
    countReportedJobs(read, 'running'),
    countReportedJobs(read, 'failed'),
    readOldestDue(read),
  ])
  return { queued, running, failed, oldestDueAt }
}

/** Queues a failed job again, unless its server was deleted. Returns if it was queued; null without such a job. */
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
