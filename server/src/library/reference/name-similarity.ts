import { elementAt } from '#lib/element-at.ts'

/** Minimum similarity of suggested names: two of eight letters may differ. */
export const SIMILAR = 0.75

/**
 * Similarity of two texts, 1 for equal and 0 for entirely different ones: one minus Levenshtein distance divided by the
 * longer length.
 */
export function nameSimilarity(a: string, b: string): number {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a]
  if (long.length === 0) return 1
  if (long.length > 60 || short.length < long.length * SIMILAR) return 0
  let before = Array.from({ length: short.length + 1 }, (_, index) => index)
  for (let i = 1; i <= long.length; i++) {
    const row = [i]
    for (let j = 1; j <= short.length; j++) {
      const change = elementAt(before, j - 1) + (long[i - 1] === short[j - 1] ? 0 : 1)
      row.push(Math.min(change, elementAt(before, j) + 1, elementAt(row, j - 1) + 1))
    }
    before = row
  }
  return 1 - elementAt(before, short.length) / long.length
}
