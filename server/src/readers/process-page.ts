import { zstdCompressSync } from 'node:zlib'
import { chunkPage } from '#chunk/chunk-page.ts'
import { extractPage } from '#extract/extract-page.ts'
import type { ExtractedPage, PageInput, Rejected } from '#extract/extracted-page.ts'
import { fileFormat } from '#extract/files/file-format.ts'
import { elementAt } from '#lib/arrays.ts'
import { encodeOutline } from '#search/outline.ts'
import { type Anchor, placeAnchors } from '#chunk/anchors.ts'
import { textHash, textShape, wordHashes } from './text-hash.ts'

export type PageTask = PageInput & {
  /** Hash of the indexed text; if equal, chunking and compression are skipped. */
  previousTextHash?: string
  /** Metadata that overrides the document's own. */
  given?: { title?: string; language?: string | null; anchors?: Anchor[] }
}

/** Metadata of a page, without its text. */
export type PageSummary = Omit<ExtractedPage, 'kind' | 'markdown' | 'blocks' | 'marks'> & {
  /** UTF-8 bytes of the Markdown. */
  textBytes: number
  /** From `textShape`. */
  shape: string | null
  /** From `wordHashes`. */
  words: Uint32Array
}

export type ProcessedPage = { kind: 'page'; page: PageSummary; textHash: string } & (
  | { unchanged: true; compressed: null; outline: null; chunks: 0 }
  | {
      unchanged: false
      /** Markdown in UTF-8, compressed with zstd. */
      compressed: Uint8Array<ArrayBuffer>
      /** Input of the index, from `encodeOutline`. */
      outline: Uint8Array<ArrayBuffer>
      /** Number of passages. */
      chunks: number
    }
)

/** Processes a page, or a file in another format. Loads the converters of files with the first one. */
export async function processDocument(task: PageTask): Promise<ProcessedPage | Rejected> {
  const format = fileFormat(task)
  if (format === null) return processPage(task)
  const { extractFile } = await import('#extract/files/extract-file.ts')
  return processPage(task, await extractFile(task, format))
}

/**
 * Decodes, extracts, hashes, chunks and compresses a fetched document for the index and the store. `read` is given if
 * it is extracted already.
 */
export function processPage(task: PageTask, read?: ExtractedPage | Rejected): ProcessedPage | Rejected {
  const { anchors, ...given } = task.given ?? {}
  const extracted = read ?? extractPage(anchors ? { ...task, marks: anchors.map(({ offset }) => offset) } : task)
  if (extracted.kind === 'rejected') return extracted
  const { kind, markdown, blocks, marks, ...facts } = { ...extracted, ...given }
  const text = Buffer.from(markdown)
  const page: PageSummary = {
    ...facts,
    textBytes: text.byteLength,
    shape: textShape(markdown),
    words: wordHashes(markdown),
  }
  const hash = textHash(facts.version === null ? facts.title : `${facts.title}\n${facts.version}`, markdown)
  if (hash === task.previousTextHash)
    return { kind, page, textHash: hash, unchanged: true, compressed: null, outline: null, chunks: 0 }
  const passages = chunkPage({ title: facts.title, markdown, blocks })
  const chunks = anchors ? placeAnchors(passages, movedTo(anchors, marks)) : passages
  // Copy it out of the compressor's larger buffer, so that it can be transferred to another thread.
  const compressed = new Uint8Array(zstdCompressSync(text))
  const outline = encodeOutline({ language: facts.language, version: facts.version, chunks })
  return { kind, page, textHash: hash, unchanged: false, compressed, outline, chunks: chunks.length }
}

/** Anchors at their places in the extracted text. Only Markdown has anchors. */
function movedTo(anchors: readonly Anchor[], marks: readonly number[] = []): Anchor[] {
  return anchors.map(({ anchor }, index) => ({ offset: elementAt(marks, index), anchor }))
}
