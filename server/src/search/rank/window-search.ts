import type { Accumulators } from './accumulators.ts'
import type { CorpusPart } from './corpus.ts'
import type { PageFilter } from './page-filter.ts'
import type { TermCursor } from './term-cursor.ts'
import type { TopPages } from './top-pages.ts'

/** Tolerance for bounds. They sum in another order and with higher precision than the scores. */
export const SLACK = 1.0001

/** The search for the best pages of one segment, window by window. */
export type WindowSearch = {
  part: CorpusPart
  /** In question order, in which scores are summed. */
  cursors: readonly TermCursor[]
  accumulators: Accumulators
  filter: PageFilter | null
  totalCover: number
  /** Best pages by their best passage, and by their fields. */
  byChunk: TopPages
  byPage: TopPages
  /** False disables pruning and visits every page of every window. */
  prune: boolean
}
