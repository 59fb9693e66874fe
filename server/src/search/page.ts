import type { Block, Entry, HeadingBlock } from '#documents/model/document.ts'

/** A passage of a page: a range of its Markdown with citation data. */
export type Chunk = {
  /** UTF-16 offsets into the page's Markdown. Chunks of a page are in order and do not overlap. */
  start: number
  end: number
  /** Headings above the passage, outermost first, without the page title. */
  headings: string[]
  /** Fragment (without `#`) of the nearest heading, or null if there is none. */
  anchor: string | null
  /** Anchors that begin inside the passage, such as later pages of a PDF, in order. Absent if there are none. */
  turns?: Turn[]
  /** Blocks of the passage, as offsets into the page's Markdown. A block that is divided is clipped. */
  blocks: Block[]
  /** Things that the passage names and that begin in it, in order. Absent if there are none. */
  entries?: Entry[]
}

/** An anchor that begins inside a passage, with its offset into the page's Markdown. */
export type Turn = { start: number; anchor: string }

/** Code of a passage without its fences, as offsets into the page's Markdown. */
export type CodeSpan = { start: number; end: number; language: string | null }

export function codeIn(blocks: readonly Block[]): CodeSpan[] {
  return blocks.flatMap((block) =>
    block.kind === 'code' && block.codeEnd > block.codeStart
      ? { start: block.codeStart, end: block.codeEnd, language: block.language }
      : [],
  )
}

/** Headings without text at the start of a passage, above its own heading, in order. */
export function headingsAbove(blocks: readonly Block[]): HeadingBlock[] {
  const headings: HeadingBlock[] = []
  for (const block of blocks) {
    if (block.kind !== 'heading') break
    headings.push(block)
  }
  return headings.slice(0, -1)
}

/** Input of the index for one page. The text stays in the store under `textHash`. */
export type IndexPage = {
  /** Absolute URL without fragment. Unique within its source. */
  url: string
  title: string
  /** Key of the Markdown in the store: the first 32 hex digits of its SHA-256. */
  textHash: string
  /** ISO 639-1 code, or null if unknown. */
  language: string | null
  /** The older version that the page says it is about, if it does. */
  version?: string | null
  /** Texts of links to this page from other pages of the source. */
  anchorTexts: string[]
  chunks: Chunk[]
}

/** The chunks of a page, each with the entries that begin in it. Both are in order. */
export function withEntries(chunks: readonly Chunk[], entries: readonly Entry[]): Chunk[] {
  let at = 0
  return chunks.map((chunk, index) => {
    const next = chunks[index + 1]?.start ?? Infinity
    const from = at
    while (at < entries.length && (entries[at]?.start ?? 0) < next) at++
    return from === at ? chunk : { ...chunk, entries: entries.slice(from, at) }
  })
}
