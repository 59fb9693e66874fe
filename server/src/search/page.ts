/** A passage of a page: a range of its Markdown with citation data. */
export type Chunk = {
  /** UTF-16 offsets into the page's Markdown. Chunks of a page are in order and do not overlap. */
  start: number
  end: number
  /** Headings above the passage, outermost first, without the page title. */
  headings: string[]
  /** Fragment (without `#`) of the nearest heading, or null if there is none. */
  anchor: string | null
  /** Headings without text at the start of the passage, above its own heading, in order. Absent if there are none. */
  above?: HeadingAbove[]
  /** Anchors that begin inside the passage, such as later pages of a PDF, in order. Absent if there are none. */
  turns?: Turn[]
  /** Code blocks inside the passage, without fences, as offsets into the page's Markdown. */
  code: CodeBlock[]
}

/** A heading without a passage: its offset into the page's Markdown, and its fragment. */
export type HeadingAbove = { start: number; anchor: string | null }

/** An anchor that begins inside a passage, with its offset into the page's Markdown. */
export type Turn = { start: number; anchor: string }

export type CodeBlock = { start: number; end: number; language: string | null }

/** Input of the index for one page. The text stays in the store under `textHash`. */
export type IndexPage = {
  /** Absolute URL without fragment. Unique within its source. */
  url: string
  title: string
  /** Key of the Markdown in the store: the first 32 hex digits of its SHA-256. */
  textHash: string
  /** ISO 639-1 code, or null if unknown. */
  language: string | null
  /** Texts of links to this page from other pages of the source. */
  anchorTexts: string[]
  chunks: Chunk[]
}
