import type { ChatModel } from '#models/chat-model.ts'
import type { Admit } from '#lib/admission-queue.ts'
import type { Library } from '#library/library.ts'
import type { SearchRequest, SearchResult } from '#search/passage.ts'
import type { ServedServer } from '#store/served.ts'
import { dispatch } from './dispatch.ts'
import type { AllowanceReached, CallRecord, Endpoint, EndpointHooks } from './endpoint.ts'
import { instructionsOf } from './instructions.ts'
import type { OriginPolicy } from './origins.ts'
import type { Caller, McpRequest, McpResponse } from './request.ts'
import type { ToolContext } from './tool-context.ts'
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
  /** Waits until a call may begin to work. */
  admit: Admit
  /** Takes one call off the monthly allowance of the server's account. */
  takeCall(server: ServedServer): Promise<'ok' | AllowanceReached>
  search(server: ServedServer, request: SearchRequest, signal?: AbortSignal): Promise<SearchResult>
  /** The language model for answers of this server, or null where there is none. */
  modelFor(server: ServedServer): ChatModel | null
  openLibrary(server: ServedServer): Library
  connectRemote: ToolContext['connectRemote']
  /** Must return at once (buffer, then write) and never throw. */
  recordCall(server: ServedServer, call: CallRecord): void
  /** A bug or an outage inside a tool, for the log. */
  reportFailure(error: unknown, where: { serverId: string; tool: string }): void
}

/** Answers one HTTP request to a hosted server that exists. Rejects only when authentication or a limit does. */
export function handleMcp(deps: McpDeps, request: McpRequest, server: ServedServer): Promise<McpResponse> {
  return dispatch(hostedEndpoint(deps, server), request)
}

function hostedEndpoint(deps: McpDeps, server: ServedServer): Endpoint<ToolContext> {
  const hooks: EndpointHooks = {
    docsUrl: deps.docsUrl,
    authenticate: async (bearer) =>
      server.visibility === 'private' ? deps.verifyAccessToken(server.id, bearer) : 'ok',
    takeRequests: (caller, count) => deps.takeRequests(server, caller, count),
    admit: deps.admit,
    takeCall: () => deps.takeCall(server),
    recordCall: (call) => deps.recordCall(server, call),
    reportFailure: (error, tool) => deps.reportFailure(error, { serverId: server.id, tool }),
  }
  return {
    info: { name: server.slug, title: server.name, version: deps.version },
    // Read by a client that connects, and by none of its calls.
    get instructions() {
      return instructionsOf(server)
    },
    visibility: server.visibility,
    tools: toolsOf(server),
    context: {
      server,
      search: (request, signal) => deps.search(server, request, signal),
      model: deps.modelFor(server),
      reportFailure: (error) => deps.reportFailure(error, { serverId: server.id, tool: 'ask_question' }),
      library: deps.openLibrary(server),
      connectRemote: deps.connectRemote,
    },
    legacyFailures: 'error',
    origins: deps.origins,
    hooks,
  }
}
