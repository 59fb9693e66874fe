import type { Segment } from '#search/segment/open-segment.ts'

/** Number of top pages used for feedback. */
const BEST = 5

type ScoredPage = { segment: Segment; page: number; score: number }

/**
 * Latent similarity of each page to the first pages, 0 to 1, in the given order. Compensates for words missing from the
 * question (pseudo-relevance feedback; Rocchio 1971). Compares only pages of the same segment, because each segment has
 * a separate space.
 */
export function feedbackSimilarity(pages: readonly ScoredPage[]): number[] {
  const centres = new Map<Segment, Float64Array>()
  for (const { segment, page, score } of pages.slice(0, BEST)) {
    const { vectors } = segment
    if (vectors === null) continue
    const { dimensions, pageSteps, pages: cells } = vectors
    const centre = centres.get(segment) ?? new Float64Array(dimensions)
    for (let k = 0; k < dimensions; k++) centre[k] += score * cells[page * dimensions + k] * pageSteps[k] ** 2
    centres.set(segment, centre)
  }
  const alike = pages.map(({ segment, page }) => {
    const centre = centres.get(segment)
    if (centre === undefined || segment.vectors === null) return 0
    const { dimensions, pages: cells } = segment.vectors
    let sum = 0
    for (let k = 0; k < dimensions; k++) sum += centre[k] * cells[page * dimensions + k]
    return Math.max(0, sum)
  })
  const most = Math.max(0, ...alike)
  return alike.map((value) => (most === 0 ? 0 : value / most))
}
