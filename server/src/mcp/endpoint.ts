import type { OriginPolicy } from './origins.ts'
import type { RawJson } from './raw-json.ts'
import type { Caller, McpRequest } from './request.ts'
import type { ResultForm, SerialisedResult } from './serialised-result.ts'
import type { ListedTool, ToolCitation } from './tool.ts'

/** A tool of an endpoint, with all that it needs besides its arguments. */
export type EndpointTool = {
  listed: ListedTool
  /** Capabilities of the client without which a modern call is refused. */
  requires?: Record<string, Record<string, unknown>>
  /**
   * Checks the arguments. Throws a `ToolError` that says how to mend them, and a `DocentError` when no call can be taken
   * at the moment.
   */
  prepare(args: unknown): (form: ResultForm, signal?: AbortSignal) => Promise<SerialisedResult>
}

/** One MCP endpoint as the dispatcher serves it: a hosted server, or anything else that offers tools. */
export type Endpoint = {
  /** `name` is for programs, `title` for people. */
  info: { name: string; title: string; version: string }
  /** Told to the client's model when it connects. */
  instructions: string
  /** Private: callers need a token, and shared caches may keep nothing. */
  visibility: 'public' | 'private'
  /** In the order in which they are listed. */
  tools: readonly EndpointTool[]
  /** JSON of the tools as `tools/list` gives them to readers of this form. */
  listTools(form: ResultForm): RawJson
  /** Whether results have `structuredContent`, in the revisions that know it. */
  structuredOutput: boolean
  /** How a legacy call learns that its tool failed: a JSON-RPC error, or a result with `isError`. */
  legacyFailures: 'error' | 'result'
  origins: OriginPolicy
  hooks: EndpointHooks
}

export type EndpointHooks = {
  /** Asked on every request, public endpoints included; `ok` admits. */
  authenticate(bearer: string | null): Promise<'ok' | 'missing_token' | 'invalid_token'>
  /** Page that explains access tokens, for the 401 body. */
  docsUrl: string
  /**
   * Takes `count` requests off the caller's rate limit, all or none. Asked also for callers who were not admitted, which
   * have no token here.
   */
  takeRequests(caller: Caller, count: number): Promise<'ok' | { retryAfterSeconds: number }>
  /** Takes one call off the account's monthly allowance. */
  takeCall(): Promise<'ok' | AllowanceReached>
  /** Hears who says to be calling, from clients that do not say so with each call. */
  rememberClient(request: McpRequest, client: NonNullable<CallRecord['client']>): void
  /** Who was remembered for requests like this one. */
  knownClient(request: McpRequest): CallRecord['client']
  /** Hears of every call of a tool after its answer was made; must return at once and never throw. */
  recordCall(call: CallRecord): void
  /** Hears of what a tool threw that was no `ToolError`. */
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
  /** The endpoint has no tool of that name, which is then whatever the client made up. */
  isUnknown?: true
  arguments: unknown
  /** As the client names itself; a legacy one that was not remembered is known by its User-Agent only. */
  client: { name: string; version: string | null } | null
  status: 'ok' | 'error'
  /** Milliseconds from the parsed request to the finished result. */
  durationMs: number
  error?: string
  citations: ToolCitation[]
  /** How well the sources answered, where the tool can tell. */
  confidence?: string
}
