import type { RateLimit } from '@docent/contract/rate-limit'
import type { FinishedCall } from '#analytics/call-row.ts'
import { DocentError } from '#errors.ts'
import {
  type Reply,
  type RpcRequest,
  RPC,
  type RpcError,
  type OriginPolicy,
  type Caller,
  type McpRequest,
  corsHeaders,
  isAllowedOrigin,
  bearerOf,
  type McpResponse,
} from '../protocol/message.ts'
import {
  type ResultForm,
  type SerialisedMembers,
  type SerialisedResult,
  serialiseMembers,
} from '../definition/tool-result.ts'
import type { WebDocument } from '../pages/web-documents.ts'
import type { ListedTool, ReportProgress, ToolCitation } from '../definition/tool.ts'

/** A tool of an endpoint with everything it needs besides its arguments. */
export type EndpointTool = {
  listed: ListedTool
  /** Required client capabilities. A modern call without them is refused. */
  requires?: Record<string, Record<string, unknown>>
  /** Throws a `ToolError` with a correction, and a `DocentError` if no call is possible at the moment. */
  prepare(args: unknown): RunTool
}

/** Runs a prepared call. Only slow tools report progress. */
type RunTool = (form: ResultForm, signal?: AbortSignal, report?: ReportProgress) => Promise<SerialisedResult>

/** Pages that clients read without a tool. */
export type EndpointResources = {
  /** Lists pages from a cursor on. Throws a `ToolError` for an invalid one. */
  list(cursor: string | undefined, signal?: AbortSignal): Promise<SerialisedMembers>
  /** Templates of addresses, as members of the result of `resources/templates/list`. */
  listTemplates(): Uint8Array
  /** Reads the page at an address. Throws a `ToolError` if there is none. */
  read(uri: string, signal?: AbortSignal): Promise<SerialisedMembers>
}

/** Why a caller is not admitted. `reason` is for programs. */
export type Unauthorized = { reason: string; message: string }

/** An MCP endpoint for the dispatcher: a hosted server, or any other provider of tools. */
export type Endpoint = {
  /** `name` is for programs, `title` for people. */
  info: { name: string; title: string; version: string }
  /** Sent to the client's model on connection. */
  instructions: string
  /** Private servers require a token and forbid shared caching. */
  visibility: 'public' | 'private'
  /** In listing order. */
  tools: readonly EndpointTool[]
  /** The tools for this result form, as members of the result of `tools/list`. */
  listTools(form: ResultForm): Uint8Array
  /** Absent: the endpoint has tools only. */
  resources?: EndpointResources
  /** Makes a document about all pages. Absent: the endpoint has none. */
  document?(document: WebDocument, signal?: AbortSignal): Promise<string>
  /** Adds `structuredContent` to results, in revisions that support it. */
  structuredOutput: boolean
  /** Some tools are slow and report progress. */
  reportsProgress?: boolean
  /** Form of a tool failure in a legacy call: a JSON-RPC error, or a result with `isError`. */
  legacyFailures: 'error' | 'result'
  origins: OriginPolicy
  hooks: EndpointHooks
}

/** Whether requests may pass, or the limit that they reached. */
export type Taken = 'ok' | { retryAfterSeconds: number; reached: RateLimit }

export type EndpointHooks = {
  /** Called on every request, for public endpoints as well. `ok` admits the request, `read` one without tool calls. */
  authenticate(bearer: string | null): Promise<'ok' | 'read' | Unauthorized>
  /** Where a client of the endpoint, under a name in its address, finds how to get a token: for `WWW-Authenticate`. */
  challenge?(calledAs: string): string | null
  /** Page about the credential, for the 401 body. */
  docsUrl: string
  /** Takes `count` requests from the caller's rate limit, all or none. Rejected callers have no token here. */
  takeRequests(caller: Caller, count: number): Promise<Taken>
  /** Takes one call from the account's monthly allowance, and from the limits of its owner. */
  takeCall(from: CallSource): Promise<'ok' | AllowanceReached>
  /** Called when a client begins a session, or asks for the tools. */
  noteConnection(): void
  /** Stores the identity of a client that does not repeat it with each call. */
  rememberClient(request: McpRequest, client: NonNullable<CallRecord['client']>): void | Promise<void>
  /** Returns the stored client of matching requests. Never rejects. */
  knownClient(request: McpRequest): CallRecord['client'] | Promise<CallRecord['client']>
  /** Runs a tool call as a span of the trace that `_meta` of its message, or its request, names. Absent: no traces. */
  trace?: (<T>(tool: string, meta: unknown, work: () => Promise<T>) => Promise<T>) | undefined
  /** Called after every tool call is answered. Must return immediately and never throw. */
  recordCall(call: CallRecord): void
  /** Called with errors of a tool other than `ToolError`. */
  reportFailure(error: unknown, tool: string): void
}

/** The request of a call, whose bearer token may be one of another account, or the user of an attribution token. */
export type CallSource = Pick<McpRequest, 'address' | 'headers'> | 'attributed user'

/** `resetsAt` is ISO 8601. `of`: the anonymous calls of the month, of the day, or of one network in the day. */
export type AllowanceReached = { limit: number; resetsAt: string } & (
  | { reason: 'monthly_limit_reached'; used: number; upgradeUrl: string }
  | { reason: 'anonymous_limit_reached'; of: 'month' | 'day' | 'network' }
)

/** A call for the log. `isRead`: a page was read as a resource, which the allowance does not count. */
export type CallRecord = Omit<FinishedCall, 'citations' | 'segments' | 'redact'> & {
  isRead?: true
  citations: ToolCitation[]
}

/** Answers a request in the way of one group of protocol revisions. */
export type AnswerRequest = (
  endpoint: Endpoint,
  message: RpcRequest,
  http: McpRequest,
  report?: ReportProgress,
) => Promise<Reply>

/** The tools as members of the result of `tools/list`. */
export function listTools(tools: readonly Pick<EndpointTool, 'listed'>[], { structured }: ResultForm): Uint8Array {
  const listed = tools.map(({ listed: tool }) => {
    const { name, title, description, inputSchema, annotations } = tool
    // A client that knows an output schema rejects results without structured content.
    return structured ? tool : { name, title, description, inputSchema, annotations }
  })
  return serialiseMembers({ tools: listed }).members
}

/** Refuses a request for a list of a single page with a cursor, because no cursor is valid. Null without one. */
export function refuseCursor(method: string, { cursor }: Record<string, unknown>): RpcError | null {
  if (cursor === undefined || cursor === null || cursor === '') return null
  return { code: RPC.invalidParams, message: `The cursor is not one of ours: ${method} has a single page.` }
}

/**
 * Answers requests by method and headers alone, before look-up and authentication: forbidden origins, preflights, and
 * GET and DELETE probes of MCP clients, which report an error for any status but 405. Null passes the request on: a
 * POST is then for `dispatch`, any other method for the management API.
 */
export function preflight(
  origins: OriginPolicy,
  { method, headers }: { method: string; headers: McpRequest['headers'] },
): McpResponse | null {
  const origin = headers.get('origin')
  if ((method === 'POST' || method === 'OPTIONS') && !isAllowedOrigin(origins, origin)) {
    return refusal(new DocentError('origin_not_allowed'))
  }
  if (method === 'OPTIONS') return { status: 204, headers: corsHeaders(origins, origin), body: null }
  if (!isProbe(method, headers)) return null
  const cors = isAllowedOrigin(origins, origin) ? corsHeaders(origins, origin) : {}
  return refusal(new DocentError('method_not_allowed', { headers: { allow: 'POST', ...cors } }))
}

/** A response outside JSON-RPC, in the format of the management API. */
export function refusal(error: DocentError, headers: Record<string, string> = {}): McpResponse {
  return {
    status: error.status,
    headers: { 'content-type': 'application/json', ...headers, ...error.headers },
    body: JSON.stringify(error.body),
  }
}

/** True for requests that clients send by themselves: for the event stream, OAuth (Codex), or to end a session. */
function isProbe(method: string, headers: McpRequest['headers']): boolean {
  if (bearerOf(headers)?.startsWith('dk_live_')) return false
  const hasSession = headers.get('mcp-session-id') !== null
  if (method !== 'GET') return method === 'DELETE' && hasSession
  const acceptsEvents = headers.get('accept')?.toLowerCase().includes('text/event-stream') === true
  return acceptsEvents || hasSession || headers.get('mcp-protocol-version') !== null
}
