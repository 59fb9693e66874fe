import type { ChunkPlace, PageHead } from '#search/segment/page-record.ts'
import type { FusionWeights } from '#search/weights.ts'
import { type Corpus, type CorpusPart, partOfPage } from './corpus.ts'
import { type DescribeInput, describePages, type Maxima, passageFeatures, scorePassage } from './describe-pages.ts'
import { firstAllowed } from './page-filter.ts'
import type { PageFactor } from './page-factors.ts'
import { templateFactor } from './template-factor.ts'
import { type OpeningScorer, boundWordOrder, scoreWordOrder, type WordOrder } from './word-order.ts'
import type { Segment } from '#search/segment/open-segment.ts'

/** A ranked passage. `page` and `chunk` are numbers in the segment of `part`. */
export type RankedChunk = {
  part: CorpusPart
  page: number
  chunk: number
  score: number
  features: RankFeatures & { embedding?: number; asWritten?: number; named?: number }
  /** Display data of the page and place of the passage, if already read. */
  head?: PageHead
  place?: ChunkPlace | undefined
}

/** Features between 0 and 1. The score is their weighted sum. */
export type RankFeatures = Record<keyof FusionWeights, number>

/** Number of top pages considered for word order and feedback. */
const CLOSE = 24
/** Maximum passages per page in the ranking. */
const CHUNKS_PER_PAGE = 3
/** Tolerance, because bounds are rounded differently than scores. */
const SLACK = 1.000001

export type FuseInput = DescribeInput & {
  /** Word order of the question. Null for a single word. */
  wordOrder: WordOrder | null
  /** Scores the beginnings of pages. Null for a single word, and if no page is long. */
  openings: OpeningScorer | null
  /** Factor of each page's score. Null if all are 1. */
  pageFactor: PageFactor | null
  /** Number of best pages returned with their passages. */
  depth: number
}

/** Ranks passages by a weighted sum of features, best first, at most three per page. */
export function fuse(input: FuseInput): RankedChunk[] {
  const { corpus, depth } = input
  const maxima = describePages(input)
  const rows = bestRows(input, Math.max(depth, CLOSE))
  addFeedback(input, rows)
  addOpenings(input, rows)
  return rankPages(input, rows, maxima)
    .flatMap(({ row, passages }) => passages.map((passage) => describePassage(input, row, passage, maxima)))
    .sort((a, b) => b.score - a.score || comparePages(corpus, pageOf(a), pageOf(b)) || a.chunk - b.chunk)
}

/** Rows of the candidates with the best preliminary scores, best first. */
function bestRows({ corpus, candidates: { size, scores, pages } }: FuseInput, count: number): number[] {
  const rows: number[] = []
  for (let row = 0; row < size; row++) rows.push(row)
  rows.sort((a, b) => scores[b] - scores[a] || comparePages(corpus, pages[a], pages[b]))
  return rows.slice(0, count)
}

/** Adds the feedback of the first rows to those considered for it. */
function addFeedback({ corpus, candidates, termCount }: FuseInput, rows: readonly number[]): void {
  if (termCount < 2) return
  const close = rows.slice(0, CLOSE)
  const pages = close.map((row) => {
    const page = candidates.pages[row]
    const { segment, firstPage } = partOfPage(corpus, page)
    return { segment, page: page - firstPage, score: candidates.scores[row] }
  })
  const similar = feedbackSimilarity(pages)
  for (const [place, row] of close.entries()) candidates.set(row, 'feedback', similar[place])
}

function addOpenings({ corpus, candidates, openings }: FuseInput, rows: readonly number[]): void {
  if (openings === null) return
  for (const row of rows) {
    const page = candidates.pages[row]
    const { segment, firstPage } = partOfPage(corpus, page)
    candidates.set(row, 'opening', corpus.longPages * openings.score(segment, page - firstPage))
  }
}

/** A page with its passages. `place` is its rank before word order. */
type RankedPage = { row: number; place: number; score: number; passages: OrderedPassage[] }

/** Returns the `depth` best pages. Word order is expensive, so pages are visited by their upper bounds. */
function rankPages(input: FuseInput, rows: readonly number[], maxima: Maxima): RankedPage[] {
  const { weights, depth, candidates } = input
  const { bounds } = candidates
  for (const row of rows)
    bounds[row] =
      (candidates.weigh(row) + candidates.passageScore(row, 0) + weights.wordOrder * mostOrder(input, row)) *
      factorOf(input, row) *
      SLACK
  const hopeful = [...rows.keys()].sort((a, b) => bounds[rows[b]] - bounds[rows[a]])
  const ranked: RankedPage[] = []
  for (const place of hopeful) {
    const row = rows[place]
    if (ranked.length >= depth && bounds[row] < (ranked.at(-1)?.score ?? 0)) break
    const passages = orderPassages(input, row, maxima)
    const [first] = passages
    const score = first === undefined ? 0 : (candidates.weigh(row) + first.score) * factorOf(input, row)
    insertBest(ranked, { row, place, score, passages }, depth, byPlace)
  }
  return ranked
}

function factorOf({ pageFactor, candidates, corpus }: FuseInput, row: number): number {
  if (pageFactor === null) return 1
  const page = candidates.pages[row]
  const part = partOfPage(corpus, page)
  return pageFactor(part, page - part.firstPage)
}

/** Upper bound of word order in the passages of a page. */
function mostOrder({ wordOrder, accumulators, candidates }: FuseInput, row: number): number {
  return wordOrder === null ? 0 : boundWordOrder(wordOrder, accumulators.pageWords[candidates.pages[row]])
}

type OrderedPassage = { chunk: number; wordOrder: number; score: number }

/** Best passages of a page. If only its title has the question's words, the first passage. */
function orderPassages(input: FuseInput, row: number, maxima: Maxima): OrderedPassage[] {
  const { candidates, weights, template, wordOrder, accumulators, corpus } = input
  const page = candidates.pages[row]
  const part = partOfPage(corpus, page)
  const { templatePages } = part.segment
  const count = candidates.passageCount(row)
  if (count === 0) return firstPassage(input, part, page - part.firstPage, maxima)
  const known = accumulators.pageWords[page]
  const most = mostOrder(input, row)
  const factor = templateFactor(accumulators, part, page - part.firstPage, template)
  const best: OrderedPassage[] = []
  for (let place = 0; place < count; place++) {
    const plain = candidates.passageScore(row, place)
    // Passages are sorted, so no later one can score higher.
    if (best.length === CHUNKS_PER_PAGE && (plain + weights.wordOrder * most) * SLACK < (best.at(-1)?.score ?? 0)) break
    const chunk = candidates.passage(row, place)
    const order =
      most === 0 || wordOrder === null
        ? 0
        : scoreWordOrder(wordOrder, part.segment, chunk, known) * (templatePages[chunk] < template.pages ? 1 : factor)
    insertBest(best, { chunk, wordOrder: order, score: plain + weights.wordOrder * order }, CHUNKS_PER_PAGE, byChunk)
  }
  return best
}

/** First passage of a page that passes the filter, or none. */
function firstPassage(input: FuseInput, part: CorpusPart, page: number, maxima: Maxima): OrderedPassage[] {
  const chunk = firstAllowed(part.segment, page, input.filter?.code.get(part.segment))
  const factor = templateFactor(input.accumulators, part, page, input.template)
  return chunk < 0 ? [] : [{ chunk, wordOrder: 0, score: scorePassage(input, part, chunk, maxima, factor) }]
}

const byPlace = (a: RankedPage, b: RankedPage): number => a.place - b.place
const byChunk = (a: OrderedPassage, b: OrderedPassage): number => a.chunk - b.chunk

/** Inserts `item` by score, with ties ordered by `compare`, and truncates the list to `most` items. */
function insertBest<T extends { score: number }>(best: T[], item: T, most: number, compare: (a: T, b: T) => number) {
  let at = best.length
  for (let before = best[at - 1]; before !== undefined; before = best[--at - 1]) {
    if (before.score > item.score || (before.score === item.score && compare(before, item) < 0)) break
    if (at < most) best[at] = before
  }
  if (at < most) best[at] = item
}

function describePassage(input: FuseInput, row: number, passage: OrderedPassage, maxima: Maxima): RankedChunk {
  const { corpus, candidates } = input
  const page = candidates.pages[row]
  const part = partOfPage(corpus, page)
  return {
    part,
    page: page - part.firstPage,
    chunk: passage.chunk,
    score: (candidates.weigh(row) + passage.score) * factorOf(input, row),
    features: candidates.featuresOf(row, passageFeatures(input, part, passage, maxima)),
  }
}

/** Number of the page in the corpus. */
export function pageOf({ part, page }: RankedChunk): number {
  return part.firstPage + page
}

/** Where a passage is on its page. Reads it once. */
export function placeOf(ranked: RankedChunk): ChunkPlace {
  return (ranked.place ??= ranked.part.segment.place(ranked.page, ranked.chunk))
}

/** Orders equal scores by URL, so that results do not depend on the layout of segments. */
function comparePages(corpus: Corpus, a: number, b: number): number {
  if (a === b) return 0
  const left = partOfPage(corpus, a)
  const right = partOfPage(corpus, b)
  const leftUrl = left.segment.url(a - left.firstPage)
  const rightUrl = right.segment.url(b - right.firstPage)
  return leftUrl < rightUrl ? -1 : leftUrl > rightUrl ? 1 : 0
}

/** Number of top pages used for feedback. */
const BEST = 5

/**
 * Latent similarity of each page to the first pages, 0 to 1, in the given order. Compensates for words missing from the
 * question (pseudo-relevance feedback; Rocchio 1971). Compares only pages of the same segment, because each segment has
 * a separate space.
 */
export function feedbackSimilarity(pages: readonly { segment: Segment; page: number; score: number }[]): number[] {
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
