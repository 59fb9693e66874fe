/** A run of text as a PDF draws it. Lengths are points, from the page's upper left corner as it is shown. */
export type TextRun = {
  text: string
  x: number
  /** The baseline. */
  y: number
  width: number
  /** Of the font. */
  size: number
  isMono: boolean
  /** The PDF's own order says that a line ends here. */
  endsLine: boolean
}

export type PdfPage = { number: number; width: number; height: number; runs: TextRun[] }

/** An entry of the outline; `level` is 0 for the outermost, `page` null where it leads nowhere. */
export type OutlineEntry = { title: string; level: number; page: number | null }

export type PdfContent = {
  /** As its metadata has it, or nothing. */
  title: string
  /** ISO 639-1, or null. */
  language: string | null
  pages: PdfPage[]
  outline: OutlineEntry[]
}
