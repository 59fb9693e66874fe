import { DocentError } from '#errors.ts'
import { corsHeaders, isAllowedOrigin, type OriginPolicy } from '#mcp/protocol/origins.ts'
import { bearerOf, type McpRequest, type McpResponse } from '#mcp/protocol/request.ts'

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
  if (isProbe(method, headers) || isSessionEnd(method, headers)) return methodNotAllowed(origins, origin)
  return null
}

export function methodNotAllowed(origins: OriginPolicy, origin: string | null): McpResponse {
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

/**
 * A client that opens the optional event stream, or probes for OAuth like Codex: any `Accept`, and the protocol's own
 * headers. With an API key it is a person who reads the server's details.
 */
function isProbe(method: string, headers: McpRequest['headers']): boolean {
  if (method !== 'GET' || hasApiKey(headers)) return false
  const accepts = headers.get('accept')?.toLowerCase() ?? ''
  const isOfProtocol = headers.get('mcp-protocol-version') !== null || headers.get('mcp-session-id') !== null
  return accepts.includes('text/event-stream') || isOfProtocol
}

/** A legacy client that ends its session. We create no sessions, so there is nothing to end. */
function isSessionEnd(method: string, headers: McpRequest['headers']): boolean {
  return method === 'DELETE' && headers.get('mcp-session-id') !== null && !hasApiKey(headers)
}

function hasApiKey(headers: McpRequest['headers']): boolean {
  return bearerOf(headers)?.startsWith('dk_live_') === true
}
