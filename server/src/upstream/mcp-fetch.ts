import type { FetchLike } from '@modelcontextprotocol/client'
import { hasMoreValues } from '#lib/parse-bounded-json.ts'
import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'

/** Bytes of one answer, parsed in this process. A list of tools with long schemas has some 100 kB. */
const MAX_BYTES = 4 * 1024 * 1024
/** Milliseconds for one request, its answer read to the end: tools may have work to do. */
const TOTAL_MS = 25_000

/** Statuses whose answer has no body, which `Response` insists on. */
const WITHOUT_BODY = new Set([101, 204, 205, 304])

/** Shorter secrets could be parts of ordinary words, and of the answer's own syntax. */
const LEAST_SECRET = 8

type Options = {
  origin: string
  /** What the server is sent to let us in; taken out of what it answers. */
  secret: string | null
  signal: AbortSignal
}

/**
 * A `fetch` for the MCP client that goes through the guarded door: one origin, sizes and times capped, redirects handed
 * back. Answers are read to their end, which a request's event stream comes to once it was answered; the stream that
 * never ends, of a GET, is answered as by a server that has none.
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
    // The client parses them.
    if (hasMoreValues(answer.bytes)) throw new NetError('too_large', 'The MCP server answers with too many values.')
    const { 'content-encoding': _, 'content-length': __, ...headers } = answer.headers
    const body = WITHOUT_BODY.has(answer.status) ? null : without(secret, new Uint8Array(answer.bytes))
    return new Response(body, { status: answer.status, headers })
  }
}

/** Careless servers repeat what they were sent, and what they say is shown to others than the secret's owner. */
function without(secret: string | null, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | string {
  if (secret === null || secret.length < LEAST_SECRET) return bytes
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return body.includes(secret) ? body.toString('utf8').replaceAll(secret, '[credential]') : bytes
}
