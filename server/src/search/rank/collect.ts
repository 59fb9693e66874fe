import { PAGE_FIELDS } from '#search/segment/layout.ts'
import type { Weights } from '#search/weights.ts'
import type { Accumulators } from './accumulators.ts'
import { findBestPages, weighPage } from './best-pages.ts'
import { findBestPassages } from './best-passages.ts'
import type { Corpus, CorpusPart } from './corpus.ts'
import type { ImpactsOf } from './impact-cache.ts'
import type { PageFilter } from './page-filter.ts'
import { idf } from './norms.ts'
import { DONE, TermCursor } from './term-cursor.ts'
import { TopPages } from './top-pages.ts'
import type { WeighedTerm } from './weigh-terms.ts'
import type { WindowSearch } from './window-search.ts'

export type CollectOptions = {
  weights: Weights
  impactsOf: ImpactsOf
  /** Number of best pages by passage, and of best pages by fields. */
  depth: number
  filter?: PageFilter | null
  /** False disables pruning and scores every page. */
  prune?: boolean
}

/**
 * Scores the pages and passages with words of the question. Returns the union of the `depth` best pages by best passage
 * and the `depth` best by fields, as ascending page numbers of the corpus. Their scores stay in the accumulators.
 * Pruning does not change the result.
 */
export function collect(
  corpus: Corpus,
  queryTerms: readonly WeighedTerm[],
  accumulators: Accumulators,
  { weights, impactsOf, depth, filter = null, prune = true }: CollectOptions,
): number[] {
  const { counters } = corpus
  accumulators.reserve(counters.pages, counters.chunks)
  const totalCover = queryTerms.reduce((sum, { cover }) => sum + cover, 0)
  const byChunk = new TopPages(depth)
  const byPage = new TopPages(depth)
  const shared = { accumulators, filter, totalCover, byChunk, byPage, prune }
  const searches = corpus.parts.map((part, index): WindowSearch => {
    const cursors = openCursors({ corpus, part, index }, queryTerms, weights, impactsOf)
    return { ...shared, part, cursors }
  })
  for (const search of searches) searchWindows(search)
  const found = [...new Set([...byChunk.pages(), ...byPage.pages()])].toSorted((a, b) => a - b)
  let at = 0
  for (const search of searches) {
    const end = search.part.firstPage + search.part.segment.pageCount
    for (let page = found[at]; page !== undefined && page < end; page = found[++at]) scoreFound(page, search)
  }
  return found
}

/**
 * Visits the windows with words of the question. Skips a window for a list if the maximum impacts of its words cannot
 * reach the list's threshold (block-max pruning; Ding and Suel 2011).
 */
function searchWindows(search: WindowSearch): void {
  const { cursors } = search
  for (;;) {
    let window = DONE
    for (const cursor of cursors) if (cursor.window < window) window = cursor.window
    if (window === DONE) return
    findBestPassages(window, search)
    findBestPages(window, search)
    for (const cursor of cursors) if (cursor.window === window) cursor.next()
  }
}

/** Computes all scores of one page and its passages in the accumulators. */
function scoreFound(page: number, search: WindowSearch): void {
  const { part, cursors, accumulators, filter, totalCover } = search
  const { segment, firstPage, firstChunk } = part
  const at = page - firstPage
  const from = segment.pageChunks[at]
  const to = segment.pageChunks[at + 1]
  accumulators.clearPage(page)
  accumulators.clearChunks(firstChunk + from, firstChunk + to)
  const window = at >> part.windowBits
  for (const cursor of cursors) {
    if (cursor.window !== window) cursor.seek(window)
    if (cursor.window === window) cursor.addPage(page, firstChunk + from, firstChunk + to, accumulators)
  }
  const { pageSums, pageCovers, pageScores, bestScores, decays, chunkScores } = accumulators
  const allowed = filter?.code.get(segment)
  let best = 0
  let sum = 0
  for (let chunk = from; chunk < to; chunk++) {
    if (allowed !== undefined && allowed[segment.chunkCode[chunk]] === 0) continue
    const score = chunkScores[firstChunk + chunk]
    sum += score
    if (score > best) best = score
  }
  pageScores[page] = weighPage(pageSums[page], pageCovers[page], totalCover)
  bestScores[page] = best
  decays[page] = sum
}

function openCursors(
  { corpus, part, index }: { corpus: Corpus; part: CorpusPart; index: number },
  queryTerms: readonly WeighedTerm[],
  weights: Weights,
  impactsOf: ImpactsOf,
): TermCursor[] {
  const { pages, chunks } = corpus.counters
  const cursors: TermCursor[] = []
  for (const [queryTerm, { terms, weight, cover }] of queryTerms.entries())
    for (const { stats, entries } of terms) {
      const entry = entries[index]
      if (!entry) continue
      const fields = PAGE_FIELDS.map((field, at) => weights.page.weight[field] * idf(pages, stats.fields[at]))
      const impacts = impactsOf(part, entry, { chunkIdf: idf(chunks, stats.chunks), fields })
      cursors.push(
        new TermCursor(part, impacts, { queryTerm: queryTerm + 1, weight, cover, isShared: terms.length > 1 }),
      )
    }
  return cursors
}
