import type { OutlineEntry, Segment } from './pdf-page.ts'

export type HeadingFinder = {
  /** Returns the heading level of a line, or null. The title has level 1. */
  levelOf: (line: string, size: number, page: number) => number | null
  bodySize: number
}

/** Minimum size of a heading, as a factor of the body size. */
const LARGER = 1.12
const BULLET = /^[•◦▪▫‣●○■□]/u
const LONGEST = 160
const DEEPEST = 5
/** Maximum number of distinct heading sizes below the title. */
const MAX_SIZES = 3

/** Finds headings by the author's outline, and otherwise by font size. */
export function createHeadingFinder(segments: readonly Segment[], outline: readonly OutlineEntry[]): HeadingFinder {
  const bodySize = usualSize(segments)
  const sizes = [...new Set(segments.filter(isShort).map(({ size }) => rounded(size)))]
    .filter((size) => size > bodySize * LARGER)
    .toSorted((a, b) => b - a)
  const entries = new Map(outline.map(({ title, level, page }) => [`${page} ${normal(title)}`, level]))
  return {
    bodySize,
    levelOf(line, size, page) {
      if (line.length > LONGEST || !/\p{L}/u.test(line)) return null
      // A section often begins with a list of the headings below it.
      const level = BULLET.test(line) ? undefined : entries.get(`${page} ${normal(line)}`)
      if (level !== undefined) return Math.min(level + 2, DEEPEST)
      const rank = sizes.indexOf(rounded(size))
      return rank < 0 ? null : Math.min(rank + 1, MAX_SIZES + 1)
    },
  }
}

/** Returns the most common font size, by number of characters. */
function usualSize(segments: readonly Segment[]): number {
  const letters = new Map<number, number>()
  for (const { text, size } of segments) letters.set(rounded(size), (letters.get(rounded(size)) ?? 0) + text.length)
  const [usual] = [...letters].toSorted((a, b) => b[1] - a[1])
  return usual?.[0] ?? 10
}

function isShort({ text }: Segment): boolean {
  return text.length <= LONGEST
}

function rounded(size: number): number {
  return Math.round(size * 2) / 2
}

/** Removes section numbers, which may be in the line, in the outline, or in both. */
function normal(title: string): string {
  return title
    .toLowerCase()
    .replace(/^[\d.]+\s+/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
