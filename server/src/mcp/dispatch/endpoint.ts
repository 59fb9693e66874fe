import type { Attribution } from '#analytics/call-row.ts'
import type { Reply } from '#mcp/protocol/json-rpc.ts'
import type { RpcRequest } from '#mcp/protocol/message.ts'
import type { OriginPolicy } from '#mcp/protocol/origins.ts'
import type { RawJson } from '#mcp/protocol/raw-json.ts'
import type { Caller, McpRequest } from '#mcp/protocol/request.ts'
import type { ResultForm, SerialisedResult } from '#mcp/definition/serialised-result.ts'
import type { ListedTool, ReportProgress, ToolCitation } from '#mcp/definition/tool.ts'

/** A tool of an endpoint with everything it needs besides its arguments. */
export type EndpointTool = {
  listed: ListedTool
  /** Required client capabilities. A modern call without them is refused. */
  requires?: Record<string, Record<string, unknown>>
  /**
   * Validates the arguments. Throws a `ToolError` with a correction, and a `DocentError` if no call is possible at the
   * moment.
   */
  prepare(args: unknown): RunTool
}

/** Runs a prepared call. Only slow tools report progress. */
type RunTool = (form: ResultForm, signal?: AbortSignal, report?: ReportProgress) => Promise<SerialisedResult>

/** Pages that clients read without a tool. */
export type EndpointResources = {
  /** Lists pages from a cursor on. Throws a `ToolError` for an invalid one. */
  list(cursor: string | undefined, signal?: AbortSignal): Promise<SerialisedResult>
  /** Templates of addresses in the format of `resources/templates/list`, as JSON. */
  listTemplates(): RawJson
  /** Reads the page at an address. Throws a `ToolError` if there is none. */
  read(uri: string, signal?: AbortSignal): Promise<SerialisedResult>
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
  /** The tools in the format of `tools/list` for this result form, as JSON. */
  listTools(form: ResultForm): RawJson
  /** Absent: the endpoint has tools only. */
  resources?: EndpointResources
  /** Adds `structuredContent` to results, in revisions that support it. */
  structuredOutput: boolean
  /** Some tools are slow and report progress. */
  reportsProgress?: boolean
  /** Form of a tool failure in a legacy call: a JSON-RPC error, or a result with `isError`. */
  legacyFailures: 'error' | 'result'
  origins: OriginPolicy
  hooks: EndpointHooks
}

export type EndpointHooks = {
  /** Called on every request, for public endpoints as well. `ok` admits the request. */
  authenticate(bearer: string | null): Promise<'ok' | Unauthorized>
  /** Page about the credential, for the 401 body. */
  docsUrl: string
  /**
   * Takes `count` requests from the caller's rate limit, all or none. Also called for rejected callers, whose token is
   * absent here.
   */
  takeRequests(caller: Caller, count: number): Promise<'ok' | { retryAfterSeconds: number }>
  /** Takes one call from the account's monthly allowance. */
  takeCall(): Promise<'ok' | AllowanceReached>
  /** Stores the identity of a client that does not repeat it with each call. */
  rememberClient(request: McpRequest, client: NonNullable<CallRecord['client']>): void | Promise<void>
  /** Returns the stored client of matching requests. Never rejects. */
  knownClient(request: McpRequest): CallRecord['client'] | Promise<CallRecord['client']>
  /** Called after every tool call is answered. Must return immediately and never throw. */
  recordCall(call: CallRecord): void
  /** Called with errors of a tool other than `ToolError`. */
  reportFailure(error: unknown, tool: string): void
}

export type AllowanceReached = {
  reason: 'monthly_limit_reached'
  limit: number
  used: number
  /** ISO 8601. */
  resetsAt: string
  upgradeUrl: string
}

export type CallRecord = {
  tool: string
  /** The endpoint has no tool of this name. The name is client text. */
  isUnknown?: true
  /** A page was read as a resource, which the allowance does not count. */
  isRead?: true
  arguments: unknown
  /** The client's own name. An unknown legacy client has only its User-Agent. */
  client: { name: string; version: string | null } | null
  status: 'ok' | 'error'
  /** Milliseconds from the parsed request to the finished result. */
  durationMs: number
  /** Of a call with status `ok`: why the answer of a language model was not used. */
  error?: string
  citations: ToolCitation[]
  /** Answer quality, if the tool can estimate it. */
  confidence?: string
  /** The widget that asked. */
  attribution?: Attribution
}

/** Answers a request in the way of one group of protocol revisions. */
export type AnswerRequest = (
  endpoint: Endpoint,
  message: RpcRequest,
  http: McpRequest,
  report?: ReportProgress,
) => Promise<Reply>
