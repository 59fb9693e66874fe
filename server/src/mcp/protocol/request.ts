/** A POST request that has passed `preflight`, as the dispatcher reads it. Independent of web frameworks. */
export type McpRequest = {
  /** Case-insensitive; null if absent. The web's `Headers` fits. */
  headers: { get(name: string): string | null }
  /** Empty if it was not UTF-8. */
  body: string
  /** The client's network address, as resolved through trusted proxies. */
  address: string
  /** Aborts when the client disconnects. */
  signal?: AbortSignal
}

export type McpResponse = {
  status: number
  headers: Record<string, string>
  /** JSON as text or UTF-8. Null for a response without a body, or with a stream. */
  body: string | Uint8Array | null
  /** Server-sent events, for a call that reports progress. */
  stream?: AsyncIterable<string>
}

export type Caller = {
  address: string
  /** Set only after verification, so that invented tokens do not get separate allowances. */
  accessToken: string | null
}

/** The credential after `Bearer` in the Authorization header, or null. */
export function bearerOf(headers: McpRequest['headers']): string | null {
  const match = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')
  return match?.[1] ?? null
}

/** Origins whose pages may call the endpoints. These accept no cookies, so this protects loopback instances. */
export type OriginPolicy = {
  /** Origin of this instance, such as `https://docs.example.org`. */
  own: string
  /** Additional origins, or `any` on a public instance. */
  allowed: readonly string[] | 'any'
}

/** True without an `Origin` header: only browsers send it, and only they can be abused for calls on another's behalf. */
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

/** CORS headers that let an allowed origin read the response. Empty for other clients than browsers. */
export function corsHeaders({ allowed }: OriginPolicy, origin: string | null): Record<string, string> {
  if (origin === null) return {}
  if (allowed === 'any') return { 'access-control-allow-origin': '*', ...CORS }
  return { 'access-control-allow-origin': origin, vary: 'Origin', ...CORS }
}
