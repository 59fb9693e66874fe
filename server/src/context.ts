import type { SourceType } from '@docent/contract/sources'
import { MAX_EVENT_STREAMS } from '@docent/contract/events'
import { createCallRecorder } from '#analytics/record-calls.ts'
import { createCallAllowance, isUnlimited } from '#auth/allowance.ts'
import { createCredentialUses } from '#auth/credential-uses.ts'
import { crawlLimitsOf } from '#auth/crawl-limits.ts'
import { createPasswordChecks } from '#auth/password-checks.ts'
import { planUrl } from '#auth/plans.ts'
import { takeFromWindow } from '#auth/rate-limit.ts'
import { hashSecret } from '#auth/secret.ts'
import { createLinkedTokens } from '#auth/linked-tokens.ts'
import { livingAt } from '#auth/sessions.ts'
import { readSourceCredential } from '#auth/source-credential.ts'
import { tokenLookup, verifyAccessToken } from '#auth/access-token.ts'
import type { Vault } from '#auth/vault.ts'
import { pruneCalls } from '#analytics/prune-calls.ts'
import type { AppDeps } from '#http/app-deps.ts'
import { createBodyBudget } from '#http/body-budget.ts'
import { createBodyClock } from '#http/body-clock.ts'
import type { McpDoor } from '#http/mcp-door.ts'
import { createReaderMemory } from '#processes/reader-memory.ts'
import { PagePool } from '#processes/page-pool.ts'
import { parseRobotsApart } from '#processes/parse-robots-apart.ts'
import { failSource } from '#indexing/fail-source.ts'
import { sharePace } from '#crawl/share-pace.ts'
import { createReaders } from '#sources/readers.ts'
import { type Chore, startChores } from '#jobs/chores.ts'
import { purge } from '#jobs/purge.ts'
import { queueRebuilds } from '#jobs/queue-rebuilds.ts'
import { LEASE_MS } from '#store/jobs/queue.ts'
import { refreshDue } from '#jobs/refresh-due.ts'
import { type Worker, startWorker } from '#jobs/worker.ts'
import { createMcpHandler, type McpDeps } from '#mcp/handle-mcp.ts'
import { CLIENT_KEPT_MS, createKnownClients } from '#mcp/known-clients.ts'
import { openToolPool } from '#mcp/tool-pool.ts'
import { toolFor } from '#mcp/tools.ts'
import type { ChatModel } from '#models/chat-model.ts'
import { createChatModel } from '#models/create-chat-model.ts'
import type { EmbeddingModel } from '#models/embedding-model.ts'
import { createEmbeddingModel } from '#models/open-ai-embeddings.ts'
import { createQueryEmbedder } from '#models/query-embedder.ts'
import { withBudget } from '#models/with-budget.ts'
import { hasSandbox } from '#net/browser/chromium.ts'
import { rememberLast } from '#lib/limits/remember-last.ts'
import { findBrowser } from '#net/browser/find-browser.ts'
import { openRenderer } from '#net/browser/open-renderer.ts'
import { type NetClient, createNetClient } from '#net/client.ts'
import { type Guard, refusalOf, refuseHost } from '#net/guard.ts'
import { type OwnEndpoint, namesOwnListener } from '#net/own-endpoints.ts'
import { readAddress } from '#net/parse-address.ts'
import { EVERYWHERE, parseNetworks } from '#net/networks.ts'
import { createOpenCrawls } from '#indexing/open-crawls.ts'
import { createPacer } from '#net/pacing.ts'
import { createResolver } from '#net/resolver.ts'
import { createRobotsCache } from '#net/robots.ts'
import { createProgressFeed } from '#operations/events/progress-feed.ts'
import type { OperationDeps } from '#operations/operation.ts'
import { BuildPool } from '#search/build-pool.ts'
import { SEGMENT_FORMAT } from '#search/segment/layout.ts'
import { databaseEndpoint } from '#store/engine/database-endpoint.ts'
import type { Store } from '#store/db.ts'
import { deleteExpiredAnswers } from '#store/accounts/idempotent-answers.ts'
import { healClock } from '#store/engine/heal-clock.ts'
import { readAnything } from '#store/engine/read-anything.ts'
import { deleteOldHostShares } from '#store/pages/host-shares.ts'
import { deleteExpiredRateLimits } from '#store/accounts/rate-limits.ts'
import { accountOfSource, addModelUsage, tokensOfDay } from '#store/calls/model-usage.ts'
import { deleteEndedSessions } from '#store/accounts/sessions.ts'
import { readSegment, readTexts, servedSegments } from '#store/pages/segments.ts'
import { createServedServers } from '#store/servers/served.ts'
import { deleteUnfinished, readUploadOf } from '#store/sources/uploads.ts'
import { hostName, mayCarryToken } from '#upstream/code-host-kind.ts'
import { type HostApp, createGithubApp } from '#upstream/host-app.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import { createLiveSessions } from '#upstream/live-sessions.ts'
import type { Config, Secrets } from './config.ts'
import type { Log } from './log.ts'
import { VERSION, userAgent } from './version.ts'

/** The contract's limit for `POST /api/mcp/{id}`, per server and caller. */
const MCP_RATE = { limit: 200, windowMs: 60_000 }
/** Memory for open segments and their data in threads. A thousand pages take about 5 MB. */
export const SEGMENT_CACHE_BYTES = 256_000_000
const MINUTE_MS = 60 * 1000
const HOUR_MS = 60 * MINUTE_MS
/** Concurrent indexing jobs. More would only compete for the processor. */
const JOBS_AT_ONCE = 4
/** Maximum of these per account. One slot always stays free for other accounts. */
const JOBS_PER_ACCOUNT = 3

const NO_SANDBOX =
  'Pages are rendered by Chromium without its sandbox, because the service runs as root. Run it as another user.'
const JUST_PRIVATE = 'The server has just become private. Ask again, with an access token.'
const NOT_RENDERED =
  'Pages are not rendered: the service runs as root, and Chromium has no sandbox for root. Run the service as another user, or set DOCENT_BROWSER_WITHOUT_SANDBOX=on.'

/** Features of this version that do not depend on settings. */
const FEATURES = {
  customTools: false,
  retrievalRules: false,
} as const

type Given = {
  config: Config
  secrets: Pick<Secrets, 'llmApiKey' | 'embeddingsApiKey' | 'githubApp'>
  store: Store
  vault: Vault
  log: Log
  /** The local embedding model, or null if the settings name none. */
  localEmbeddings: EmbeddingModel | null
  baseUrl: () => string
  /** The listening port. Null before listening, and for a worker. */
  listensOn: () => number | null
}

export type DocentContext = AsyncDisposable & {
  app: AppDeps
  startWorker: () => Worker
  /** Ends event streams that would never end by themselves. */
  endStreams: () => Promise<void>
}

/** Wires the whole service. Only `main.ts` and the test harness import it. */
export function createContext(given: Given): DocentContext {
  const { config, secrets, store, vault, log, localEmbeddings, baseUrl } = given
  const stack = new AsyncDisposableStack()
  const onError = (error: unknown) => log.error({ err: error }, 'background work failed')
  const allowNetworks = parseNetworks(config.allowNetworks)
  const ownEndpoints = () => ownEndpointsOf(config, given.listensOn())
  const guard: Guard = { networks: allowNetworks, ownEndpoints }
  const net = stack.use(createNetClient({ allowNetworks, ownEndpoints, userAgent: userAgent(config.publicUrl) }))
  const resolve = createResolver()
  // For operations. This client leaves at least one DNS lookup thread to crawls.
  const askingNet = stack.use(
    createNetClient({ allowNetworks, ownEndpoints, userAgent: userAgent(config.publicUrl), lookupsAtOnce: 1 }),
  )
  const pacer = stack.use(createPacer({ shared: sharePace(store), onError }))
  const memory = createReaderMemory(config.readerMemoryMb)
  const onFault = (err: unknown, url: string) => log.error({ err, url }, 'a page could not be read')
  const pages = stack.use(new PagePool({ memory, onFault }))
  const robots = createRobotsCache({ net, userAgent: userAgent(), parse: parseRobotsApart(pages) })
  const browser = chooseBrowser(config, log)
  const renderer = browser === null ? null : stack.use(openRenderer({ program: browser, userAgent: userAgent() }))
  const builder = stack.use(new BuildPool())
  const uses = stack.use(createCredentialUses({ store, clock: store.clock, onError }))
  const calls = stack.use(createCallRecorder({ store, onError }))
  const embedders = createEmbedders({
    config,
    secrets,
    store,
    stack,
    localEmbeddings,
    onError: (err) => log.warn({ err }, 'embeddings'),
  })
  const modelFor = createModels({ config, secrets, store, stack, onError })
  const hostApps = appsOf(net, config.githubApiUrl, secrets.githubApp)
  const linkedTokens = createLinkedTokens({ store, vault, refresh: refreshBy(hostApps) })
  const credentialFor = (sourceId: string) => readSourceCredential({ store, vault }, sourceId)
  // Lazy import, like all indexing code: most starts only answer requests.
  const detect = async (from: NetClient, address: URL, guess: SourceType) => {
    const { detectSource } = await import('#sources/detect-source.ts')
    return detectSource({ net: from, pages: pages.share(), robots, version: VERSION }, address, guess)
  }
  const openLiveSession = createLiveSessions({ net, version: VERSION })
  const tools = stack.use(
    openToolPool({
      threads: config.threads,
      segmentBytes: SEGMENT_CACHE_BYTES,
      embeddingModel: embedders?.indexing.model.name ?? null,
      loadSegment: (id) => readSegment(store.read, id),
      findServed: (ids) => servedSegments(store.read, ids),
      loadTexts: (sourceId, hashes) => readTexts(store.read, sourceId, hashes),
      embed: async (query, accountId) => embedders?.embedQuestion(query, accountId) ?? null,
      modelFor: ({ accountId }) => modelFor(accountId),
      async connectRemote({ id: serverId, accountId, visibility }, { id, url }, signal) {
        const credential = await credentialFor(id)
        // The caller presented no token for a public server.
        if (credential && visibility === 'public') throw new UpstreamError('failed', JUST_PRIVATE)
        return openLiveSession({ serverId, accountId }, { url, credential, signal })
      },
      reportFailure: (error) => log.error({ err: error }, 'a tool did not fail, but had trouble'),
    }),
  )
  const progressFeed = createProgressFeed({ store, clock: store.clock, maxStreams: MAX_EVENT_STREAMS, onError })
  const stopping = new AbortController()
  let worker: Worker | null = null

  const operations: OperationDeps = {
    store,
    clock: store.clock,
    config,
    baseUrl,
    readAddress,
    isOwnAddress: (address) => isOwnAddress(address, { config, listensOn: given.listensOn(), baseUrl: baseUrl() }),
    isPrivateByText: ({ hostname }) => refuseHost(hostname, allowNetworks) !== null,
    async checkAddress(address, by) {
      let isResolved = true
      const look = async (host: string) => {
        const found = await resolve(host, by)
        isResolved = found !== null
        return found ?? []
      }
      const refusal = await refusalOf(address, guard, { resolve: look })
      if (refusal) return 'private'
      return isResolved ? 'fine' : 'unresolved'
    },
    checkPassword: createPasswordChecks(),
    detectSource: (address, guess) => detect(askingNet, address, guess),
    net: askingNet,
    vault,
    linkedTokens,
    hostApps,
    openLiveSession,
    inputSchemaOf: (name, sources) => toolFor(name, sources)?.listed.inputSchema ?? { type: 'object' },
    progressFeed,
    wakeWorker: (how) => worker?.wake(how),
    noteUse: ({ kind, id }) => uses.note(kind, id),
    flushCalls: calls.flush,
    traceCall: (server, call) => tools.trace(server, call),
    features: {
      ...FEATURES,
      llm: config.llm !== null,
      embeddings: embedders !== null,
      javascriptRendering: browser !== null,
    },
  }

  const findToken = tokenLookup(store.read)
  const allowance = stack.use(createCallAllowance(store, onError))
  const originOf = rememberLast((url) => new URL(url).origin)
  const allowedOrigins = config.allowedOrigins.includes('*') ? ('any' as const) : config.allowedOrigins
  const mcpDeps: McpDeps = {
    version: VERSION,
    get origins() {
      return { own: originOf(baseUrl()), allowed: allowedOrigins }
    },
    get docsUrl() {
      return `${baseUrl()}/docs/private-servers`
    },
    verifyAccessToken: (serverId, bearer) =>
      verifyAccessToken({ findToken, noteUse: (id) => uses.note('token', id) }, serverId, bearer),
    async takeRequests(server, { accessToken, address }, count) {
      if (!config.rateLimits) return 'ok'
      // Rejected callers of private servers are limited by address alone, across all servers.
      const isRefused = server.visibility === 'private' && accessToken === null
      const key = isRefused
        ? `mcp refused:${address}`
        : `mcp:${server.id}:${accessToken ? hashSecret(accessToken) : address}`
      const waitMs = await takeFromWindow(store, { key, ...MCP_RATE, now: store.clock(), count })
      return waitMs === 0 ? 'ok' : { retryAfterSeconds: Math.ceil(waitMs / 1000) }
    },
    async takeCall({ accountId, plan }) {
      const reached = await allowance.take({ accountId, plan, now: store.clock() })
      if (!reached) return 'ok'
      const { limit, used, resetsAt } = reached
      const resets = new Date(resetsAt).toISOString()
      return { reason: 'monthly_limit_reached', limit, used, resetsAt: resets, upgradeUrl: planUrl(baseUrl()) }
    },
    tools,
    clients: createKnownClients({ clock: store.clock, shared: store.sharedClients, onError }),
    recordCall: ({ id, accountId, plan, sources }, call) => {
      const segments = sources.flatMap((source) => source.segments)
      calls.record(id, { ...call, segments }, isUnlimited(plan) ? accountId : undefined)
    },
    reportFailure: (error, where) => log.error({ err: error, ...where }, 'a tool failed'),
  }
  const findServer = createServedServers(store)
  const mcp: McpDoor = {
    handle: createMcpHandler(mcpDeps),
    get origins() {
      return mcpDeps.origins
    },
    trustedProxies: config.trustedProxies,
    findServer: (idOrSlug) => findServer(idOrSlug),
  }

  return {
    app: {
      operations,
      mcp,
      bodies: { budget: createBodyBudget(), clock: createBodyClock() },
      stopping: stopping.signal,
      log,
      isReady: async () => {
        try {
          await readAnything(store.read)
          return true
        } catch (error) {
          onError(error)
          return false
        }
      },
    },
    endStreams: async () => {
      stopping.abort()
      await progressFeed[Symbol.asyncDispose]()
    },
    startWorker: () => {
      const readers = createReaders({
        githubApiUrl: config.githubApiUrl,
        version: VERSION,
        tokenFor: async ({ id, url }, host) =>
          mayCarryToken(new URL(url)) ? linkedTokens.tokenOfSource(id, hostName(host)) : null,
        credentialFor,
        findUpload: (sourceId) => readUploadOf(store.read, sourceId),
      })
      const embedder = embedders?.indexing ?? null
      const limitsOf = (source: { id: string; serverId: string }) => crawlLimitsOf(store, source)
      const detectInCrawl = (address: URL, guess: SourceType) => detect(net, address, guess)
      const crawling = {
        pacer,
        robots,
        pages,
        memory,
        onFault,
        renderer,
        builder,
        embedder,
        detect: detectInCrawl,
        openCrawls: createOpenCrawls(),
      }
      const deps = { store, net, ...crawling, readers, limitsOf }
      worker = startWorker({
        store,
        concurrency: JOBS_AT_ONCE,
        perAccount: JOBS_PER_ACCOUNT,
        handlers: {
          async ingest(payload, lease) {
            const { ingest } = await import('#indexing/ingest.ts')
            return ingest(deps, payload, lease)
          },
          purge: (payload) => purge(store, payload),
        },
        onClaimError: onError,
        async onFailure(job, error, attemptsLeft) {
          log.warn({ err: error, job: job.id, kind: job.kind, attemptsLeft }, 'a job failed')
          if (job.kind === 'ingest' && attemptsLeft <= 0) await failSource(store, job, error)
        },
      })
      stack.use(startChores(choresOf(store, worker), { clock: store.clock, onError }))
      return worker
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** The browser that renders pages. Null if none is found, or if root may not start it. */
function chooseBrowser({ browser, browserWithoutSandbox }: Config, log: Log): string | null {
  const program = findBrowser(browser)
  if (program === null || hasSandbox()) return program
  log.warn(browserWithoutSandbox ? NO_SANDBOX : NOT_RENDERED)
  return browserWithoutSandbox ? program : null
}

/** Endpoints of the service itself: its HTTP port, including other nodes on this machine, and its database. */
function ownEndpointsOf({ port, database }: Config, listensOn: number | null): OwnEndpoint[] {
  const own: OwnEndpoint[] = ownPorts(port, listensOn).map((one) => ({ host: null, port: one }))
  const atDatabase = databaseEndpoint(database)
  return atDatabase ? [...own, atDatabase] : own
}

/** Ports of the service's HTTP listener, without those that are not known yet. */
function ownPorts(port: number, listensOn: number | null): number[] {
  return [...new Set([port, listensOn ?? 0])].filter((one) => one !== 0)
}

type Own = { config: Pick<Config, 'host' | 'port'>; listensOn: number | null; baseUrl: string }

function isOwnAddress(address: URL, { config: { host, port }, listensOn, baseUrl }: Own): boolean {
  const { origin, hostname } = new URL(baseUrl)
  return (
    address.origin === origin ||
    namesOwnListener(address, { hosts: [host, hostname], ports: ownPorts(port, listensOn) })
  )
}

type ModelDeps = Pick<Given, 'config' | 'secrets' | 'store'> & {
  stack: AsyncDisposableStack
  onError: (error: unknown) => void
}

/** The configured language model per account, limited by the account's budget. Null if none is configured. */
function createModels({ config: { llm }, secrets, store, stack, onError }: ModelDeps) {
  if (llm === null) return () => null
  // The operator chose this address, so it may be private. Half of the timeout is reserved for a retry.
  const net = stack.use(
    createNetClient({ allowNetworks: EVERYWHERE, userAgent: userAgent(), firstByteMs: llm.timeoutMs / 2 }),
  )
  const { baseUrl, model, provider, timeoutMs, tokensPerDay } = llm
  const chat = createChatModel({ net, baseUrl, model, provider, apiKey: secrets.llmApiKey, totalMs: timeoutMs })
  return (accountId: string): ChatModel =>
    withBudget(chat, {
      perDay: tokensPerDay,
      readUsed: () => tokensOfDay(store.read, accountId, 'chat', store.clock()),
      record: (usage) =>
        void addModelUsage(store.write, { accountId, kind: 'chat', now: store.clock(), ...usage }).catch(onError),
    })
}

/** The configured embedding model for passages and questions. Null if none is configured. */
function createEmbedders(deps: ModelDeps & Pick<Given, 'localEmbeddings'>) {
  const { store, onError } = deps
  const model = deps.localEmbeddings ?? embeddingsEndpoint(deps)
  if (model === null) return null
  const count = (accountId: string, inputTokens: number) =>
    addModelUsage(store.write, { accountId, kind: 'embeddings', now: store.clock(), inputTokens, outputTokens: 0 })
  const countFor = async (sourceId: string, tokens: number) => {
    const accountId = await accountOfSource(store.read, sourceId)
    if (accountId !== undefined) await count(accountId, tokens)
  }
  const embedQuestion = createQueryEmbedder({
    model,
    clock: Date.now,
    onFailure: onError,
    onUsage: (accountId, tokens) => void count(accountId, tokens).catch(onError),
  })
  return {
    embedQuestion,
    indexing: {
      model,
      onFailure: onError,
      onUsage: (sourceId: string, tokens: number) => void countFor(sourceId, tokens).catch(onError),
    },
  }
}

function embeddingsEndpoint({ config: { embeddings }, secrets, stack }: ModelDeps): EmbeddingModel | null {
  if (embeddings?.kind !== 'endpoint') return null
  const net = stack.use(createNetClient({ allowNetworks: EVERYWHERE, userAgent: userAgent() }))
  const { baseUrl, model } = embeddings
  return createEmbeddingModel({ net, baseUrl, model, apiKey: secrets.embeddingsApiKey })
}

/** Periodic tasks of worker nodes. Safe to run concurrently. */
function choresOf(store: Store, worker: Worker): Chore[] {
  const rebuild = async () => (await queueRebuilds(store, SEGMENT_FORMAT)) > 0 && worker.wake()
  return [
    // At start for segments of the previous version. Later for nodes that still run it, and for restored servers.
    { everyMs: HOUR_MS, run: rebuild, atStart: true },
    { everyMs: MINUTE_MS, run: (now) => healClock(store.write, now, LEASE_MS), atStart: true },
    { everyMs: MINUTE_MS, run: async (now) => (await refreshDue(store, now)) > 0 && worker.wake() },
    { everyMs: HOUR_MS, run: (now) => deleteExpiredRateLimits(store.write, now) },
    { everyMs: HOUR_MS, run: (now) => deleteExpiredAnswers(store.write, now) },
    { everyMs: HOUR_MS, run: (now) => deleteEndedSessions(store.write, livingAt(now)) },
    { everyMs: HOUR_MS, run: (now) => pruneCalls(store, now) },
    { everyMs: HOUR_MS, run: (now) => deleteOldHostShares(store.write, now - HOUR_MS) },
    { everyMs: HOUR_MS, run: async (now) => store.sharedClients?.deleteUnused(now - CLIENT_KEPT_MS) },
    { everyMs: HOUR_MS, run: (now) => deleteUnfinished(store.write, now - HOUR_MS) },
  ]
}

function appsOf(net: NetClient, apiUrl: string, github: Secrets['githubApp']): ReadonlyMap<string, HostApp> {
  const apps = github ? [createGithubApp(net, apiUrl, github)] : []
  return new Map(apps.map((app) => [app.host, app]))
}

/** Refreshes tokens through the app that issued them. */
const refreshBy = (apps: ReadonlyMap<string, HostApp>) => async (host: string, refreshToken: string) => {
  const app = apps.get(host)
  if (!app) throw new UpstreamError('refused', `This instance has no app at ${host} any more.`)
  return app.refresh(refreshToken)
}
