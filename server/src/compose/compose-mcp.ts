import { NO_CALLER_LIMITS } from '@docent/contract/values/caller-limits'
import type { Redaction } from '@docent/contract/values/redaction'
import type { Attributes } from '@opentelemetry/api'
import { BUILT_IN_NAMES } from '@docent/contract/values/tools'
import { traceOf } from '#lib/trace.ts'
import type { CallRecorder } from '#analytics/record-calls.ts'
import { type Redact, createRedact } from '#analytics/redact.ts'
import { type AllowanceEnd, CallAllowance, isUnlimited, monthlyLimitReached } from '#auth/allowance.ts'
import {
  type CredentialUses,
  bearer,
  isCredential,
  keyLookup,
  tokenLookup,
  verifyAccessToken,
} from '#auth/authenticate.ts'
import { takeMcpRequests } from '#auth/rate-limit.ts'
import { fullAddress, readSourceCredential } from '#auth/vault.ts'
import type { McpEndpoints } from '#http/mcp-handler.ts'
import { createTimedIds } from '#lib/ids.ts'
import { memoizeLast } from '#lib/limits/record-map.ts'
import { createKnownClients } from '#mcp/dispatch/known-clients.ts'
import { createWidgetServers, prepareEmbedded } from '#mcp/hosted/embedded.ts'
import { type McpDeps, createHostedEndpoints, createToolTrials, withoutRecord } from '#mcp/hosted/hosted-endpoints.ts'
import { createSampleSegments } from '#mcp/threads/sample-segments.ts'
import { ToolPool } from '#mcp/threads/tool-pool.ts'
import type { NetClient } from '#net/client.ts'
import { findSourceById } from '#store/sources/sources.ts'
import { challengeFor } from '#oauth/metadata.ts'
import type { OperationDeps } from '#operations/operation.ts'
import { openStoredSegment } from '#store/pages/partial-segment.ts'
import { bytesOfSegments, readTexts, servedSegments } from '#store/pages/segments.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import { agesOfPages } from '#store/pages/pages.ts'
import { questionsOfSources } from '#store/sources/questions.ts'
import { type ServedServer, createServedServers } from '#store/servers/served.ts'
import { serverIdsOf } from '#store/servers/servers.ts'
import { createLiveSessions } from '#upstream/connect-remote-mcp.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import { VERSION } from '#version.ts'
import type { Base } from './base.ts'
import type { Models } from './compose-models.ts'

export type ToolCalls = ReturnType<typeof composeToolCalls>

const JUST_PRIVATE = 'The server has just become private. Ask again, with an access token.'

/** Opens the threads that run tools, and the sessions that they need at remote MCP servers. */
export function composeToolCalls(base: Base, net: NetClient, { embedders, modelFor }: Models) {
  const { config, store, vault, log, traces, stack, onError } = base
  const trace = traceOf(traces)
  const openLiveSession = createLiveSessions({ net, version: VERSION })
  /** Content that is not stored, for trial calls of custom tools. */
  const samples = createSampleSegments()
  // An answer is complete without questions to ask next and ages.
  const withoutIt = (error: unknown): [] => {
    if (!(error instanceof StoreUnavailableError)) onError(error)
    return []
  }
  const tools = stack.use(
    new ToolPool({
      threads: config.threads,
      isPrepared: config.blobs.place !== 'database',
      segmentBytes: config.indexMemoryMb * 1_000_000,
      embeddingModel: embedders?.indexing.model.name ?? null,
      bind: traces?.bind,
      loadSegment: (id) => trace('read segment', async () => samples.load(id) ?? openStoredSegment(store, id)),
      sizeOf: async (ids) => bytesOfSegments(store.read, ids),
      findServed: async (ids) =>
        new Set([...(await servedSegments(store.read, ids)), ...ids.filter((id) => samples.has(id))]),
      loadTexts: (sourceId, hashes) =>
        trace('read texts', async () => samples.texts(sourceId, hashes) ?? readTexts(store, sourceId, hashes)),
      embed: async (query, accountId) => embedders?.embedQuestion(query, accountId) ?? null,
      modelFor: ({ accountId }) => modelFor(accountId),
      async connectRemote({ id: serverId, accountId, visibility }, { id, url }, signal) {
        const credential = await readSourceCredential({ store, vault }, id)
        // The caller presented no token for a public server.
        if (credential && visibility === 'public') throw new UpstreamError('failed', JUST_PRIVATE)
        const source = await findSourceById(store.read, id)
        const full = source ? fullAddress(vault, source) : url
        return openLiveSession({ serverId, accountId }, { url: full, credential, signal })
      },
      loadQuestions: async ({ sources }) =>
        questionsOfSources(
          store.read,
          sources.map(({ id }) => id),
        ).catch(withoutIt),
      async loadAges({ sources }, pages) {
        const ids = sources.map(({ id }) => id).filter((id) => pages.some(({ sourceId }) => sourceId === id))
        return agesOfPages(store.read, ids, [...new Set(pages.map(({ url }) => url))]).catch(withoutIt)
      },
      pagesAddress: ({ slug, webPages }) =>
        webPages === undefined ? null : `${base.baseUrl()}/api/mcp/${slug}/pages/`,
      reportFailure: (error) => log.error({ err: error }, 'a tool did not fail, but had trouble'),
    }),
  )
  return { tools, openLiveSession, samples }
}

/** A custom tool has a name of its owner's, which may say anything. Clients can put the parent into `_meta`. */
function callSpan(tool: string, meta: unknown): [name: string, options: { attributes: Attributes; parent: unknown }] {
  const name = BUILT_IN_NAMES.includes(tool) ? tool : 'custom'
  const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': name }
  const hasParent = typeof meta === 'object' && meta !== null && 'traceparent' in meta
  return [`tools/call ${name}`, { attributes, parent: hasParent ? meta : undefined }]
}

type McpParts = {
  uses: CredentialUses
  calls: CallRecorder
  tools: ToolPool
  webhooks: Pick<OperationDeps, 'announceLimit'>
}

export type Mcp = ReturnType<typeof composeMcp>

/** The endpoints of hosted servers, and the answers of widgets and trials, which are calls of the same tools. */
export function composeMcp(base: Base, { uses, calls, tools, webhooks }: McpParts) {
  const { config, store, baseUrl, log, metrics, traces, stack, onError } = base
  const lookUp = tokenLookup(store.read, store.clock)
  // Connections of an earlier time count no longer while OAuth is off.
  const findToken: typeof lookUp = async (serverId, hash, by) =>
    by === 'connection' && !config.oauth ? undefined : lookUp(serverId, hash, by)
  const credentials = {
    findToken,
    findKey: keyLookup(store.read),
    noteUse: (kind: 'token' | 'connection', id: string) => uses.note(kind, id),
  }
  const announce = ({ accountId, limit, resetsAt }: AllowanceEnd) =>
    webhooks.announceLimit({ accountId, limit: 'mcpRequestsPerMonth', allowed: limit, serverId: null, resetsAt })
  const allowance = stack.use(new CallAllowance(store, { onError, onReached: announce }))
  const originOf = memoizeLast((url) => new URL(url).origin)
  const allowedOrigins = config.allowedOrigins.includes('*') ? ('any' as const) : config.allowedOrigins
  const redactOf = createRedactors(config.redaction)
  const deps: McpDeps = {
    version: VERSION,
    get origins() {
      return { own: originOf(baseUrl()), allowed: allowedOrigins }
    },
    get docsUrl() {
      return `${baseUrl()}/docs/private-servers`
    },
    verifyAccessToken: (serverId, presented) => verifyAccessToken(credentials, serverId, presented),
    challenge: config.oauth ? (calledAs) => challengeFor(baseUrl(), calledAs) : null,
    noteConnection: (serverId) => uses.note('server', serverId),
    takeRequests: async (server, caller, count) =>
      config.rateLimits ? takeMcpRequests(store, { server, caller, count }) : 'ok',
    async takeCall(server, from) {
      const { accountId, plan, callerLimits: limits } = server
      // Without limits, all callers of a public server count as anonymous ones, and no query finds out.
      const isKnown =
        server.visibility === 'private' ||
        from === 'attributed user' ||
        (limits !== undefined && (await isCredential(credentials, server, bearer(from.headers.get('authorization')))))
      const anonymous = isKnown ? null : { network: from.address, limits: limits ?? NO_CALLER_LIMITS }
      const reached = await allowance.take({ accountId, plan, now: store.clock(), anonymous })
      if (!reached) return 'ok'
      return 'reason' in reached ? reached : monthlyLimitReached(reached, baseUrl())
    },
    tools,
    trace: traces ? (tool, meta, work) => traces.span(...callSpan(tool, meta), work) : undefined,
    clients: createKnownClients({ clock: store.clock, shared: store.sharedClients, onError }),
    recordCall: (server, call) => {
      if (!call.isRead) metrics?.called(call)
      const { id, accountId, plan, sources } = server
      const segments = sources.flatMap((source) => source.segments)
      const countFor = isUnlimited(plan) && !call.isRead ? accountId : undefined
      calls.record(id, { ...call, segments, redact: redactOf(server) }, countFor)
    },
    reportFailure: (error, where) => log.error({ err: error, ...where }, 'a tool failed'),
  }
  const endpointOf = createHostedEndpoints(deps)
  const findServer = createServedServers(store)
  const newCallId = createTimedIds('call')
  const widgetServer = createWidgetServers({
    findServer,
    serverIdsOf: (accountId) => serverIdsOf(store.read, accountId),
  })
  const endpoints: McpEndpoints = {
    endpointOf,
    get origins() {
      return deps.origins
    },
    trustedProxies: config.trustedProxies,
    findServer,
  }
  const unrecorded = createHostedEndpoints(withoutRecord(deps))
  const answers: Pick<OperationDeps, 'prepareEmbedded' | 'tryEmbedded' | 'suggestEmbedded' | 'tryTool'> = {
    tryTool: createToolTrials(deps),
    prepareEmbedded: prepareEmbedded({ widgetServer, endpointOf, newCallId: () => newCallId(store.clock()) }),
    // Nothing is recorded, so no id leads to the call.
    tryEmbedded: prepareEmbedded({ widgetServer, endpointOf: unrecorded, newCallId: () => '' }),
    async suggestEmbedded(widget) {
      const sources = (await widgetServer(widget))?.sources ?? []
      return questionsOfSources(
        store.read,
        sources.map(({ id }) => id),
      )
    },
  }
  return { endpoints, answers }
}

/** Compiles a server's redaction once for as long as its row lives, after the operator's, which goes first. */
function createRedactors(ofOperator: Redaction): (server: ServedServer) => Redact | null {
  const ofAll = createRedact(ofOperator)
  const compiled = new WeakMap<ServedServer, Redact | null>()
  return (server) => {
    if (!server.redaction) return ofAll
    let redact = compiled.get(server)
    if (redact === undefined) compiled.set(server, (redact = createRedact(ofOperator, server.redaction)))
    return redact
  }
}
