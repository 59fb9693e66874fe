import { PAGE_FIELDS } from '#search/segment/layout.ts'
import { WINDOW_BITS } from '#search/segment/postings-format.ts'
import type { Weights } from '#search/weights.ts'
import type { Accumulators } from './accumulators.ts'
import type { Corpus, CorpusPart } from './corpus.ts'
import type { PageFilter } from './page-filter.ts'
import { type Frequencies, idf, type Norms } from './norms.ts'
import type { QuerySlot } from './resolve-query.ts'
import { type Scoring, TermCursor, type TermValue } from './term-cursor.ts'
import { TopPages } from './top-pages.ts'

/** Bounds are sums in another order, and of higher precision, than the scores they bound. */
const SLACK = 1.0001

export type CollectOptions = {
  weights: Weights
  /** `makeFrequencies` of the weights. */
  frequencies: Frequencies
  /** `makeNorms` of the corpus and the weights. */
  norms: Norms
  /** How many pages by passage, and as many by fields. */
  depth: number
  filter?: PageFilter | null
  /** False scores every window, however low its bounds. */
  prune?: boolean
}

/**
 * Scores the pages and passages that have words of the question, and returns the `depth` best pages by their best
 * passage (BM25F) together with the `depth` best by their fields (BM25+ × coverage), as numbers in the corpus, ascending.
 * Scores are left in the accumulators. Windows of pages that cannot get into either list are passed over (block-max
 * pruning; Ding and Suel 2011); what is returned is the same as without that.
 */
export function collect(
  corpus: Corpus,
  slots: readonly QuerySlot[],
  accumulators: Accumulators,
  { weights, frequencies, norms, depth, filter = null, prune = true }: CollectOptions,
): number[] {
  const { counters } = corpus
  accumulators.reset(counters.pages, counters.chunks)
  const scoring: Scoring = { norms, frequencies, weights }
  const totalWeight = slots.reduce((sum, { weight }) => sum + weight, 0)
  const byChunk = new TopPages(depth)
  const byPage = new TopPages(depth)
  for (const [index, part] of corpus.parts.entries()) {
    const cursors = openCursors({ corpus, part, index }, slots, scoring)
    const finisher = { part, accumulators, filter, totalWeight, coverage: weights.page.coverage, byChunk, byPage }
    for (;;) {
      let window = Number.MAX_SAFE_INTEGER
      for (const cursor of cursors) if (!cursor.done && cursor.window < window) window = cursor.window
      if (window === Number.MAX_SAFE_INTEGER) break
      if (prune && !canEnter(cursors, window, finisher)) {
        for (const cursor of cursors) if (cursor.window === window) cursor.skip()
        continue
      }
      for (const cursor of cursors) if (cursor.window === window) cursor.score(accumulators)
      finishWindow(window, finisher)
    }
  }
  return [...new Set([...byChunk.pages(), ...byPage.pages()])].toSorted((a, b) => a - b)
}

type Finisher = {
  part: CorpusPart
  accumulators: Accumulators
  filter: PageFilter | null
  totalWeight: number
  coverage: number
  byChunk: TopPages
  byPage: TopPages
}

function openCursors(
  { corpus, part, index }: { corpus: Corpus; part: CorpusPart; index: number },
  slots: readonly QuerySlot[],
  scoring: Scoring,
): TermCursor[] {
  const { pages, chunks } = corpus.counters
  const cursors: TermCursor[] = []
  for (const [slot, { terms, weight }] of slots.entries())
    for (const { stats, entries } of terms) {
      const entry = entries[index]
      if (!entry) continue
      const fields = PAGE_FIELDS.map(
        (field, at) => weight * scoring.weights.page.weight[field] * idf(pages, stats.fields[at] ?? 0),
      )
      const value: TermValue = { slot: slot + 1, weight, chunkIdf: idf(chunks, stats.chunks), fields }
      cursors.push(new TermCursor(part, entry, value, scoring))
    }
  return cursors
}

function canEnter(
  cursors: readonly TermCursor[],
  window: number,
  { totalWeight, coverage, byChunk, byPage }: Finisher,
): boolean {
  let chunk = 0
  let page = 0
  let cover = 0
  let slot = 0
  for (const cursor of cursors) {
    if (cursor.window !== window) continue
    chunk += cursor.chunkBound
    page += cursor.pageBound
    if (cursor.value.slot !== slot) cover += cursor.value.weight
    slot = cursor.value.slot
  }
  return (
    chunk * SLACK >= byChunk.threshold ||
    page * SLACK * Math.min(1, cover / totalWeight) ** coverage >= byPage.threshold
  )
}

function finishWindow(window: number, finisher: Finisher): void {
  const { part, accumulators, filter, totalWeight, coverage, byChunk, byPage } = finisher
  const { pageSums, pageCovers, pageSlots, pageScores, bestScores } = accumulators
  const last = Math.min(part.segment.pageCount, (window + 1) << WINDOW_BITS)
  const allowed = filter?.pages.get(part.segment)
  for (let page = window << WINDOW_BITS; page < last; page++) {
    const at = part.firstPage + page
    if (pageSlots[at] === 0 || allowed?.[page] === 0) continue
    if (filter !== null && !keepAllowedChunks(filter, part, page, accumulators)) continue
    const cover = (pageCovers[at] ?? 0) / totalWeight
    const score = (pageSums[at] ?? 0) * (coverage === 1 ? cover : cover ** coverage)
    pageScores[at] = score
    byChunk.add(at, bestScores[at] ?? 0)
    byPage.add(at, score)
  }
}

/** Makes a page's scores those of the passages that the filter leaves. False when it leaves none. */
function keepAllowedChunks(filter: PageFilter, part: CorpusPart, page: number, accumulators: Accumulators): boolean {
  const { segment, firstPage, firstChunk } = part
  const allowed = filter.code.get(segment)
  if (allowed === undefined) return true
  let any = false
  let best = 0
  let sum = 0
  for (let chunk = segment.pageChunks[page] ?? 0, end = segment.pageChunks[page + 1] ?? 0; chunk < end; chunk++) {
    if (allowed[segment.chunkCode[chunk] ?? 0] === 0) continue
    any = true
    const score = accumulators.chunkScores[firstChunk + chunk] ?? 0
    best = Math.max(best, score)
    sum += score
  }
  accumulators.bestScores[firstPage + page] = best
  accumulators.decays[firstPage + page] = sum
  return any
}
