import { setTimeout as sleep } from 'node:timers/promises'
import { CallRecorder } from '#analytics/record-calls.ts'
import { createCredentialUses } from '#auth/authenticate.ts'
import { createAccountEndpoint } from '#http/account/account-endpoint.ts'
import { createBodyBudget } from '#http/body-budget.ts'
import { createBodyClock } from '#http/incoming-body.ts'
import type { Figures } from '#analytics/metrics.ts'
import { readQueue } from '#operations/instance.ts'
import { ROOT } from '#lib/place.ts'
import { announceQuestions } from '#webhooks/announce-questions.ts'
import type { LoggedRow } from '#store/calls/write-calls.ts'
import type { Db, Store } from '#store/db.ts'
import { readAnything } from '#store/instance/instance-report.ts'
import type { Base, Given } from './base.ts'
import { composeBackground } from './compose-background.ts'
import { composeBuilds } from './compose-builds.ts'
import { composeMcp, composeToolCalls } from './compose-mcp.ts'
import { composeModels } from './compose-models.ts'
import { composeCodeHosts, composeNetwork, composeReading } from './compose-network.ts'
import { composeOperations, composeWebhooks } from './compose-operations.ts'
import { createIdleMemory } from '#workers/idle-memory.ts'
import { type Dashboard, readDashboard } from '#http/browser-files.ts'

/** Composes the whole service from its parts. Each part opens what it owns on the stack, after what it uses. */
export function composeService(given: Given) {
  const { store, log, metrics, secrets } = given
  const stack = new AsyncDisposableStack()
  const onError = (error: unknown) => log.error({ err: error }, 'background work failed')
  const base: Base = { ...given, stack, onError }
  const network = composeNetwork(base)
  const reading = composeReading(base, network.crawlNet)
  const uses = stack.use(createCredentialUses({ store, clock: store.clock, onError }))
  const onWrite = (tx: Db, rows: readonly LoggedRow[]) => announceQuestions(tx, rows, store.clock())
  const calls = stack.use(new CallRecorder({ store, onError, onWrite }))
  const models = composeModels(base)
  const codeHosts = composeCodeHosts(base, network.crawlNet)
  const toolCalls = composeToolCalls(base, network.crawlNet, models)
  const idle = stack.use(createIdleMemory(() => toolCalls.tools.releaseMemory()))
  const builds = composeBuilds(base, { models, toolCalls, network, reading })
  const { webhooks, startDeliveries } = composeWebhooks(base, network)
  const background = composeBackground(base, {
    network,
    toolCalls,
    reading,
    models,
    codeHosts,
    builds,
    startDeliveries,
    idle,
  })
  const mcp = composeMcp(base, { uses, calls, tools: toolCalls.tools, webhooks })
  const parts = { network, reading, models, codeHosts, toolCalls, uses, calls, mcp, background, builds, webhooks }
  const operations = composeOperations(base, parts)
  const stopping = new AbortController()
  const figures = async (): Promise<Figures> => {
    const queue = readQueue(store.read).catch((error: unknown) => (onError(error), null))
    const read = await Promise.race([queue, sleep(PATIENCE_MS, null, { ref: false })])
    const children = { read: reading.pages.size, build: reading.builder.size }
    return {
      jobs: read && jobsOf(read, store.clock()),
      connections: store.connections(),
      ...toolCalls.tools.size,
      children,
    }
  }
  return {
    app: {
      operations,
      mcp: mcp.endpoints,
      oauth: given.config.oauth,
      accountMcp: createAccountEndpoint({ operations, origins: () => mcp.endpoints.origins, log }),
      dashboard: composeDashboard(base),
      bodies: { budget: createBodyBudget(), clock: createBodyClock() },
      sdkUrl: given.config.sdkPublicUrl,
      documentsWidget: given.config.documentsWidget,
      metrics: metrics && {
        answered: metrics.answered,
        scrape: async () => metrics.scrape(await figures()),
        token: secrets.metricsToken,
      },
      traces: given.traces,
      stopping: stopping.signal,
      log,
      readiness: () => readinessOf(store, onError),
    },
    /** Ends event streams that would never end by themselves. */
    endStreams: async () => {
      stopping.abort()
      await operations.progressFeed[Symbol.asyncDispose]()
    },
    startWorker: background.start,
    idle,
    [Symbol.asyncDispose]: async () => stack.disposeAsync(),
  }
}

type Readiness = 'ok' | 'read-only' | 'no database'

function readinessOf({ read, isReadOnly }: Store, onError: (error: unknown) => void): Promise<Readiness> {
  const answered = readAnything(read).then<Readiness, Readiness>(
    () => (isReadOnly ? 'read-only' : 'ok'),
    (error: unknown) => {
      onError(error)
      return 'no database'
    },
  )
  return Promise.race([answered, sleep<Readiness>(PATIENCE_MS, 'no database', { ref: false })])
}

/** Scrapes and probes do not wait longer for the database. Prometheus waits 10 s, and load balancers a few. */
const PATIENCE_MS = 2_000

function jobsOf({ oldestDueAt, ...jobs }: Awaited<ReturnType<typeof readQueue>>, now: number): Figures['jobs'] {
  return { ...jobs, oldestSeconds: oldestDueAt === null ? 0 : Math.max(0, now - oldestDueAt) / 1000 }
}

/** The dashboard, from the folder that its build writes. */
function composeDashboard({ config, log }: Base): Dashboard | null {
  if (!config.dashboard || config.role === 'worker') return null
  const dashboard = readDashboard(new URL('dist/dashboard/', ROOT))
  if (!dashboard) log.warn('there is no dashboard, because it was not built: node scripts/build.mjs')
  return dashboard
}
