import { traceOf } from '#lib/trace.ts'
import { foldSettledCalls, pruneCalls, rollUpDays } from '#analytics/settle-calls.ts'
import type { Builds } from '#builder/open-builds.ts'
import { crawlLimitsOf } from '#auth/plans.ts'
import { livingAt } from '#auth/sessions.ts'
import { openSiteAccess } from '#auth/site-access.ts'
import { fullAddress, readSourceCredential } from '#auth/vault.ts'
import { failSource, isOfSource } from '#indexing/fail-source.ts'
import type { IngestDeps } from '#indexing/ingest.ts'
import { createOpenCrawls } from '#indexing/open-crawls.ts'
import { type PeriodicTask, startPeriodicTasks } from '#jobs/periodic-tasks.ts'
import { sealAddresses, sealWebhooks } from '#jobs/seal-addresses.ts'
import { purge } from '#jobs/purge.ts'
import { queueRebuilds, refreshDue } from '#jobs/enqueue-ingest.ts'
import { type Worker, startWorker } from '#jobs/worker.ts'
import { CLIENT_KEPT_MS } from '#mcp/dispatch/known-clients.ts'
import { tryQuestions } from '#mcp/hosted/try-questions.ts'
import { TEXT_FORMAT } from '#readers/text-hash.ts'
import { SEGMENT_FORMAT } from '#search/segment/layout.ts'
import { createReaders } from '#sources/readers.ts'
import { deleteExpiredTokens, deleteEndedEmbedSessions } from '#store/accounts/developers.ts'
import { deleteExpiredAnswers } from '#store/accounts/accounts.ts'
import { deleteOldAuditEntries } from '#store/accounts/audit.ts'
import { deleteOldApprovals, openApprovals } from '#store/accounts/approvals.ts'
import { healTokens } from '#store/accounts/heal-tokens.ts'
import { CODE_MS } from '#oauth/authorize.ts'
import { ACCESS_MS, REFRESH_MS } from '#oauth/exchange.ts'
import { deleteExpiredInvitations } from '#store/accounts/people.ts'
import { deleteExpiredRateLimits } from '#store/accounts/rate-limits.ts'
import { deleteOldAnonymousCalls } from '#store/accounts/usage.ts'
import { deleteExpiredGrants } from '#store/accounts/grants.ts'
import { deleteEndedSessions } from '#store/accounts/keys.ts'
import type { Db, Store } from '#store/db.ts'
import { isOfStorage } from '#store/engine/outages.ts'
import { deleteUnusedObjects, sweepObjects } from '#store/engine/blobs/delete-objects.ts'
import { healClock } from '#store/jobs/queue.ts'
import { sweepTexts } from '#store/pages/pack-texts.ts'
import { deleteOldHostShares } from '#store/pages/host-shares.ts'
import { listReadUrls } from '#store/pages/pages.ts'
import { deleteUnfinished, readUploadOf } from '#store/sources/uploads.ts'
import { hostName, mayCarryToken } from '#upstream/code-host.ts'
import { deleteOldNotices, deleteOldSecrets } from '#store/webhooks/webhooks.ts'
import { healDeliveries, pruneDeliveries } from '#store/webhooks/deliveries.ts'
import { VERSION } from '#version.ts'
import type { IdleMemory } from '#workers/idle-memory.ts'
import { finishJob } from '#webhooks/announce.ts'
import type { Base } from './base.ts'
import type { CodeHosts, Network, Reading } from './compose-network.ts'
import type { ToolCalls } from './compose-mcp.ts'
import type { Models } from './compose-models.ts'

type Parts = {
  network: Network
  toolCalls: Pick<ToolCalls, 'tools'>
  reading: Reading
  models: Models
  codeHosts: CodeHosts
  builds: Builds
  startDeliveries: () => void
  idle: IdleMemory
}

const TOKEN_LIFETIMES = { code: CODE_MS, access: ACCESS_MS, refresh: REFRESH_MS }

const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** OAuth clients that registered themselves and were not used since. */
const CLIENTS_KEPT_MS = 90 * DAY_MS
/** The log of deliveries: age, and entries per webhook. */
const DELIVERIES_KEPT_MS = 30 * 24 * HOUR_MS
const DELIVERIES_KEPT = 200
/** Longer than the longest period, a month. */
const NOTICES_KEPT_MS = 62 * 24 * HOUR_MS
/** Builds of tools that a stopped node has left. Somebody may be waiting for one. */
const RESUME_MS = 15_000
/** Concurrent indexing jobs. More would only compete for the processor. */
const JOBS_AT_ONCE = 4
/** Maximum of these per account. One slot always stays free for other accounts. */
const JOBS_PER_ACCOUNT = 3

export type Background = ReturnType<typeof composeBackground>

/** Jobs and periodic tasks of a worker node. */
export function composeBackground(base: Base, parts: Parts) {
  const { store, log, traces, stack, onError } = base
  const trace = traceOf(traces)
  let worker: Worker | null = null
  return {
    /** Wakes the worker of this node, if it has started. */
    wake: (how?: Parameters<Worker['wake']>[0]) => worker?.wake(how),
    start(): Worker {
      const deps = ingestDeps(base, parts)
      worker = startWorker({
        store,
        concurrency: JOBS_AT_ONCE,
        perAccount: JOBS_PER_ACCOUNT,
        handlers: {
          async ingest(payload, lease) {
            const { ingest } = await import('#indexing/ingest.ts')
            return trace('crawl', () => ingest(deps, payload, lease))
          },
          purge: (payload) => purge(store, payload),
        },
        async finish(job, outcome) {
          await finishJob(store, job, outcome)
          parts.idle.touch()
        },
        onClaimError: onError,
        async onFailure(job, error, attemptsLeft) {
          const facts = { job: job.id, kind: job.kind, attemptsLeft }
          // A stack would look like a bug.
          if (isOfSource(error)) log.info({ ...facts, reason: error.message }, 'a source could not be read')
          else log.warn({ err: error, ...facts }, 'a job failed')
          if (job.kind === 'ingest' && (attemptsLeft <= 0 || isOfStorage(error))) await failSource(store, job, error)
        },
      })
      parts.startDeliveries()
      stack.use(startPeriodicTasks(periodicTasksOf(base, worker, parts.builds), { clock: store.clock, onError }))
      return worker
    },
  }
}

function ingestDeps(
  base: Base,
  { network, reading, models, codeHosts, toolCalls }: Omit<Parts, 'builds' | 'startDeliveries' | 'idle'>,
): IngestDeps {
  const { config, store, vault, onError } = base
  const { detect, ...readers } = reading
  return {
    ...readers,
    trace: traceOf(base.traces),
    store,
    net: network.crawlNet,
    pacer: network.pacer,
    embedder: models.embedders?.indexing ?? null,
    detect,
    addressOf: (source) => fullAddress(vault, source),
    accessOf: (source) => openSiteAccess({ store, vault }, source),
    openCrawls: createOpenCrawls(),
    limitsOf: (source) => crawlLimitsOf(store, source),
    async tryQuestions(sourceId, signal) {
      try {
        return await tryQuestions({ store, tools: toolCalls.tools }, sourceId, signal)
      } catch (error) {
        signal.throwIfAborted()
        // Suggestions are worth less than the index.
        onError(error)
        return null
      }
    },
    readers: createReaders({
      githubApiUrl: config.githubApiUrl,
      version: VERSION,
      tokenFor: async ({ id, url }, host) =>
        mayCarryToken(new URL(url)) ? codeHosts.linkedTokens.tokenOfSource(id, hostName(host)) : null,
      credentialFor: (sourceId) => readSourceCredential({ store, vault }, sourceId),
      uploads: { find: (of) => readUploadOf(store, of), listUrls: (sourceId) => listReadUrls(store.read, sourceId) },
    }),
  }
}

function periodicTasksOf({ config, store, vault }: Base, worker: Worker, builds: Builds): PeriodicTask[] {
  const refresh = async (now: number) =>
    (await refreshDue(store, { now, textFormat: TEXT_FORMAT })) > 0 && worker.wake()
  const sealFor = (table: 'sources' | 'webhookAddresses') => (tx: Db, address: string, id: string) =>
    vault.seal(tx, address, { table, id })
  const sealAll = async () => {
    if (!(await vault.isAvailable(store.read))) return
    await sealWebhooks({ store, seal: sealFor('webhookAddresses') })
    if (await sealAddresses({ store, seal: sealFor('sources') })) worker.wake({ taken: true })
  }
  const rebuild = async () => (await queueRebuilds(store, SEGMENT_FORMAT)) > 0 && worker.wake()
  return [
    // At start for segments of the previous version. Later for nodes that still run it, and for restored servers.
    { everyMs: HOUR_MS, run: rebuild, atStart: true },
    { everyMs: HOUR_MS, run: sealAll, atStart: true },
    { everyMs: MINUTE_MS, run: (now) => healClock(store.write, now), atStart: true },
    { everyMs: MINUTE_MS, run: (now) => healDeliveries(store.write, now), atStart: true },
    { everyMs: HOUR_MS, run: (now) => healTokens(store.write, now, TOKEN_LIFETIMES), atStart: true },
    { everyMs: MINUTE_MS, run: () => deleteUnusedObjects(store), atStart: true },
    { everyMs: 6 * HOUR_MS, run: () => sweepObjects(store, Date.now() - DAY_MS) },
    { everyMs: 6 * HOUR_MS, run: () => sweepTexts(store) },
    { everyMs: RESUME_MS, run: () => builds.resume(), atStart: true },
    { everyMs: HOUR_MS, run: (now) => deleteOldAuditEntries(store.write, now - config.auditDays * DAY_MS) },
    { everyMs: MINUTE_MS, run: refresh },
    { everyMs: MINUTE_MS, run: (now) => foldSettledCalls(store, now), atStart: true },
    ...HOURLY.map((task) => ({ everyMs: HOUR_MS, run: async (now: number) => task(store, now) })),
  ]
}

const HOURLY: readonly ((store: Store, now: number) => Promise<unknown> | undefined)[] = [
  ({ write }, now) => deleteExpiredRateLimits(write, now),
  ({ write }, now) => deleteOldAnonymousCalls(write, now),
  ({ write }, now) => deleteExpiredAnswers(write, now),
  ({ write }, now) => deleteExpiredInvitations(write, now),
  ({ write }, now) => deleteOldApprovals(write, openApprovals(now)),
  ({ write }, now) => deleteEndedSessions(write, livingAt(now)),
  ({ write }, now) => deleteExpiredGrants(write, now, { never: now - DAY_MS, since: now - CLIENTS_KEPT_MS }),
  ({ write }, now) => deleteExpiredTokens(write, now),
  ({ write }, now) => deleteEndedEmbedSessions(write, now),
  pruneCalls,
  (store) => store.releaseSpace(),
  rollUpDays,
  ({ write }, now) => deleteOldHostShares(write, now - HOUR_MS),
  ({ sharedClients }, now) => sharedClients?.deleteUnused(now - CLIENT_KEPT_MS),
  ({ write }, now) => deleteUnfinished(write, now - HOUR_MS),
  ({ write }, now) => pruneDeliveries(write, { time: now - DELIVERIES_KEPT_MS, keep: DELIVERIES_KEPT }),
  ({ write }, now) => deleteOldSecrets(write, now),
  ({ write }, now) => deleteOldNotices(write, now - NOTICES_KEPT_MS),
]
