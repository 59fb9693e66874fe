import type { Context } from 'hono'
import { DocentError } from '#errors.ts'
import type { BodyBytes } from '#operations/operation.ts'

/** The body as it comes, for who counts it. */
export function bodyBytes(c: Context): BodyBytes {
  const declared = c.req.header('content-length')
  return { declared: declared === undefined ? null : Number(declared), chunks: chunksOf(c.req.raw) }
}

/** Opened by the first read and not before: of a body that nobody opens, the server disposes by itself. */
async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  if (request.body) yield* request.body
}

/**
 * The body as text. Throws `413 payload_too_large` for more than `limit` bytes: at once where the request declares its
 * length, else when so many have come.
 */
export async function readBody(c: Context, limit: number): Promise<string> {
  const declared = c.req.header('content-length')
  if (declared !== undefined) {
    if (Number(declared) > limit) throw new DocentError('payload_too_large')
    return c.req.text()
  }
  const stream = c.req.raw.body
  if (!stream) return ''
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of stream) {
    size += part.byteLength
    if (size > limit) throw new DocentError('payload_too_large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
