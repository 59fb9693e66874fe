import type { IncomingMessage } from 'node:http'
import { DocentError } from '#errors.ts'

const BOM = '\uFEFF'

/**
 * The body of a request as text. Throws `413 payload_too_large` for more than `limit` bytes: at once where the request
 * declares its length, else when so many have come. Rejects with the stream's error when the client goes away.
 */
export async function readIncoming(incoming: IncomingMessage, limit: number): Promise<string> {
  if (Number(incoming.headers['content-length'] ?? 0) > limit) throw new DocentError('payload_too_large')
  const parts: Buffer[] = []
  let size = 0
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const onData = (part: Buffer) => {
      size += part.byteLength
      parts.push(part)
      if (size <= limit) return
      // The rest goes by unread, so that the refusal can be.
      parts.length = 0
      incoming.off('data', onData).resume()
      reject(new DocentError('payload_too_large'))
    }
    incoming.on('data', onData)
    incoming.once('end', () => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)))
    incoming.once('error', reject)
  })
  const text = bytes.toString('utf8')
  return text.startsWith(BOM) ? text.slice(BOM.length) : text
}
