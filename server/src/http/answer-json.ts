import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Context } from 'hono'
import { acceptsEncoding } from './accepts-encoding.ts'
import type { Bindings } from './bindings.ts'

const compress = promisify(gzip)
/** About one packet. A smaller answer arrives no sooner. */
export const LEAST_BYTES = 1_400

/** Sends a value as JSON, compressed if the client accepts that. A list of pages gets a tenth of its size. */
export async function answerJson(c: Context<Bindings>, value: object): Promise<Response> {
  const body = new TextEncoder().encode(JSON.stringify(value))
  // Responses are private to the caller, and some contain secrets that are shown once.
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', vary: 'Accept-Encoding' }
  if (body.byteLength < LEAST_BYTES || !acceptsEncoding(c.req.header('accept-encoding'), 'gzip'))
    return c.body(body, 200, headers)
  return c.body(new Uint8Array(await compress(body)), 200, { ...headers, 'content-encoding': 'gzip' })
}
