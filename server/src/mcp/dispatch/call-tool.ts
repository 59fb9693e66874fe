import type { Outcome } from '@docent/contract/values/outcomes'
import { DocentError, toDocentError } from '#errors.ts'
import { defined } from '#lib/objects.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import {
  type AllowanceReached,
  type CallRecord,
  type CallSource,
  type Endpoint,
  type EndpointTool,
  type EndpointHooks,
  type EndpointResources,
  refuseCursor,
} from './endpoint.ts'
import type { ReportProgress } from '../definition/tool.ts'
import { RPC, type RpcError, type RpcRequest } from '../protocol/message.ts'
import { outcomeOfError } from '../definition/outcome.ts'
import { type ResultForm, type SerialisedResult, asToolError } from '../definition/tool-result.ts'

type ToolCall = Pick<CallRecord, 'arguments' | 'client' | 'attribution'> & {
  from: CallSource
  form: ResultForm
  signal: AbortSignal | undefined
  report: ReportProgress | undefined
}

export type CallOutcome =
  | { ok: true; result: SerialisedResult }
  | { ok: false; error: RpcError; outcome: Outcome }
  /** The account had no calls left, so no call was made. */
  | { ok: false; error: RpcError; isRefused: true }

const NO_SUCH_TOOL = 'There is no tool'
const NO_TOOL_NAMED = 'The tool is not named'
/** Name in the request log for a call without a tool name. */
const UNNAMED = '(none)'

/** Runs one call: arguments, allowance, work, record. Rejects only with errors that are answered by 503. */
export async function callTool(endpoint: Endpoint, tool: EndpointTool, call: ToolCall): Promise<CallOutcome> {
  const started = performance.now()
  const record = ({ outcome, citations = [], confidence, error }: Ended) => {
    const durationMs = performance.now() - started
    const { arguments: sent, client, attribution } = call
    const asked = { tool: tool.listed.name, arguments: sent, client, durationMs, outcome, citations }
    // Recording must not delay the response, which is sent in this turn of the event loop.
    setImmediate(() => endpoint.hooks.recordCall({ ...asked, ...defined({ confidence, error, attribution }) }))
  }
  const called = await attempt(endpoint, tool, call).catch((error: unknown) => {
    // A busy service has begun no call.
    if (!isBusy(error)) record({ outcome: 'failed', error: toDocentError(error).message })
    throw error
  })
  if (called.ok) record({ ...called.result, error: called.result.failure })
  else if ('outcome' in called) record({ outcome: called.outcome, error: called.error.message })
  return called
}

/** What is recorded of a call besides what was asked. */
type Ended = Pick<CallRecord, 'outcome'> &
  Partial<Pick<SerialisedResult, 'citations' | 'confidence'>> & {
    error: string | undefined
  }

const isBusy = (error: unknown): boolean => error instanceof DocentError && error.code === 'too_busy'

async function attempt(
  { hooks }: Endpoint,
  tool: EndpointTool,
  { arguments: args, from, form, signal, report }: ToolCall,
): Promise<CallOutcome> {
  try {
    const run = tool.prepare(args)
    const allowance = await hooks.takeCall(from)
    if (allowance !== 'ok') return { ok: false, error: allowanceError(allowance), isRefused: true }
    return { ok: true, result: await run(form, signal, report) }
  } catch (error) {
    return { ok: false, ...callFailure(error, { hooks, signal, what: tool.listed.name }) }
  }
}

const ANONYMOUS = {
  month: 'in a month without an access token',
  day: 'in a day without an access token',
  network: 'in a day from one network without an access token',
}

/** The message is complete without the data: most clients show their model only one of them. */
function allowanceError(reached: AllowanceReached): RpcError {
  const limit = reached.limit.toLocaleString('en')
  const renews = `on ${reached.resetsAt.slice(0, 10)} (UTC).`
  const message =
    reached.reason === 'monthly_limit_reached'
      ? `The monthly allowance of ${limit} MCP requests is used up. It renews ${renews} Larger plans: ${reached.upgradeUrl}`
      : `The limit of ${limit} MCP requests ${ANONYMOUS[reached.of]} is used up. It renews ${renews} An access token of this server lifts it.`
  return { code: RPC.monthlyLimit, message, data: { ...reached } }
}

/** A failed call as a tool result, for clients that show results to their model. */
export function failureResult({ message, data }: RpcError): Record<string, unknown> {
  return { content: [{ type: 'text', text: message }], ...(data ? { structuredContent: data } : {}), isError: true }
}

/** Refuses a call of an unknown tool, and records it as failed under the requested name. */
export function refuseUnknownTool(
  { tools, hooks }: Endpoint,
  params: Record<string, unknown>,
  client: CallRecord['client'],
): RpcError {
  const name = typeof params['name'] === 'string' ? params['name'] : ''
  const names = tools.map(({ listed }) => listed.name).join(', ')
  const asked = name ? `${NO_SUCH_TOOL} "${name.slice(0, 100)}".` : `${NO_TOOL_NAMED}.`
  const message = `${asked} This server has: ${names || 'none'}.`
  const refused = { arguments: params['arguments'], client, outcome: 'refused' as const, durationMs: 0, citations: [] }
  setImmediate(() => hooks.recordCall({ tool: name || UNNAMED, isUnknown: true, ...refused, error: message }))
  return { code: RPC.invalidParams, message }
}

export function isUnknownToolError(message: string | null): boolean {
  return message !== null && (message.startsWith(NO_SUCH_TOOL) || message.startsWith(NO_TOOL_NAMED))
}

const CANCELLED = 'The caller left before the answer came.'
const UNEXPECTED = 'Something went wrong on our side. The error has been logged. Try again in a moment.'

type Failed = { hooks: Pick<EndpointHooks, 'reportFailure'>; signal: AbortSignal | undefined; what: string }

/** The error of a failed request for its caller. Reports bugs. Throws an outage again, to be answered by 503. */
function callFailure(error: unknown, { hooks, signal, what }: Failed): { error: RpcError; outcome: Outcome } {
  if (signal?.aborted) return { error: { code: RPC.internalError, message: CANCELLED }, outcome: 'failed' }
  if (error instanceof StoreUnavailableError || (error instanceof DocentError && error.status === 503)) throw error
  const told = asToolError(error)
  if (told === null) hooks.reportFailure(error, what)
  const code = told?.reason === 'arguments' ? RPC.invalidParams : RPC.internalError
  return { error: { code, message: told?.message ?? UNEXPECTED }, outcome: outcomeOfError(told) }
}

/** The method that reads a page, which is also its name in the request log. */
export const READ_RESOURCE = 'resources/read'

type Asked = { client: () => CallRecord['client'] | Promise<CallRecord['client']>; signal: AbortSignal | undefined }

type ResourceOutcome = { members: Uint8Array } | { error: RpcError }

/** Answers a request for resources. Null if it asks for others, or the endpoint has none. Rejects as `callTool` does. */
export async function answerResources(
  endpoint: Endpoint,
  { method, params }: RpcRequest,
  asked: Asked,
): Promise<ResourceOutcome | null> {
  const { resources } = endpoint
  if (resources === undefined) return null
  switch (method) {
    case 'resources/list':
      return list(endpoint, resources, params['cursor'], asked.signal)
    case 'resources/templates/list': {
      const refused = refuseCursor(method, params)
      return refused ? { error: refused } : { members: resources.listTemplates() }
    }
    case READ_RESOURCE:
      return read(endpoint, resources, params['uri'], asked)
    default:
      return null
  }
}

async function list(
  { hooks }: Endpoint,
  resources: EndpointResources,
  cursor: unknown,
  signal: AbortSignal | undefined,
): Promise<ResourceOutcome> {
  const isAbsent = cursor === undefined || cursor === null || cursor === ''
  if (!isAbsent && typeof cursor !== 'string')
    return { error: { code: RPC.invalidParams, message: 'The cursor must be text.' } }
  try {
    return await resources.list(isAbsent ? undefined : cursor, signal)
  } catch (error) {
    return { error: callFailure(error, { hooks, signal, what: 'resources/list' }).error }
  }
}

/** Reads a page and records it as a call. A page takes nothing from the monthly allowance, which counts tool calls. */
async function read(
  endpoint: Endpoint,
  resources: EndpointResources,
  uri: unknown,
  { client: clientOf, signal }: Asked,
): Promise<ResourceOutcome> {
  const { hooks } = endpoint
  if (typeof uri !== 'string' || uri === '')
    return { error: { code: RPC.invalidParams, message: 'The member "uri" must be the address of a page.' } }
  const started = performance.now()
  const record = async (rest: Pick<CallRecord, 'outcome' | 'citations' | 'error'>) => {
    const durationMs = performance.now() - started
    const client = await clientOf()
    const call = { tool: READ_RESOURCE, isRead: true as const, arguments: { uri }, client, durationMs, ...rest }
    setImmediate(() => hooks.recordCall(call))
  }
  try {
    const { members, citations } = await resources.read(uri, signal)
    await record({ outcome: 'answered', citations })
    return { members }
  } catch (error) {
    const { error: told, outcome } = callFailure(error, { hooks, signal, what: READ_RESOURCE })
    await record({ outcome, citations: [], error: told.message })
    return { error: told.code === RPC.invalidParams ? { ...told, data: { uri: uri.slice(0, 2_000) } } : told }
  }
}
