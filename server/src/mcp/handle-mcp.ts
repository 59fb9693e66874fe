import type { ServedServer } from '#store/served.ts'
import { dispatch } from './dispatch.ts'
import type { AllowanceReached, CallRecord, Endpoint, EndpointHooks, EndpointTool } from './endpoint.ts'
import { instructionsOf } from './instructions.ts'
import type { KnownClients } from './known-clients.ts'
import type { OriginPolicy } from './origins.ts'
import { listTools } from './endpoint-tools.ts'
import type { RawJson } from './raw-json.ts'
import type { Caller, McpRequest, McpResponse } from './request.ts'
import type { Tool } from './tool.ts'
import type { ToolContext } from './tool-context.ts'
import { busyError, type ToolPool } from './tool-pool.ts'
import { toolsOf } from './tools.ts'

/** What serving hosted servers needs from the rest of the service. */
export type McpDeps = {
  /** Of the service, told to clients. */
  version: string
  origins: OriginPolicy
  /** Page that explains access tokens. */
  docsUrl: string
  /** Asked for private servers only. */
  verifyAccessToken(serverId: string, bearer: string | null): Promise<'ok' | 'missing_token' | 'invalid_token'>
  /** Takes `count` requests off the rate limit of this caller at this server, all or none. */
  takeRequests(server: ServedServer, caller: Caller, count: number): Promise<'ok' | { retryAfterSeconds: number }>
  /** Takes one call off the monthly allowance of the server's account. */
  takeCall(server: ServedServer): Promise<'ok' | AllowanceReached>
  tools: Pick<ToolPool, 'call' | 'isFull'>
  /** Who legacy clients are. */
  clients: KnownClients
  /** Must return at once (buffer, then write) and never throw. */
  recordCall(server: ServedServer, call: CallRecord): void
  /** A bug or an outage inside a tool, for the log. */
  reportFailure(error: unknown, where: { serverId: string; tool: string }): void
}

/**
 * Answers one HTTP request to a hosted server that exists. Rejects when authentication or a limit does, and with
 * `503 too_busy` for a call when too many of the server's calls wait.
 */
export type McpHandler = (request: McpRequest, server: ServedServer) => Promise<McpResponse>

/** What is made of a server is kept for as long as its row is: it is the same from request to request. */
export function createMcpHandler(deps: McpDeps): McpHandler {
  const endpoints = new WeakMap<ServedServer, Endpoint>()
  return (request, server) => {
    let endpoint = endpoints.get(server)
    if (endpoint === undefined) {
      endpoint = hostedEndpoint(deps, server)
      endpoints.set(server, endpoint)
    }
    return dispatch(endpoint, request)
  }
}

function hostedEndpoint(deps: McpDeps, server: ServedServer): Endpoint {
  const hooks: EndpointHooks = {
    get docsUrl() {
      return deps.docsUrl
    },
    authenticate: async (bearer) =>
      server.visibility === 'private' ? deps.verifyAccessToken(server.id, bearer) : 'ok',
    takeRequests: (caller, count) => deps.takeRequests(server, caller, count),
    takeCall: () => deps.takeCall(server),
    rememberClient: (request, client) => deps.clients.remember(server.id, request, client),
    knownClient: (request) => deps.clients.find(server.id, request),
    recordCall: (call) => deps.recordCall(server, call),
    reportFailure: (error, tool) => deps.reportFailure(error, { serverId: server.id, tool }),
  }
  const tools = toolsOf(server)
  const lists: { plain?: RawJson; structured?: RawJson } = {}
  return {
    info: { name: server.slug, title: server.name, version: deps.version },
    // Read by a client that connects, and by none of its calls.
    get instructions() {
      return instructionsOf(server)
    },
    visibility: server.visibility,
    tools: tools.map((tool) => hostedTool(deps, server, tool)),
    listTools: (form) => (lists[form.structured ? 'structured' : 'plain'] ??= listTools(tools, form)),
    structuredOutput: server.structuredOutput,
    legacyFailures: 'error',
    get origins() {
      return deps.origins
    },
    hooks,
  }
}

/** Checks arguments here and runs in another thread. */
function hostedTool({ tools }: McpDeps, server: ServedServer, tool: Tool<ToolContext>): EndpointTool {
  const { listed, requires } = tool
  return {
    listed,
    ...(requires ? { requires } : {}),
    prepare(args) {
      tool.prepare(args)
      // Before the call is taken off the allowance.
      if (tools.isFull(server)) throw busyError()
      return (form, signal) => tools.call(server, { tool: listed.name, args, form }, signal)
    },
  }
}
