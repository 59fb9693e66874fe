import type { Segment } from './pdf-page.ts'

/** Minimum number of lines in a column. */
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
  const overlap = Math.min(bottom(left), bottom(right)) - Math.max(top(left), top(right))
  const height = Math.min(bottom(left) - top(left), bottom(right) - top(right))
  return overlap > height / 2 && isFilled(left) && isFilled(right)
}

function isFilled(column: Segment[]): boolean {
  const from = Math.min(...column.map(({ x }) => x))
  const to = Math.max(...column.map(({ right }) => right))
  const used = column.reduce((sum, { x, right }) => sum + right - x, 0) / column.length
  const size = column[0]?.size ?? 10
  return to - from > 10 * size && used > FILLED * (to - from)
}

function top(column: Segment[]): number {
  return Math.min(...column.map(({ y }) => y))
}

function bottom(column: Segment[]): number {
  return Math.max(...column.map(({ y }) => y))
}
