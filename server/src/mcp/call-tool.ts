import type { CallRecord, Endpoint } from './endpoint.ts'
import { RPC, type RpcError } from './json-rpc.ts'
import type { Tool, ToolResult } from './tool.ts'
import { ToolError } from './tool-error.ts'

export type CallOutcome = { ok: true; result: ToolResult } | { ok: false; error: RpcError }

const MONTHLY_LIMIT = 'The monthly allowance of MCP requests is used up. It renews at the date given as resetsAt.'
const UNEXPECTED = 'Something went wrong on our side. The error has been logged. Try again in a moment.'

/** Runs one call of a known tool: arguments, allowance, work, record. Never rejects; failures are told in both eras. */
export async function callTool<C>(
  endpoint: Endpoint<C>,
  tool: Tool<C>,
  call: { arguments: unknown; client: CallRecord['client']; signal: AbortSignal | undefined },
): Promise<CallOutcome> {
  const started = performance.now()
  const outcome = await attempt(endpoint, tool, call)
  const record: CallRecord = {
    tool: tool.listed.name,
    arguments: call.arguments,
    client: call.client,
    status: outcome.ok ? 'ok' : 'error',
    durationMs: performance.now() - started,
    citations: outcome.ok ? (outcome.result.citations ?? []) : [],
    ...(outcome.ok && outcome.result.confidence ? { confidence: outcome.result.confidence } : {}),
    ...(outcome.ok ? {} : { error: outcome.error.message }),
  }
  // Recording must not hold up the answer, which goes out in this turn of the event loop.
  setImmediate(() => endpoint.hooks.recordCall(record))
  return outcome
}

async function attempt<C>(
  { context, hooks }: Endpoint<C>,
  tool: Tool<C>,
  { arguments: args, signal }: { arguments: unknown; signal: AbortSignal | undefined },
): Promise<CallOutcome> {
  try {
    const run = tool.prepare(args)
    const allowance = await hooks.takeCall()
    if (allowance !== 'ok') {
      return { ok: false, error: { code: RPC.monthlyLimit, message: MONTHLY_LIMIT, data: { ...allowance } } }
    }
    return { ok: true, result: await run(context, signal) }
  } catch (error) {
    if (error instanceof ToolError) {
      const code = error.reason === 'arguments' ? RPC.invalidParams : RPC.internalError
      return { ok: false, error: { code, message: error.message } }
    }
    hooks.reportFailure(error, tool.listed.name)
    return { ok: false, error: { code: RPC.internalError, message: UNEXPECTED } }
  }
}

/** A failed call as a tool result, for clients that show those to their model. */
export function failureResult({ message, data }: RpcError): Record<string, unknown> {
  return { content: [{ type: 'text', text: message }], ...(data ? { structuredContent: data } : {}), isError: true }
}

export function unknownTool<C>({ tools }: Endpoint<C>, name: unknown): RpcError {
  const names = tools.map(({ listed }) => listed.name).join(', ')
  const asked = typeof name === 'string' ? `There is no tool "${name.slice(0, 100)}".` : 'The tool is not named.'
  return { code: RPC.invalidParams, message: `${asked} This server has: ${names || 'none'}.` }
}
