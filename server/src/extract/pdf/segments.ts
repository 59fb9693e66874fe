/**
 * Text on one baseline without a wide gap: a line, or a table cell. Lengths are points from the upper left corner of the
 * displayed page. `y` is the baseline, `size` the font size.
 */
export type Segment = {
  text: string
  x: number
  y: number
  right: number
  size: number
  isMono: boolean
  isBold: boolean
}

/** A run of text in a PDF. `endsLine` is true if the PDF marks a line end after it. */
export type TextRun = Segment & { endsLine: boolean }

/** A page with its text in segments. Its runs, which take ten times the memory, are not kept. */
export type PdfPage = { number: number; height: number; segments: Segment[] }

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

/** A block of a PDF's text before rendering. */
export type PdfBlock = { page: number } & (
  | { kind: 'heading'; level: number; text: string }
  | {
      kind: 'text' | 'item'
      text: string
      size: number
      /** Offsets into the text at which later pages start. */
      turns: { at: number; page: number }[]
    }
  | { kind: 'code'; text: string }
  | { kind: 'table'; rows: string[][] }
)

/** Maximum gap between words of one line before column detection, in font sizes. */
const NEAR = 0.6

/** A wider gap, in font sizes, may separate cells. In a justified line it does not. */
const CELL_GAP = 1
/** Maximum gap between runs of one word, in font sizes. */
const WORD_GAP = 0.15
/** Maximum distance between baselines of one line, in font sizes: that of a superscript. */
const SAME_LINE = 0.45

/** Merges the runs of a page into segments, whatever their drawing order. */
export function segmentsOf(runs: readonly TextRun[]): Segment[] {
  const segments: Segment[] = []
  let open: Segment | null = null
  for (const run of runs) {
    if (open !== null && !continues(open, run)) open = null
    if (run.text.trim() !== '') {
      if (open === null) segments.push((open = { ...run, text: '', right: run.x }))
      append(open, run)
    }
    if (run.endsLine) open = null
  }
  const filled = segments.filter(({ text }) => text.trim() !== '')
  return joinNeighbours(filled, NEAR)
}

/** Merges neighbours on one baseline from left to right, whatever their drawing order. */
export function joinNeighbours(segments: readonly Segment[], gap: number): Segment[] {
  const joined: Segment[] = []
  for (const row of toRows(segments)) {
    let last: Segment | null = null
    for (const next of row) {
      if (last !== null && next.x - last.right < gap * Math.max(last.size, next.size)) {
        append(last, next)
      } else {
        last = { ...next }
        joined.push(last)
      }
    }
  }
  return joined
}

/** Groups segments into rows by baseline, from top to bottom and from left to right. */
export function toRows(segments: readonly Segment[]): Segment[][] {
  const rows: Segment[][] = []
  for (const segment of segments.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const row = rows.at(-1)
    const first = row?.[0]
    if (row && first && segment.y - first.y < SAME_LINE * Math.min(first.size, segment.size)) row.push(segment)
    else rows.push([segment])
  }
  for (const row of rows) row.sort((a, b) => a.x - b.x)
  return rows
}

function continues(open: Segment, run: TextRun): boolean {
  const size = Math.max(open.size, run.size)
  const gap = run.x - open.right
  // A stretched space is a separate run and part of the gap.
  const width = run.text.trim() === '' ? run.right - open.right : gap
  return Math.abs(run.y - open.y) < SAME_LINE * size && gap > -size && width < CELL_GAP * size
}

function append(segment: Segment, run: Segment): void {
  const isApart = run.x - segment.right > WORD_GAP * run.size && segment.text !== '' && !/^\s/.test(run.text)
  segment.text += (isApart && !segment.text.endsWith(' ') ? ' ' : '') + run.text
  segment.right = Math.max(segment.right, run.right)
  // The size of a line is that of most of its characters.
  if (run.text.length * 2 > segment.text.length) segment.size = run.size
  segment.isMono &&= run.isMono
  segment.isBold &&= run.isBold || run.text.trim() === ''
}
