import { hash } from 'node:crypto'

/** Bytes per block with a digest: the postings of a rare word are in one, those of a frequent one in several. */
export const BLOCK_BYTES = 32_768
/** Of SHA-256 per block, as of the texts in packs. */
export const DIGEST_BYTES = 12

const digestOf = (block: Uint8Array) => hash('sha256', block, 'buffer').subarray(0, DIGEST_BYTES)

export const blocksIn = (bytes: number) => Math.ceil(bytes / BLOCK_BYTES)

/** Digests of all blocks of a part, one after another. */
export function digestsOf(part: Uint8Array): Uint8Array {
  const blocks = Array.from({ length: blocksIn(part.byteLength) }, (_, at) =>
    digestOf(part.subarray(at * BLOCK_BYTES, (at + 1) * BLOCK_BYTES)),
  )
  return Buffer.concat(blocks)
}
