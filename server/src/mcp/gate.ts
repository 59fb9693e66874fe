import { DocentError } from '#errors.ts'
import { corsHeaders, isAllowedOrigin, type OriginPolicy } from './origins.ts'
import { bearerOf, type McpRequest, type McpResponse } from './request.ts'

/**
 * What can be answered from method and headers alone, before the server is looked up or anybody authenticated:
 * refused origins, preflights, and the GET and DELETE probes of MCP clients, which report errors at anything but 405.
 * Null: nothing to refuse here. A GET or DELETE that gets null is one for the management interface.
 */
export function gate(origins: OriginPolicy, { method, headers }: Pick<McpRequest, 'method' | 'headers'>) {
  const origin = headers.get('origin')
  if ((method === 'POST' || method === 'OPTIONS') && !isAllowedOrigin(origins, origin)) {
    return refusal(new DocentError('origin_not_allowed'))
  }
  if (method === 'OPTIONS') return { status: 204, headers: corsHeaders(origins, origin), body: null }
  if (isStreamProbe(method, headers) || isSessionEnd(method, headers)) return methodNotAllowed(origins, origin)
  return null
}

export function methodNotAllowed(origins: OriginPolicy, origin: string | null): McpResponse {
  const cors = isAllowedOrigin(origins, origin) ? corsHeaders(origins, origin) : {}
  return refusal(new DocentError('method_not_allowed', { headers: { allow: 'POST', ...cors } }))
}

/** An answer outside JSON-RPC, in the management interface's form. */
export function refusal(error: DocentError, headers: Record<string, string> = {}): McpResponse {
  return {
    status: error.status,
    headers: { 'content-type': 'application/json', ...headers, ...error.headers },
    body: JSON.stringify(error.body),
  }
}

/** A legacy client that opens the optional event stream. With an API key it is somebody reading the server's detail. */
function isStreamProbe(method: string, headers: McpRequest['headers']): boolean {
  const accepts = headers.get('accept')?.toLowerCase() ?? ''
  return method === 'GET' && accepts.includes('text/event-stream') && !hasApiKey(headers)
}

/** A legacy client that ends its session. We never make sessions, so there is nothing to end. */
function isSessionEnd(method: string, headers: McpRequest['headers']): boolean {
  if (method !== 'DELETE') return false
  if (bearerOf(headers)?.startsWith('dat_') === true) return true
  return headers.get('mcp-session-id') !== null && !hasApiKey(headers)
}

function hasApiKey(headers: McpRequest['headers']): boolean {
  return bearerOf(headers)?.startsWith('dk_live_') === true
}
