import type { FetchLike } from '@modelcontextprotocol/client'
import { hasMoreValues } from '#lib/text/parse-bounded-json.ts'
import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'

/** Bytes of one response, parsed in this process. A tool list with long schemas has about 100 kB. */
const MAX_BYTES = 4 * 1024 * 1024
/** Milliseconds for one request and its full response. Tools can take a while. */
const TOTAL_MS = 25_000

/** Statuses without a body, as `Response` requires. */
const WITHOUT_BODY = new Set([101, 204, 205, 304])

/** Minimum length of a redacted secret. Shorter ones could match ordinary words or JSON syntax. */
const LEAST_SECRET = 8

type Options = {
  origin: string
  /** Credential sent to the server, redacted from its responses. */
  secret: string | null
  signal: AbortSignal
}

/**
 * A `fetch` for the MCP client on top of the guarded HTTP client: one origin, limited sizes and times, redirects
 * returned to the caller. Responses are read completely; a request's event stream ends with its response. The endless
 * stream of a GET is answered as unsupported.
 */
export function mcpFetch(net: Pick<NetClient, 'fetch'>, { origin, secret, signal }: Options): FetchLike {
  return async (input, init = {}) => {
    const url = new URL(input)
    if (url.origin !== origin) throw new Error(`Requests to ${url.origin} are not part of a session with ${origin}`)
    const method = init.method ?? 'GET'
    if (method !== 'POST' && method !== 'DELETE') return new Response(null, { status: 405 })
    const answer = await net.fetch(url.href, {
      method,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' ? { json: JSON.parse(init.body) as unknown } : {}),
      signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal,
      maxBytes: MAX_BYTES,
      totalMs: TOTAL_MS,
      acceptRedirect: () => false,
    })
    // The MCP client parses these bytes with JSON.parse.
    if (hasMoreValues(answer.bytes)) throw new NetError('too_large', 'The MCP server answers with too many values.')
    const { 'content-encoding': _, 'content-length': __, ...headers } = answer.headers
    const body = WITHOUT_BODY.has(answer.status) ? null : without(secret, new Uint8Array(answer.bytes))
    return new Response(body, { status: answer.status, headers })
  }
}

/** Redacts the secret: careless servers echo it, and their text is shown to others than its owner. */
function without(secret: string | null, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | string {
  if (secret === null || secret.length < LEAST_SECRET) return bytes
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return body.includes(secret) ? body.toString('utf8').replaceAll(secret, '[credential]') : bytes
}
