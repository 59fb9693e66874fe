import type { Accumulators } from './accumulators.ts'
import type { CorpusPart } from './corpus.ts'
import type { PageFilter } from './page-filter.ts'
import type { TermCursor } from './term-cursor.ts'
import type { TopPages } from './top-pages.ts'

/** Bounds are sums in another order, and of higher precision, than the scores they bound. */
export const SLACK = 1.0001

/** The search for the best pages of one segment, whose windows are looked at one by one. */
export type WindowSearch = {
  part: CorpusPart
  /** In the order of the question's words, in which scores are added up. */
  cursors: readonly TermCursor[]
  accumulators: Accumulators
  filter: PageFilter | null
  totalWeight: number
  /** Exponent of the share of the question that a page covers. */
  coverage: number
  /** The best pages by one of their passages, and by their fields. */
  byChunk: TopPages
  byPage: TopPages
  /** False looks at every page of every window. */
  prune: boolean
}
