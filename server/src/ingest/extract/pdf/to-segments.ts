import type { TextRun } from './pdf-page.ts'

/** Text on one baseline without a wide gap: a line, or one cell of a row. */
export type Segment = { text: string; x: number; y: number; right: number; size: number; isMono: boolean }

/** A gap wider than so many times the font's size may divide cells; in a line that is stretched it does not. */
const CELL_GAP = 1
/** Runs nearer than this are one word. */
const WORD_GAP = 0.15
/** Baselines of one line differ by a superscript at most. */
const SAME_LINE = 0.45

/** Runs in the order they are drawn to the segments they make up. */
export function toSegments(runs: readonly TextRun[]): Segment[] {
  const segments: Segment[] = []
  let open: Segment | null = null
  for (const run of runs) {
    const isBlank = run.text.trim() === ''
    if (open !== null && !continues(open, run)) open = null
    if (!isBlank) {
      if (open === null) {
        open = { text: '', x: run.x, y: run.y, right: run.x, size: run.size, isMono: run.isMono }
        segments.push(open)
      }
      append(open, run)
    }
    if (run.endsLine) open = null
  }
  return segments.filter(({ text }) => text.trim() !== '')
}

/** Puts neighbours on one baseline together, left to right, whatever order they were drawn in. */
export function joinNeighbours(segments: readonly Segment[], gap: number): Segment[] {
  const joined: Segment[] = []
  for (const row of toRows(segments)) {
    let last: Segment | null = null
    for (const next of row) {
      if (last !== null && next.x - last.right < gap * Math.max(last.size, next.size)) {
        append(last, { ...next, width: next.right - next.x })
      } else {
        last = { ...next }
        joined.push(last)
      }
    }
  }
  return joined
}

/** Segments by baseline from top to bottom, each row from left to right. */
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
  // A stretched blank is a run of its own; it belongs to the gap.
  const width = run.text.trim() === '' ? gap + run.width : gap
  return Math.abs(run.y - open.y) < SAME_LINE * size && gap > -size && width < CELL_GAP * size
}

function append(segment: Segment, run: Pick<TextRun, 'text' | 'x' | 'width' | 'size' | 'isMono'>): void {
  const isApart = run.x - segment.right > WORD_GAP * run.size && segment.text !== '' && !/^\s/.test(run.text)
  segment.text += (isApart && !segment.text.endsWith(' ') ? ' ' : '') + run.text
  segment.right = Math.max(segment.right, run.x + run.width)
  // The line is as large as most of its letters.
  if (run.text.length * 2 > segment.text.length) segment.size = run.size
  segment.isMono &&= run.isMono
}
