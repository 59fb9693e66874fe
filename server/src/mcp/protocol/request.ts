/** A POST request that has passed `preflight`, as the dispatcher reads it. Independent of web frameworks. */
export type McpRequest = {
  /** Case-insensitive; null if absent. The web's `Headers` fits. */
  headers: { get(name: string): string | null }
  body: string | Uint8Array
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

/** The caller, for rate limits. */
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
