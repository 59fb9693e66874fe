import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Chunk } from './page.ts'

/** What the index needs of a page beside its Markdown, kept with it so that an index can be made again from the store. */
export type Outline = {
  language: string | null
  chunks: Chunk[]
  /** What it says of other pages where it links to them. */
  links?: [url: string, text: string][]
}

export function encodeOutline(outline: Outline): Uint8Array<ArrayBuffer> {
  // Copied out of the larger buffer that the compressor allocates, so that it can be handed to another thread.
  return new Uint8Array(zstdCompressSync(JSON.stringify(outline)))
}

export function decodeOutline(bytes: Uint8Array): Outline {
  return JSON.parse(zstdDecompressSync(bytes).toString()) as Outline
}
