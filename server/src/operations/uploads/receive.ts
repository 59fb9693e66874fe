import { MAX_UPLOAD_BYTES } from '@docent/contract/limits'
import { DocentError } from '#errors.ts'
import { newId } from '#lib/ids.ts'
import type { Store } from '#store/db.ts'
import { deleteUpload, insertUpload, insertUploadPart } from '#store/sources/uploads.ts'
import type { BodyBytes } from '../operation.ts'

/** SQLite takes about 5 ms to write a part of 2 MB, which blocks everything else. */
const PART_BYTES = 2_000_000

type About = { serverId: string; fileName: string; now: number }

/**
 * Streams the request body to the store, so that it is never whole in memory. Returns its id and size. Throws `400
 * upload_empty` or `413 payload_too_large`. On an error or an incomplete body, nothing is kept.
 */
export async function receive(
  { write }: Pick<Store, 'write'>,
  { declared, chunks }: BodyBytes,
  { serverId, fileName, now }: About,
): Promise<{ id: string; bytes: number }> {
  if (declared !== null && declared > MAX_UPLOAD_BYTES) throw new DocentError('payload_too_large')
  const id = newId('upl')
  await insertUpload(write, { id, serverId, fileName, createdAt: now })
  try {
    let bytes = 0
    let part = 0
    for await (const piece of inParts(chunks)) {
      bytes += piece.byteLength
      await insertUploadPart(write, id, part++, piece)
    }
    if (bytes === 0) throw new DocentError('upload_empty')
    return { id, bytes }
  } catch (error) {
    await deleteUpload(write, id)
    throw error
  }
}

async function* inParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let [held, total] = [0, 0]
  for await (const chunk of chunks) {
    total += chunk.byteLength
    if (total > MAX_UPLOAD_BYTES) throw new DocentError('payload_too_large')
    waiting.push(chunk)
    held += chunk.byteLength
    if (held < PART_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    held = 0
  }
  if (held > 0) yield Buffer.concat(waiting)
}
