/** A passage of a page: a stretch of the page's Markdown, with what is needed to cite it. */
export type Chunk = {
  /** UTF-16 offsets into the page's Markdown; chunks of a page are in order and do not overlap. */
  start: number
  end: number
  /** Headings above the passage, outermost first, without the page's title. */
  headings: string[]
  /** Fragment (without `#`) that leads to the nearest heading, when the page has one. */
  anchor: string | null
  /**
   * Headings without text of their own that the passage begins with, above the one that it is of, in order. Absent where
   * there are none.
   */
  above?: HeadingAbove[]
  /** Code blocks inside the passage: what is between the fences, offsets into the page's Markdown. */
  code: CodeBlock[]
}

/** A heading that has no passage: its offset into the page's Markdown, and the fragment that leads to it. */
export type HeadingAbove = { start: number; anchor: string | null }

export type CodeBlock = { start: number; end: number; language: string | null }

/** A page as the index takes it. Its text stays in the store under `textHash`. */
export type IndexPage = {
  /** Absolute, without fragment. Unique within its source. */
  url: string
  title: string
  /** Key of the Markdown in the store: hex SHA-256 of it, first 32 digits. */
  textHash: string
  /** ISO 639-1, or null when it is not known. */
  language: string | null
  /** Texts of links elsewhere in the source that point at this page. */
  anchorTexts: string[]
  chunks: Chunk[]
}
