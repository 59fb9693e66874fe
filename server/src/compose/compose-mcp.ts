import type { Redaction } from '@docent/contract/values/redaction'
import type { CallRecorder } from '#analytics/record-calls.ts'
import { type Redact, createRedact } from '#analytics/redact.ts'
import { tokenLookup, verifyAccessToken, type CredentialUses } from '#auth/authenticate.ts'
import { type AllowanceEnd, CallAllowance, isUnlimited, monthlyLimitReached } from '#auth/allowance.ts'
import { takeMcpRequests } from '#auth/rate-limit.ts'
import type { McpEndpoints } from '#http/mcp-handler.ts'
import { createTimedIds } from '#lib/ids.ts'
import { rememberLast } from '#lib/limits/record-map.ts'
import { type McpDeps, createHostedEndpoints, createToolTrials, withoutRecord } from '#mcp/hosted/hosted-endpoints.ts'
import { prepareEmbedded } from '#mcp/hosted/embedded.ts'
import { createKnownClients } from '#mcp/dispatch/known-clients.ts'
import type { ToolPool } from '#mcp/threads/tool-pool.ts'
import type { OperationDeps } from '#operations/operation.ts'
import { serverIdsOf } from '#store/servers/servers.ts'
import { type ServedServer, createServedServers } from '#store/servers/served.ts'
import { VERSION } from '#version.ts'
import type { Base } from './base.ts'

type Parts = {
  uses: CredentialUses
  calls: CallRecorder
  tools: ToolPool
  webhooks: Pick<OperationDeps, 'announceLimit'>
}

/** The endpoints of hosted servers, and the answers of widgets and trials, which are calls of the same tools. */
export function composeMcp(
  base: Base,
  { uses, calls, tools, webhooks }: Parts,
): McpEndpoints & Pick<OperationDeps, 'prepareEmbedded' | 'tryEmbedded' | 'tryTool'> {
  const { config, store, baseUrl, log, stack, onError } = base
  const findToken = tokenLookup(store.read)
  const announce = ({ accountId, limit, resetsAt }: AllowanceEnd) =>
    webhooks.announceLimit({ accountId, limit: 'mcpRequestsPerMonth', allowed: limit, serverId: null, resetsAt })
  const allowance = stack.use(new CallAllowance(store, { onError, onReached: announce }))
  const originOf = rememberLast((url) => new URL(url).origin)
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
    verifyAccessToken: (serverId, bearer) =>
      verifyAccessToken({ findToken, noteUse: (id) => uses.note('token', id) }, serverId, bearer),
    takeRequests: async (server, caller, count) =>
      config.rateLimits ? takeMcpRequests(store, { server, caller, count }) : 'ok',
    async takeCall({ accountId, plan }) {
      const reached = await allowance.take({ accountId, plan, now: store.clock() })
      return reached ? monthlyLimitReached(reached, baseUrl()) : 'ok'
    },
    tools,
    clients: createKnownClients({ clock: store.clock, shared: store.sharedClients, onError }),
    recordCall: (server, call) => {
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
  const embedded = { findServer, serverIdsOf: (accountId: string) => serverIdsOf(store.read, accountId) }
  return {
    endpointOf,
    tryTool: createToolTrials(deps),
    prepareEmbedded: prepareEmbedded({ ...embedded, endpointOf, newCallId: () => newCallId(store.clock()) }),
    // Nothing is recorded, so no id leads to the call.
    tryEmbedded: prepareEmbedded({
      ...embedded,
      endpointOf: createHostedEndpoints(withoutRecord(deps)),
      newCallId: () => '',
    }),
    get origins() {
      return deps.origins
    },
    trustedProxies: config.trustedProxies,
    findServer,
  }
}

/**
 * Compiles the redaction of a server once for as long as its row lives. The operator's comes first, so that no pattern
 * of a server can split what it matches.
 */
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
