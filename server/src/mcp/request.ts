/** What the dispatcher reads of an HTTP request; any web framework can make one. */
export type McpRequest = {
  /** The HTTP method, upper case. */
  method: string
  /** Case-insensitive, null when absent; the web's `Headers` fits. */
  headers: { get(name: string): string | null }
  body: string | Uint8Array
  /** The client's network address, behind the trusted proxies. */
  address: string
  /** Aborts when the client goes away. */
  signal?: AbortSignal
}

export type McpResponse = {
  status: number
  headers: Record<string, string>
  /** JSON, as text or as UTF-8; null where the answer has no body. */
  body: string | Uint8Array | null
}

/** Who is asking, for rate limits. */
export type Caller = {
  address: string
  /** Present only when the token was verified, so that made-up tokens do not earn allowances of their own. */
  accessToken: string | null
}

/** What follows `Bearer` in the Authorization header, or null. */
export function bearerOf(headers: McpRequest['headers']): string | null {
  const match = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')
  return match?.[1] ?? null
}
