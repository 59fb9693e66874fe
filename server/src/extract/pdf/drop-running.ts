import type { PdfPage, Segment } from './pdf-page.ts'
import { toRows } from './to-segments.ts'

/** Number of lines at the top and bottom of a page that can be headers or footers. */
const EDGE_ROWS = 3
/** Share of the page height that these lines occupy at each edge. */
const EDGE = 0.18
/** Minimum number of pages with the same line. */
const LEAST_PAGES = 3

/**
 * Removes repeated lines at the page edges, also with different numbers, and page numbers. Books alternate headers
 * between left and right pages and omit them at chapter starts, so a few repeats suffice.
 */
export function dropRunning(pages: readonly PdfPage[]): PdfPage[] {
  const seen = new Map<string, Set<number>>()
  const edges = pages.map((page) => edgeRows(page))
  for (const [index, rows] of edges.entries()) {
    for (const row of rows) {
      const key = keyOf(row)
      seen.set(key, (seen.get(key) ?? new Set()).add(index))
    }
  }
  const least = Math.max(LEAST_PAGES, pages.length / 20)
  return pages.map((page, index) => {
    const dropped = new Set(
      (edges[index] ?? []).filter((row) => (seen.get(keyOf(row))?.size ?? 0) >= least || isNumberOf(page, row)).flat(),
    )
    return dropped.size === 0 ? page : { ...page, segments: page.segments.filter((segment) => !dropped.has(segment)) }
  })
}

function edgeRows({ segments, height }: PdfPage): Segment[][] {
  const rows = toRows(segments)
  const atTop = rows.slice(0, EDGE_ROWS).filter(([first]) => (first?.y ?? height) < height * EDGE)
  const atBottom = rows.slice(-EDGE_ROWS).filter(([first]) => (first?.y ?? 0) > height * (1 - EDGE))
  return [...new Set([...atTop, ...atBottom])]
}

/** Replaces numbers and sorts the parts, because numbers change from page to page and the sides alternate. */
function keyOf(row: Segment[]): string {
  const words = row.map(({ text }) => text.trim().replace(/\d+|\b[ivxlc]+\b/gi, '#'))
  return words.toSorted().join(' ')
}

function isNumberOf({ number }: PdfPage, row: Segment[]): boolean {
  const text = row.map((segment) => segment.text.trim()).join(' ')
  return new RegExp(`^(?:page\\s*|[-–—]\\s*)?${number}(?:\\s*(?:of|/)\\s*\\d+|\\s*[-–—])?$`, 'i').test(text)
}
