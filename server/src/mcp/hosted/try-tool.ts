import type { ServedServer } from '#store/servers/served.ts'
import { dispatch } from '#mcp/dispatch/dispatch.ts'
import { type McpDeps, createHostedEndpoints } from './hosted-endpoints.ts'
import { isObject } from '#mcp/protocol/is-object.ts'
import { LATEST_LEGACY_VERSION } from '#mcp/protocol/versions.ts'

type Trial = { tool: string; arguments: Record<string, unknown> }

export type TrialAnswer = {
  request: Record<string, unknown>
  response: Record<string, unknown>
  /** `structuredContent`, which clients get only if the server has `structuredOutput`. */
  data: Record<string, unknown> | null
  durationMs: number
}

/**
 * Calls tools as clients do, through the dispatcher, for the owner of the server. Takes nothing from the limits of
 * clients, and records nothing.
 */
export function createToolTrials(
  deps: McpDeps,
): (server: ServedServer, trial: Trial, signal: AbortSignal) => Promise<TrialAnswer> {
  const endpointOf = createHostedEndpoints(withoutRecord(deps))
  return async (server, { tool, arguments: args }, signal) => {
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: args } }
    const started = performance.now()
    const { body } = await dispatch(endpointOf({ ...server, structuredOutput: true }), {
      headers: new Headers({ 'mcp-protocol-version': LATEST_LEGACY_VERSION }),
      body: JSON.stringify(request),
      address: '',
      signal,
    })
    const durationMs = performance.now() - started
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body ?? new Uint8Array())
    const response = JSON.parse(text) as Record<string, unknown>
    return { request, ...separateData(response, server.structuredOutput), durationMs }
  }
}

/** For trials of owners: takes nothing from the limits of clients, and records nothing. */
export const withoutRecord = (deps: McpDeps): McpDeps => ({
  ...deps,
  verifyAccessToken: async () => 'ok',
  takeRequests: async () => 'ok',
  takeCall: async () => 'ok',
  recordCall: () => undefined,
})

/** Takes the data out of the message, unless clients of this server get it too. */
function separateData(response: Record<string, unknown>, isShared: boolean): Pick<TrialAnswer, 'response' | 'data'> {
  const { result } = response
  if (!isObject(result)) return { response, data: null }
  const { structuredContent: data, ...rest } = result
  if (!isObject(data)) return { response, data: null }
  return { response: isShared ? response : { ...response, result: rest }, data }
}
