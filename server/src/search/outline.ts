import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { clippedBlocks } from '#documents/model/sections.ts'
import { readEntries } from '#documents/model/entries/read-entries.ts'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { type Chunk, type IndexPage, withEntries } from './page.ts'
import { ByteReader, ByteWriter } from './segment/bytes.ts'
import { readChunks, writeChunks } from './segment/page-record.ts'

/** Index data of a page beside its Markdown. Stored with the page, so that an index can be rebuilt from the store. */
export type Outline = Pick<IndexPage, 'language' | 'version' | 'chunks'>

/** A link to another page, with its text. */
type Link = [url: string, text: string]

/** Size of the length field: a little-endian uint32 before the outline. The page's links follow the outline as JSON. */
const LENGTH_BYTES = 4
/** Smallest output buffer of zlib. The default of 16 kB takes longer to allocate than an outline to compress. */
const LEAST_CHUNK = 64
/** First byte of an outline with blocks. Older ones are JSON. */
const WITH_BLOCKS = 1

/** Encodes an outline, compressed with zstd. */
export function encodeOutline({ language, version, chunks }: Outline): Uint8Array<ArrayBuffer> {
  const strings: string[] = []
  const ids = new Map<string, number>()
  const id = (text: string): number => {
    let known = ids.get(text)
    if (known === undefined) ids.set(text, (known = strings.push(text) - 1))
    return known
  }
  const records = new ByteWriter()
  writeChunks(records, chunks, { headings: id, codeLanguages: id })
  const out = new ByteWriter()
  out.byte(WITH_BLOCKS)
  out.text(JSON.stringify({ language, version: version ?? undefined, strings }))
  out.bytes(records.view())
  const outline = zstdCompressSync(out.view(), { chunkSize: Math.max(LEAST_CHUNK, out.length) })
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
  const outline = zstdDecompressSync(end === null ? bytes : bytes.subarray(LENGTH_BYTES, end))
  if (outline[0] !== WITH_BLOCKS) return JSON.parse(outline.toString()) as Outline
  const reader = new ByteReader(outline, 1)
  const { strings, ...facts } = JSON.parse(reader.text()) as Omit<Outline, 'chunks'> & { strings: string[] }
  const text = (index: number) => strings[index] ?? ''
  return { ...facts, chunks: readChunks(reader, { headings: text, codeLanguages: text }) }
}

/**
 * The chunks of a page with their blocks and entries. Outlines of older programs have none: they are read from the
 * Markdown, with the anchors of the chunks, until the page is extracted again.
 */
export function withBlocks(
  chunks: readonly Chunk[],
  { title, markdown }: { title: string; markdown: string },
): Chunk[] {
  if (chunks.every((chunk) => 'blocks' in chunk)) return [...chunks]
  const blocks = markdownBlocks(markdown)
  const parts = chunks.map((chunk) => ({
    ...chunk,
    blocks: clippedBlocks(markdown, blocks, chunk).map((block) =>
      block.kind === 'heading'
        ? { ...block, anchor: block.text === chunk.headings.at(-1) ? chunk.anchor : null }
        : block,
    ),
  }))
  return withEntries(parts, readEntries({ title, markdown, blocks }))
}

export function linksOf(bytes: Uint8Array): Link[] {
  const end = endOfOutline(bytes)
  if (end === null) return (JSON.parse(zstdDecompressSync(bytes).toString()) as { links?: Link[] }).links ?? []
  return end === bytes.byteLength ? [] : (JSON.parse(Buffer.from(bytes.subarray(end)).toString()) as Link[])
}

/** The text of the first link to an address. Null without one. Reads the links only if the address is among them. */
export function linkTextTo(bytes: Uint8Array, url: string): string | null {
  const end = endOfOutline(bytes)
  if (end !== null && Buffer.from(bytes.buffer, bytes.byteOffset + end, bytes.byteLength - end).indexOf(url) < 0)
    return null
  return linksOf(bytes).find(([to]) => to === url)?.[1] ?? null
}

/** End of the outline. Null for the older format in one piece, whose magic number is no real length. */
function endOfOutline(bytes: Uint8Array): number | null {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true)
  return LENGTH_BYTES + length > bytes.byteLength ? null : LENGTH_BYTES + length
}
