import { callFailure } from './call-failure.ts'
import type { AllowanceReached, CallRecord, Endpoint, EndpointTool } from './endpoint.ts'
import type { ReportProgress } from '#mcp/definition/tool.ts'
import { RPC, type RpcError } from '#mcp/protocol/json-rpc.ts'
import type { ResultForm, SerialisedResult } from '#mcp/definition/serialised-result.ts'

type ToolCall = {
  arguments: unknown
  client: CallRecord['client']
  attribution?: CallRecord['attribution']
  form: ResultForm
  signal: AbortSignal | undefined
  report: ReportProgress | undefined
}

export type CallOutcome =
  | { ok: true; result: SerialisedResult }
  /** `isRefused`: the account had no calls left, so no call was made. */
  | { ok: false; error: RpcError; isRefused?: true }

const NO_SUCH_TOOL = 'There is no tool'
const NO_TOOL_NAMED = 'The tool is not named'
/** Name in the request log for a call without a tool name. */
const UNNAMED = '(none)'

/**
 * Runs one call of a known tool: arguments, allowance, work, record. Returns failures in the form of the client's era.
 * Rejects only with `StoreUnavailableError` or a `DocentError` of status 503, if the service is temporarily
 * unavailable.
 */
export async function callTool(endpoint: Endpoint, tool: EndpointTool, call: ToolCall): Promise<CallOutcome> {
  const started = performance.now()
  const outcome = await attempt(endpoint, tool, call)
  if (!outcome.ok && outcome.isRefused) return outcome
  const record: CallRecord = {
    tool: tool.listed.name,
    arguments: call.arguments,
    client: call.client,
    status: outcome.ok ? 'ok' : 'error',
    durationMs: performance.now() - started,
    citations: outcome.ok ? outcome.result.citations : [],
    ...(outcome.ok && outcome.result.confidence ? { confidence: outcome.result.confidence } : {}),
    ...errorOf(outcome),
    ...(call.attribution ? { attribution: call.attribution } : {}),
  }
  // Recording must not delay the response, which is sent in this turn of the event loop.
  setImmediate(() => endpoint.hooks.recordCall(record))
  return outcome
}

function errorOf(outcome: CallOutcome): Pick<CallRecord, 'error'> {
  const error = outcome.ok ? outcome.result.failure : outcome.error.message
  return error === undefined ? {} : { error }
}

async function attempt(
  { hooks }: Endpoint,
  tool: EndpointTool,
  { arguments: args, form, signal, report }: ToolCall,
): Promise<CallOutcome> {
  try {
    const run = tool.prepare(args)
    const allowance = await hooks.takeCall()
    if (allowance !== 'ok') {
      return { ok: false, error: allowanceError(allowance), isRefused: true }
    }
    return { ok: true, result: await run(form, signal, report) }
  } catch (error) {
    return { ok: false, error: callFailure(error, { hooks, signal, what: tool.listed.name }) }
  }
}

/** The message is complete without the data: most clients show their model only one of them. */
function allowanceError(reached: AllowanceReached): RpcError {
  const { limit, resetsAt, upgradeUrl } = reached
  const allowance = `The monthly allowance of ${limit.toLocaleString('en')} MCP requests is used up.`
  const message = `${allowance} It renews on ${resetsAt.slice(0, 10)} (UTC). Larger plans: ${upgradeUrl}`
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
  const refused = { arguments: params['arguments'], client, status: 'error' as const, durationMs: 0, citations: [] }
  setImmediate(() => hooks.recordCall({ tool: name || UNNAMED, isUnknown: true, ...refused, error: message }))
  return { code: RPC.invalidParams, message }
}

/** True if the message is that of {@link refuseUnknownTool}. */
export function isUnknownToolError(message: string | null): boolean {
  return message !== null && (message.startsWith(NO_SUCH_TOOL) || message.startsWith(NO_TOOL_NAMED))
}
