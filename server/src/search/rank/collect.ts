import { PAGE_FIELDS } from '#search/segment/layout.ts'
import type { Weights } from '#search/weights.ts'
import type { Accumulators } from './accumulators.ts'
import { type Corpus, type CorpusPart, partOfPage } from './corpus.ts'
import type { ImpactsOf } from './impact-cache.ts'
import type { PageFilter } from './page-filter.ts'
import { idf } from './norms.ts'
import type { QuerySlot } from './resolve-query.ts'
import { DONE, TermCursor } from './term-cursor.ts'
import { WINDOW_BITS } from './term-impacts.ts'
import { TopPages } from './top-pages.ts'

/** Bounds are sums in another order, and of higher precision, than the scores they bound. */
const SLACK = 1.0001

export type CollectOptions = {
  weights: Weights
  impactsOf: ImpactsOf
  /** How many pages by passage, and as many by fields. */
  depth: number
  filter?: PageFilter | null
  /** False scores every window, however low its bounds. */
  prune?: boolean
}

/**
 * Scores the pages and passages that have words of the question, and returns the `depth` best pages by their best
 * passage (BM25F) together with the `depth` best by their fields (BM25+ × coverage), as numbers in the corpus, ascending.
 * Scores of those are left in the accumulators. Windows of pages that cannot get into either list are passed over
 * (block-max pruning; Ding and Suel 2011); what is returned is the same as without that.
 */
export function collect(
  corpus: Corpus,
  slots: readonly QuerySlot[],
  accumulators: Accumulators,
  { weights, impactsOf, depth, filter = null, prune = true }: CollectOptions,
): number[] {
  const { counters } = corpus
  const { coverage } = weights.page
  accumulators.reserve(counters.pages, counters.chunks)
  const totalWeight = slots.reduce((sum, { weight }) => sum + weight, 0)
  const byChunk = new TopPages(depth)
  const byPage = new TopPages(depth)
  for (const [index, part] of corpus.parts.entries()) {
    const cursors = openCursors({ corpus, part, index }, slots, weights, impactsOf)
    const finisher = { part, accumulators, filter, totalWeight, coverage, byChunk, byPage }
    for (;;) {
      let window = DONE
      for (const cursor of cursors) if (cursor.window < window) window = cursor.window
      if (window === DONE) break
      const isHopeful = !prune || canEnter(cursors, window, finisher)
      if (isHopeful) clearWindow(window, finisher)
      for (const cursor of cursors) {
        if (cursor.window !== window) continue
        if (isHopeful) cursor.score(accumulators)
        cursor.next()
      }
      if (isHopeful) finishWindow(window, finisher)
    }
  }
  const found = [...new Set([...byChunk.pages(), ...byPage.pages()])].toSorted((a, b) => a - b)
  for (const page of found) {
    const { pageScores, bestScores, decays } = accumulators
    const { best, sum } = weighChunks(partOfPage(corpus, page), page, accumulators, filter)
    pageScores[page] = scorePage(page, accumulators, totalWeight, coverage)
    bestScores[page] = best
    decays[page] = sum
  }
  return found
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
  weights: Weights,
  impactsOf: ImpactsOf,
): TermCursor[] {
  const { pages, chunks } = corpus.counters
  const cursors: TermCursor[] = []
  for (const [slot, { terms, weight }] of slots.entries())
    for (const { stats, entries } of terms) {
      const entry = entries[index]
      if (!entry) continue
      const fields = PAGE_FIELDS.map((field, at) => weights.page.weight[field] * idf(pages, stats.fields[at] ?? 0))
      const impacts = impactsOf(part, entry, { chunkIdf: idf(chunks, stats.chunks), fields })
      cursors.push(new TermCursor(part, impacts, slot + 1, weight))
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
    if (cursor.slot !== slot) cover += cursor.weight
    slot = cursor.slot
  }
  return (
    chunk * SLACK >= byChunk.threshold ||
    page * SLACK * Math.min(1, cover / totalWeight) ** coverage >= byPage.threshold
  )
}

function clearWindow(window: number, { part, accumulators }: Finisher): void {
  const { firstPage, firstChunk, segment } = part
  const { pageChunks, pageCount } = segment
  const from = window << WINDOW_BITS
  const to = Math.min(pageCount, (window + 1) << WINDOW_BITS)
  accumulators.clearPages(firstPage + from, firstPage + to)
  accumulators.clearChunks(firstChunk + (pageChunks[from] ?? 0), firstChunk + (pageChunks[to] ?? 0))
}

/** Puts the window's pages into the lists. Most get into neither, so that no more is computed than tells that. */
function finishWindow(window: number, finisher: Finisher): void {
  const { part, accumulators, filter, totalWeight, coverage, byChunk, byPage } = finisher
  const { chunkScores } = accumulators
  const { segment, firstPage, firstChunk } = part
  const { pageChunks, pageCount } = segment
  const allowed = filter?.pages.get(segment)
  const first = window << WINDOW_BITS
  const last = Math.min(pageCount, first + (1 << WINDOW_BITS))
  let page = first
  let { threshold } = byChunk
  for (let at = firstChunk + (pageChunks[first] ?? 0), end = firstChunk + (pageChunks[last] ?? 0); at < end; at++) {
    if ((chunkScores[at] ?? 0) <= threshold) continue
    const chunk = at - firstChunk
    while (page + 1 < last && (pageChunks[page + 1] ?? 0) <= chunk) page++
    at = firstChunk + (pageChunks[page + 1] ?? 0) - 1
    if (allowed?.[page] === 0) continue
    byChunk.add(firstPage + page, weighChunks(part, firstPage + page, accumulators, filter).best)
    ;({ threshold } = byChunk)
  }
  ;({ threshold } = byPage)
  for (page = firstPage + first; page < firstPage + last; page++) {
    const score = scorePage(page, accumulators, totalWeight, coverage)
    if (score <= threshold || allowed?.[page - firstPage] === 0) continue
    if (filter === null || weighChunks(part, page, accumulators, filter).any) byPage.add(page, score)
    ;({ threshold } = byPage)
  }
}

function scorePage(page: number, { pageSums, pageCovers }: Accumulators, totalWeight: number, coverage: number) {
  const cover = (pageCovers[page] ?? 0) / totalWeight
  return (pageSums[page] ?? 0) * (coverage === 1 ? cover : cover ** coverage)
}

/** Of the passages of a page of the corpus that the filter leaves: whether there are any, the best score, and the sum. */
function weighChunks(
  { segment, firstPage, firstChunk }: CorpusPart,
  page: number,
  { chunkScores }: Accumulators,
  filter: PageFilter | null,
): { any: boolean; best: number; sum: number } {
  const { pageChunks, chunkCode } = segment
  const allowed = filter?.code.get(segment)
  const weighed = { any: allowed === undefined, best: 0, sum: 0 }
  const end = pageChunks[page - firstPage + 1] ?? 0
  for (let chunk = pageChunks[page - firstPage] ?? 0; chunk < end; chunk++) {
    if (allowed !== undefined && allowed[chunkCode[chunk] ?? 0] === 0) continue
    const score = chunkScores[firstChunk + chunk] ?? 0
    weighed.any = true
    weighed.sum += score
    if (score > weighed.best) weighed.best = score
  }
  return weighed
}
