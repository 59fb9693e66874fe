import { callFailure } from './call-failure.ts'
import type { CallRecord, Endpoint, EndpointResources } from './endpoint.ts'
import { refuseCursor } from './endpoint-tools.ts'
import { RPC, type RpcError } from '#mcp/protocol/json-rpc.ts'
import type { RpcRequest } from '#mcp/protocol/message.ts'
import type { SerialisedResult } from '#mcp/definition/serialised-result.ts'

/** The method that reads a page, which is also its name in the request log. */
export const READ_RESOURCE = 'resources/read'

type Asked = {
  /** The client, for the request log. */
  client: () => CallRecord['client'] | Promise<CallRecord['client']>
  signal: AbortSignal | undefined
}

/** Members of the result, or the error of the protocol. */
type ResourceOutcome = { result: Record<string, unknown>; members?: SerialisedResult['members'] } | { error: RpcError }

/**
 * Answers a request for resources. Null if the method is another one, or the endpoint has no resources. Rejects only if
 * the service is temporarily unavailable, as `callTool` does.
 */
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
      return refused ? { error: refused } : { result: { resourceTemplates: resources.listTemplates() } }
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
    const { members } = await resources.list(isAbsent ? undefined : cursor, signal)
    return { result: {}, members }
  } catch (error) {
    return { error: callFailure(error, { hooks, signal, what: 'resources/list' }) }
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
  const record = async (rest: Pick<CallRecord, 'status' | 'citations' | 'error'>) => {
    const durationMs = performance.now() - started
    const call = {
      tool: READ_RESOURCE,
      isRead: true as const,
      arguments: { uri },
      client: await clientOf(),
      durationMs,
    }
    setImmediate(() => hooks.recordCall({ ...call, ...rest }))
  }
  try {
    const { members, citations } = await resources.read(uri, signal)
    await record({ status: 'ok', citations })
    return { result: {}, members }
  } catch (error) {
    const told = callFailure(error, { hooks, signal, what: READ_RESOURCE })
    await record({ status: 'error', citations: [], error: told.message })
    return { error: told.code === RPC.invalidParams ? { ...told, data: { uri: uri.slice(0, 2_000) } } : told }
  }
}
