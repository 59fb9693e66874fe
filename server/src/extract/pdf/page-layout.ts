import type { Segment } from './segments.ts'

const LEAST_LINES = 4
/** Minimum average share of the column width that a line fills. Table cells fill less. */
const FILLED = 0.5
/** Maximum recursion depth. Newspapers have up to eight columns, found by halving. */
const MAX_DEPTH = 3

/**
 * Splits a page's segments into regions in reading order: segments across the page, and between them the columns from
 * left to right.
 */
export function orderColumns(segments: readonly Segment[], depth = 0): Segment[][] {
  const gutter = depth < MAX_DEPTH ? findGutter(segments) : null
  if (gutter === null) return segments.length === 0 ? [] : [[...segments]]
  const regions: Segment[][] = []
  let left: Segment[] = []
  let right: Segment[] = []
  let across: Segment[] = []
  const closeColumns = () => {
    regions.push(...orderColumns(left, depth + 1), ...orderColumns(right, depth + 1))
    left = []
    right = []
  }
  for (const segment of segments.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const isAcross = segment.x < gutter && segment.right > gutter
    if (isAcross) {
      closeColumns()
      across.push(segment)
      continue
    }
    if (across.length > 0) regions.push(across)
    across = []
    if (segment.right <= gutter) left.push(segment)
    else right.push(segment)
  }
  closeColumns()
  if (across.length > 0) regions.push(across)
  return regions
}

/**
 * Returns the x position of the vertical line that crosses fewest segments, if both sides look like columns of text.
 */
function findGutter(segments: readonly Segment[]): number | null {
  const edges = [...new Set(segments.map(({ x }) => Math.round(x)))]
  let best: { x: number; crossing: number } | null = null
  for (const edge of edges) {
    const x = edge - 1.5
    const left = segments.filter(({ right }) => right <= x)
    const right = segments.filter((segment) => segment.x >= x)
    const crossing = segments.length - left.length - right.length
    if (best !== null && crossing >= best.crossing) continue
    if (looksLikeColumns(left, right, crossing)) best = { x, crossing }
  }
  return best?.x ?? null
}

function looksLikeColumns(left: Segment[], right: Segment[], crossing: number): boolean {
  if (left.length < LEAST_LINES || right.length < LEAST_LINES || crossing > (left.length + right.length) / 2)
    return false
  const [a, b] = [rangeOf(left.map(({ y }) => y)), rangeOf(right.map(({ y }) => y))]
  const overlap = Math.min(a.to, b.to) - Math.max(a.from, b.from)
  const height = Math.min(a.to - a.from, b.to - b.from)
  return overlap > height / 2 && isFilled(left) && isFilled(right)
}

function rangeOf(values: number[]): { from: number; to: number } {
  return { from: Math.min(...values), to: Math.max(...values) }
}

function isFilled(column: Segment[]): boolean {
  const from = Math.min(...column.map(({ x }) => x))
  const to = Math.max(...column.map(({ right }) => right))
  const used = column.reduce((sum, { x, right }) => sum + right - x, 0) / column.length
  const size = column[0]?.size ?? 10
  return to - from > 10 * size && used > FILLED * (to - from)
}

/** Part of a region: a table, or single lines. */
export type Stretch = { kind: 'lines'; rows: Segment[][] } | { kind: 'table'; rows: string[][] }

/** Minimum number of cells: three rows of two columns, or two rows of three. Fewer cells are lines with a gap. */
const LEAST_CELLS = 6
/** Maximum distance between two lines of a cell, in font sizes. */
const CELL_LINE = 1.6

/** Splits the rows of a region into tables and the lines between them. */
export function findTables(rows: Segment[][]): Stretch[] {
  const stretches: Stretch[] = []
  for (let at = 0; at < rows.length;) {
    const length = lengthOfTable(rows, at)
    const table = length > 0 ? toTable(rows.slice(at, at + length)) : null
    if (table !== null) {
      stretches.push({ kind: 'table', rows: table })
      at += length
      continue
    }
    const last = stretches.at(-1)
    const row = rows.slice(at, ++at)
    if (last?.kind === 'lines') last.rows.push(...row)
    else stretches.push({ kind: 'lines', rows: row })
  }
  return stretches
}

/** Counts the table rows from `at` on: rows of several cells, and continuation lines of single cells. */
function lengthOfTable(rows: Segment[][], at: number): number {
  let end = at
  let count = 0
  for (let next = at; next < rows.length; next++) {
    const row = rows[next] ?? []
    if (row.some(({ isMono }) => isMono)) break
    if (row.length > 1) {
      count++
      end = next + 1
    } else if (next === at || !isFurtherLine(rows[next - 1] ?? [], row)) break
  }
  // Continuation lines may follow the last row.
  if (count < 2) return 0
  while (end < rows.length && rows[end]?.length === 1 && startsInside(rows[end - 1], rows[end])) end++
  return end - at
}

function isFurtherLine(before: Segment[], row: Segment[]): boolean {
  const [cell] = row
  const above = before[0]
  return cell !== undefined && above !== undefined && cell.y - above.y < CELL_LINE * cell.size
}

/** Returns true if a single cell is directly below a cell other than the first of its row. */
function startsInside(before: Segment[] | undefined, row: Segment[] | undefined): boolean {
  const [cell] = row ?? []
  if (!cell || !before || !isFurtherLine(before, [cell])) return false
  return before.slice(1).some(({ x }) => Math.abs(x - cell.x) < cell.size)
}

/** Assigns cells to columns. Returns null if the columns are not distinct. */
function toTable(rows: Segment[][]): string[][] | null {
  const columns = columnsOf(rows)
  if (columns.length < 2 || columns.length * rows.filter((row) => row.length > 1).length < LEAST_CELLS) return null
  const table: string[][] = []
  for (const row of rows) {
    const cells = columns.map(({ from, to }) =>
      row
        .filter(({ x, right }) => x < to && right > from)
        .map(({ text }) => text.trim())
        .join(' '),
    )
    const last = table.at(-1)
    if (row.length === 1 && last !== undefined)
      for (const [i, text] of cells.entries()) last[i] = `${last[i] ?? ''} ${text}`.trim()
    else table.push(cells)
  }
  const filled = table.flat().filter((cell) => cell !== '').length
  return filled * 2 > table.length * columns.length ? table : null
}

/** Merges overlapping cells of rows with several cells into columns. */
function columnsOf(rows: Segment[][]): { from: number; to: number }[] {
  const columns: { from: number; to: number }[] = []
  const cells = rows.filter((row) => row.length > 1).flat()
  for (const { x, right } of cells.toSorted((a, b) => a.x - b.x)) {
    const last = columns.at(-1)
    if (last && x < last.to) last.to = Math.max(last.to, right)
    else columns.push({ from: x, to: right })
  }
  return columns
}
