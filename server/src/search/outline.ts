import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { IndexPage } from './page.ts'

/** What the index needs of a page beside its Markdown, kept with it so that an index can be made again from the store. */
export type Outline = Pick<IndexPage, 'language' | 'chunks'>

/** What a page says of another where it links to it. */
type Link = [url: string, text: string]

/** Of the outline itself, in front of it, little-endian. Behind it is what the page says of others, as JSON. */
const LENGTH_BYTES = 4

/** The outline under zstd. */
export function encodeOutline({ language, chunks }: Outline): Uint8Array<ArrayBuffer> {
  const outline = zstdCompressSync(JSON.stringify({ language, chunks }))
  const bytes = new Uint8Array(LENGTH_BYTES + outline.byteLength)
  new DataView(bytes.buffer).setUint32(0, outline.byteLength, true)
  bytes.set(outline, LENGTH_BYTES)
  return bytes
}

/** An encoded outline with what the page says of others. Who needs the one does not need the other. */
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

/** Null where all is in one, as it was kept before: the sign of zstd would be a length beyond any. */
function endOfOutline(bytes: Uint8Array): number | null {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)
  return LENGTH_BYTES + length > bytes.byteLength ? null : LENGTH_BYTES + length
}
