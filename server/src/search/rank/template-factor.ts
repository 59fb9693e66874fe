import { LENGTHS } from '#search/segment/field-codes.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import type { Weights } from '#search/weights.ts'
import type { Accumulators } from './accumulators.ts'
import type { CorpusPart } from './corpus.ts'

/** Share of the words of a page's title that are in the question, squared. */
export function titlePrecision({ pageLengths }: Segment, page: number, hits: number): number {
  return Math.min(1, hits / Math.max(1, LENGTHS[pageLengths[page]])) ** 2
}

/**
 * Factor for the passages of a page that many pages have with other names. Such a passage says the same about each
 * name, so it matters only for the name in its page's title.
 */
export function templateFactor(
  { titleHits }: Accumulators,
  { segment, firstPage }: CorpusPart,
  page: number,
  { loss }: Weights['template'],
): number {
  return 1 - loss * (1 - titlePrecision(segment, page, titleHits[firstPage + page]))
}
