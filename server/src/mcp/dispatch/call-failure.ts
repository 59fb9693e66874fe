import { DocentError } from '#errors.ts'
import { StoreUnavailableError } from '#store/engine/store-unavailable.ts'
import type { EndpointHooks } from './endpoint.ts'
import { RPC, type RpcError } from '#mcp/protocol/json-rpc.ts'
import { asToolError } from '#mcp/definition/tool-error.ts'

const CANCELLED = 'The caller left before the answer came.'
const UNEXPECTED = 'Something went wrong on our side. The error has been logged. Try again in a moment.'

type Failed = { hooks: Pick<EndpointHooks, 'reportFailure'>; signal: AbortSignal | undefined; what: string }

/**
 * The error of a failed request for its caller. Reports bugs. Throws a `StoreUnavailableError` or a `DocentError` of
 * status 503 again: these are answered by 503, so that proxies and clients know to retry.
 */
export function callFailure(error: unknown, { hooks, signal, what }: Failed): RpcError {
  if (signal?.aborted) return { code: RPC.internalError, message: CANCELLED }
  if (error instanceof StoreUnavailableError || (error instanceof DocentError && error.status === 503)) throw error
  const told = asToolError(error)
  if (told) return { code: told.reason === 'arguments' ? RPC.invalidParams : RPC.internalError, message: told.message }
  hooks.reportFailure(error, what)
  return { code: RPC.internalError, message: UNEXPECTED }
}
