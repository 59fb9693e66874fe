import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { IndexPage } from './page.ts'

/** Index data of a page beside its Markdown. Stored with the page, so that an index can be rebuilt from the store. */
export type Outline = Pick<IndexPage, 'language' | 'chunks'>

/** A link to another page, with its text. */
type Link = [url: string, text: string]

/** Size of the length field: a little-endian uint32 before the outline. The page's links follow the outline as JSON. */
const LENGTH_BYTES = 4

/** Encodes an outline, compressed with zstd. */
export function encodeOutline({ language, chunks }: Outline): Uint8Array<ArrayBuffer> {
  const outline = zstdCompressSync(JSON.stringify({ language, chunks }))
  const bytes = new Uint8Array(LENGTH_BYTES + outline.byteLength)
  new DataView(bytes.buffer).setUint32(0, outline.byteLength, true)
  bytes.set(outline, LENGTH_BYTES)
  return bytes
}

/** Appends a page's links to an encoded outline. Both can be decoded separately. */
export function withLinks(outline: Uint8Array<ArrayBuffer>, links: readonly Link[]): Uint8Array<ArrayBuffer> {
  if (links.length === 0) return outline
  const json = Buffer.from(JSON.stringify(links))
  const bytes = new Uint8Array(outline.byteLength + json.byteLength)
  bytes.set(outline)
  bytes.set(json, outline.byteLength)
  return bytes
}

export function decodeOutline(bytes: Uint8Array): Outline {
  const end = endOfOutline(bytes)
  const outline = end === null ? bytes : bytes.subarray(LENGTH_BYTES, end)
  return JSON.parse(zstdDecompressSync(outline).toString()) as Outline
}

export function linksOf(bytes: Uint8Array): Link[] {
  const end = endOfOutline(bytes)
  if (end === null) return (JSON.parse(zstdDecompressSync(bytes).toString()) as { links?: Link[] }).links ?? []
  return end === bytes.byteLength ? [] : (JSON.parse(Buffer.from(bytes.subarray(end)).toString()) as Link[])
}

/**
 * End offset of the outline. Null for the older format in one piece: its zstd magic number, read as a length, exceeds
 * any real one.
 */
function endOfOutline(bytes: Uint8Array): number | null {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)
  return LENGTH_BYTES + length > bytes.byteLength ? null : LENGTH_BYTES + length
}
