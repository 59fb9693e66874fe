/** A run of text in a PDF. Lengths are points from the upper left corner of the displayed page. */
export type TextRun = {
  text: string
  x: number
  /** Baseline. */
  y: number
  width: number
  /** Font size. */
  size: number
  isMono: boolean
  /** True if the PDF marks a line end here. */
  endsLine: boolean
}

/** Text on one baseline without a wide gap: a line, or a table cell. */
export type Segment = { text: string; x: number; y: number; right: number; size: number; isMono: boolean }

/** A page with its text in segments. Its runs, which take ten times the memory, are not kept. */
export type PdfPage = { number: number; width: number; height: number; segments: Segment[] }

/** An outline entry. `level` is 0 for the outermost; `page` is null for an entry without target. */
export type OutlineEntry = { title: string; level: number; page: number | null }

export type PdfContent = {
  /** Title in the metadata, or empty. */
  title: string
  /** ISO 639-1, or null. */
  language: string | null
  pages: PdfPage[]
  outline: OutlineEntry[]
}
