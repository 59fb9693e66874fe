/** Which browser pages may call hosted servers; the endpoints honour no cookie, so this guards loopback instances. */
export type OriginPolicy = {
  /** The instance's own origin, such as `https://docs.example.org`. */
  own: string
  /** Further origins, or `any` on a public instance. */
  allowed: readonly string[] | 'any'
}

/** True without an `Origin` header: only browsers send one, and only they can be made to call for somebody else. */
export function isAllowedOrigin({ own, allowed }: OriginPolicy, origin: string | null): boolean {
  if (origin === null || allowed === 'any') return true
  return origin === own || allowed.includes(origin) || isLoopback(origin)
}

function isLoopback(origin: string): boolean {
  if (!URL.canParse(origin)) return false
  const { hostname } = new URL(origin)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

const CORS = {
  'access-control-allow-methods': 'POST, GET',
  'access-control-allow-headers':
    'Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
  'access-control-expose-headers': 'WWW-Authenticate',
  'access-control-max-age': '86400',
}

/** For an allowed origin: what lets its page read the answer. Empty for callers that are no browser. */
export function corsHeaders({ allowed }: OriginPolicy, origin: string | null): Record<string, string> {
  if (origin === null) return {}
  if (allowed === 'any') return { 'access-control-allow-origin': '*', ...CORS }
  return { 'access-control-allow-origin': origin, vary: 'Origin', ...CORS }
}
