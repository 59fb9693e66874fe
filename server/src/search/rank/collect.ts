import { PAGE_FIELDS } from '#search/segment/layout.ts'
import type { Weights } from '#search/weights.ts'
import { type Accumulators, TopPages } from './accumulators.ts'
import { type Corpus, type CorpusPart, idf } from './corpus.ts'
import type { ImpactsOf } from './impact-cache.ts'
import { firstAllowed, type PageFilter } from './page-filter.ts'
import { templateFactor } from './template-factor.ts'
import { DONE, TermCursor } from './term-cursor.ts'
import type { WeighedTerm } from './resolve-query.ts'

export type CollectOptions = {
  weights: Weights
  impactsOf: ImpactsOf
  /** Number of best pages by passage, and of best pages by fields. */
  depth: number
  filter?: PageFilter | null
}

/** The search for the best pages of one segment, window by window. */
type WindowSearch = {
  part: CorpusPart
  template: Weights['template']
  /** In question order, in which scores are summed. */
  cursors: readonly TermCursor[]
  accumulators: Accumulators
  filter: PageFilter | null
  totalCover: number
  /** Best pages by their best passage, and by their fields. */
  byChunk: TopPages
  byPage: TopPages
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
  { weights, impactsOf, depth, filter = null }: CollectOptions,
): number[] {
  const { counters } = corpus
  accumulators.reserve(counters.pages, counters.chunks)
  const totalCover = queryTerms.reduce((sum, { cover }) => sum + cover, 0)
  const byChunk = new TopPages(depth)
  const byPage = new TopPages(depth)
  const shared = { accumulators, filter, totalCover, byChunk, byPage, template: weights.template }
  const searches = corpus.parts.map((part, index): WindowSearch => {
    const cursors = openCursors({ corpus, part, index }, queryTerms, weights, impactsOf)
    return { ...shared, part, cursors }
  })
  for (const search of searches) searchWindows(search)
  // The sort of typed arrays needs no calls to compare numbers.
  const sorted = Uint32Array.of(...byChunk.pages(), ...byPage.pages()).sort()
  const found = Array.from(sorted).filter((page, at) => page !== sorted[at - 1])
  let at = 0
  for (const search of searches) {
    const end = search.part.firstPage + search.part.segment.pageCount
    for (let page = found[at]; page !== undefined && page < end; page = found[++at]) scoreFound(page, search)
  }
  return found
}

/** Visits windows whose maximum impacts can reach a threshold (block-max pruning; Ding and Suel 2011). */
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
  const { part, cursors, accumulators, filter, totalCover, template } = search
  const { segment, firstPage, firstChunk } = part
  const at = page - firstPage
  const { pageChunks, templatePages, chunkCode } = segment
  const from = pageChunks[at]
  const to = pageChunks[at + 1]
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
  // Sums of all passages, without and with the loss of templates.
  let whole = 0
  let kept = 0
  const factor = templateFactor(accumulators, part, at, template)
  for (let chunk = from; chunk < to; chunk++) {
    let score = chunkScores[firstChunk + chunk]
    if (score === 0) continue
    whole += score
    if (templatePages[chunk] >= template.pages) chunkScores[firstChunk + chunk] = score *= factor
    kept += score
    if (allowed !== undefined && allowed[chunkCode[chunk]] === 0) continue
    sum += score
    if (score > best) best = score
  }
  const weight = whole === 0 ? 1 : kept / whole
  pageScores[page] = weight * weighPage(pageSums[page], pageCovers[page], totalCover)
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
    for (const { stats, entries, share = 1 } of terms) {
      const entry = entries[index]
      if (!entry) continue
      const impacts = impactsOf(part, entry, () => ({
        chunkIdf: idf(chunks, stats.chunks),
        fields: PAGE_FIELDS.map(
          (field, at) =>
            weights.page.weight[field] *
            (idf(pages, stats.fields[at]) * idf(pages, stats.pages)) ** weights.page.rarity,
        ),
      }))
      cursors.push(
        new TermCursor(part, impacts, {
          queryTerm: queryTerm + 1,
          weight: weight * share,
          cover,
          isShared: terms.length > 1,
        }),
      )
    }
  return cursors
}

/** Tolerance for bounds. They sum in another order and with higher precision than the scores. */
const SLACK = 1.0001

/** Adds the best pages of a window by their field score (BM25+ × coverage) to `byPage`. */
function findBestPages(window: number, search: WindowSearch): void {
  if (!canPagesEnter(window, search)) return
  const { part, cursors, accumulators, filter, byPage } = search
  const { segment, firstPage, windowBits } = part
  const { pageSums, pageCovers, pageTerms } = accumulators
  const first = firstPage + (window << windowBits)
  const end = Math.min(firstPage + segment.pageCount, first + (1 << windowBits))
  pageSums.fill(0, first, end)
  pageCovers.fill(0, first, end)
  pageTerms.fill(0, first, end)
  // Indexed, because the iterator of `for of` costs more than the step, and a callback is an allocation per window.
  for (let at = 0; at < cursors.length; at++) if (cursors[at].window === window) cursors[at].scorePages(accumulators)

  const allowed = filter?.pages.get(segment)
  const allowedCode = filter?.code.get(segment)
  const { totalCover } = search
  let { threshold } = byPage
  for (let page = first; page < end; page++) {
    const score = weighPage(pageSums[page], pageCovers[page], totalCover)
    if (score <= threshold || allowed?.[page - firstPage] === 0) continue
    if (filter === null || firstAllowed(segment, page - firstPage, allowedCode) >= 0) byPage.add(page, score)
    ;({ threshold } = byPage)
  }
}

/** Score of a page, from the sum over its fields and its cover of the question. */
function weighPage(sum: number, cover: number, totalCover: number): number {
  return (sum * cover) / totalCover
}

function canPagesEnter(window: number, search: WindowSearch): boolean {
  let bound = 0
  let cover = 0
  let queryTerm = 0
  for (const cursor of search.cursors) {
    if (cursor.window !== window) continue
    bound += cursor.pageBound
    if (cursor.word.queryTerm !== queryTerm) cover += cursor.word.cover
    ;({ queryTerm } = cursor.word)
  }
  return weighPage(bound, cover, search.totalCover) * SLACK >= search.byPage.threshold
}

/** Adds the pages of a window with the best passages (BM25F) to `byChunk`. */
function findBestPassages(window: number, search: WindowSearch): void {
  if (!canPassagesEnter(window, search)) return
  const { part, cursors, accumulators, filter, byChunk } = search
  const { segment, firstPage, firstChunk, windowBits } = part
  const { pageChunks, pageCount } = segment
  const { chunkScores } = accumulators
  const first = window << windowBits
  const last = Math.min(pageCount, first + (1 << windowBits))
  const end = firstChunk + pageChunks[last]
  let at = firstChunk + pageChunks[first]
  chunkScores.fill(0, at, end)
  // Indexed for speed, see `findBestPages`.
  for (let index = 0; index < cursors.length; index++)
    if (cursors[index].window === window) cursors[index].scoreChunks(accumulators)

  const allowed = filter?.pages.get(segment)
  let page = first
  while ((at = firstAbove(byChunk.threshold, chunkScores, at, end)) < end) {
    const chunk = at - firstChunk
    while (page + 1 < last && pageChunks[page + 1] <= chunk) page++
    if (allowed?.[page] !== 0) byChunk.add(firstPage + page, bestPassage(page, chunk, search))
    at = firstChunk + pageChunks[page + 1]
  }
}

function canPassagesEnter(window: number, { cursors, byChunk: { threshold } }: WindowSearch): boolean {
  let bound = 0
  for (const cursor of cursors) if (cursor.window === window) bound += cursor.chunkBound
  return bound * SLACK >= threshold
}

/** First index from `from` to `end` with a score above `bar`, or `end`. A hot loop: runs once per passage. */
function firstAbove(bar: number, scores: Float32Array, from: number, end: number): number {
  for (let at = from; at < end; at++) if (scores[at] > bar) return at
  return end
}

/** Score of a page's best passage that passes the filter, from passage `first`. */
function bestPassage(page: number, first: number, { part, accumulators, filter, template }: WindowSearch): number {
  const { segment, firstChunk } = part
  const { pageChunks, chunkCode, templatePages } = segment
  const allowed = filter?.code.get(segment)
  let best = 0
  for (let chunk = first, end = pageChunks[page + 1]; chunk < end; chunk++) {
    const whole = accumulators.chunkScores[firstChunk + chunk]
    const score = templatePages[chunk] < template.pages ? whole : whole * (1 - template.loss)
    if (score > best && (allowed === undefined || allowed[chunkCode[chunk]] !== 0)) best = score
  }
  return best
}
