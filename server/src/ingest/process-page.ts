import { zstdCompressSync } from 'node:zlib'
import { chunkPage } from './chunk/chunk-page.ts'
import { extractPage } from './extract/extract-page.ts'
import type { ExtractedPage, PageInput, Rejected } from './extract/extracted-page.ts'
import { encodeOutline } from '#search/outline.ts'
import { placeAnchors } from './place-anchors.ts'
import type { Anchor } from './sources/source-document.ts'
import { textHash } from './text-hash.ts'
import { textShape } from './text-shape.ts'
import { wordHashes } from './word-hashes.ts'

export type PageTask = PageInput & {
  /** Hash of the text as it was indexed last; an equal one spares chunking and compression. */
  previousTextHash?: string
  /** What is known of the document from where it was found, over what it says itself. */
  given?: { title?: string; language?: string | null; anchors?: Anchor[] }
}

/** What is known of a page beside its text. */
export type PageSummary = Omit<ExtractedPage, 'kind' | 'markdown' | 'blocks'> & {
  /** UTF-8 bytes of the Markdown. */
  textBytes: number
  /** As `textShape` gives it. */
  shape: string | null
  /** As `wordHashes` gives them. */
  words: Uint32Array
}

export type ProcessedPage = { kind: 'page'; page: PageSummary; textHash: string } & (
  | { unchanged: true; compressed: null; outline: null; chunks: 0 }
  | {
      unchanged: false
      /** The Markdown, UTF-8, zstd. */
      compressed: Uint8Array<ArrayBuffer>
      /** What the index needs of it, as `encodeOutline` makes it. */
      outline: Uint8Array<ArrayBuffer>
      /** How many passages it has. */
      chunks: number
    }
)

/** A fetched document to everything the index and the store need of it: decode, extract, hash, chunk, compress. */
export function processPage(task: PageTask): ProcessedPage | Rejected {
  const extracted = extractPage(task)
  if (extracted.kind === 'rejected') return extracted
  const { anchors, ...given } = task.given ?? {}
  const { kind, markdown, blocks, ...facts } = { ...extracted, ...given }
  const text = Buffer.from(markdown)
  const page: PageSummary = {
    ...facts,
    textBytes: text.byteLength,
    shape: textShape(markdown),
    words: wordHashes(markdown),
  }
  const hash = textHash(facts.title, markdown)
  if (hash === task.previousTextHash)
    return { kind, page, textHash: hash, unchanged: true, compressed: null, outline: null, chunks: 0 }
  const passages = chunkPage({ title: facts.title, markdown, blocks })
  const chunks = anchors ? placeAnchors(passages, anchors) : passages
  // Copied out of the larger buffer that the compressor allocates, so that it can be handed to another thread.
  const compressed = new Uint8Array(zstdCompressSync(text))
  const outline = encodeOutline({ language: facts.language, chunks })
  return { kind, page, textHash: hash, unchanged: false, compressed, outline, chunks: chunks.length }
}
