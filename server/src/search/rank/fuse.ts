import type { FusionWeights } from '#search/weights.ts'
import type { Accumulators } from './accumulators.ts'
import { type Corpus, type CorpusPart, partOfPage } from './corpus.ts'
import type { PageFilter } from './page-filter.ts'
import { LENGTHS } from '#search/segment/length-code.ts'

/** A passage in the ranking. `page` and `chunk` are numbers in the segment of `part`. */
export type RankedChunk = { part: CorpusPart; page: number; chunk: number; score: number; features: Features }

/** What the score is the weighted sum of; all between 0 and 1, the best candidate at 1. */
export type Features = Record<keyof FusionWeights, number>

/** Passages of one page that may be shown. */
const CHUNKS_PER_PAGE = 3

export type FuseInput = {
  corpus: Corpus
  /** As `collect` returned them. */
  pages: readonly number[]
  accumulators: Accumulators
  weights: FusionWeights
  filter: PageFilter | null
  /** Weight of all words of the question. */
  totalWeight: number
  /** How many words it has. */
  slotCount: number
}

/** Ranks the candidates' passages, best first: a linear fusion of features, each divided by its maximum. */
export function fuse(input: FuseInput): RankedChunk[] {
  const { pages, accumulators } = input
  const most = { chunk: 0, page: 0, decay: 0 }
  for (const page of pages) {
    most.chunk = Math.max(most.chunk, accumulators.bestScores[page] ?? 0)
    most.page = Math.max(most.page, accumulators.pageScores[page] ?? 0)
    most.decay = Math.max(most.decay, accumulators.decays[page] ?? 0)
  }
  const ranked = pages.flatMap((page) => rankPage(input, page, most))
  return ranked.toSorted((a, b) => b.score - a.score || compareText(a, b))
}

function rankPage(
  { corpus, accumulators, weights, filter, totalWeight, slotCount }: FuseInput,
  at: number,
  most: { chunk: number; page: number; decay: number },
): RankedChunk[] {
  const part = partOfPage(corpus, at)
  const { segment, firstPage, firstChunk } = part
  const page = at - firstPage
  const titleWords = LENGTHS[segment.pageLengths[page] ?? 0] ?? 0
  const titleHits = accumulators.titleHits[at] ?? 0
  const precision = titleWords === 0 ? 0 : Math.min(1, titleHits / titleWords)
  const pageFeatures = {
    page: ratio(accumulators.pageScores[at], most.page),
    decay: ratio(accumulators.decays[at], most.decay),
    titlePrecision: precision ** 2,
    exactTitle: precision === 1 && titleHits >= slotCount && (accumulators.pageCovers[at] ?? 0) >= totalWeight ? 1 : 0,
  }
  const allowedCode = filter?.code.get(segment)
  const chunks: RankedChunk[] = []
  const from = segment.pageChunks[page] ?? 0
  for (let chunk = from, end = segment.pageChunks[page + 1] ?? 0; chunk < end; chunk++) {
    if (allowedCode !== undefined && allowedCode[segment.chunkCode[chunk] ?? 0] === 0) continue
    const score = accumulators.chunkScores[firstChunk + chunk] ?? 0
    if (score === 0 && chunk > from && chunks.length > 0) continue
    const words = segment.chunkHeadingLengths[chunk] ?? 0
    const hits = accumulators.chunkHeadings[firstChunk + chunk] ?? 0
    const features: Features = {
      ...pageFeatures,
      chunk: ratio(score, most.chunk),
      headingPrecision: words === 0 ? 0 : Math.min(1, hits / words) ** 2,
    }
    chunks.push({ part, page, chunk, score: weigh(features, weights), features })
  }
  return chunks.toSorted((a, b) => b.score - a.score).slice(0, CHUNKS_PER_PAGE)
}

function weigh(features: Features, weights: FusionWeights): number {
  let score = 0
  score += weights.chunk * features.chunk
  score += weights.page * features.page
  score += weights.decay * features.decay
  score += weights.titlePrecision * features.titlePrecision
  score += weights.headingPrecision * features.headingPrecision
  score += weights.exactTitle * features.exactTitle
  return score
}

function ratio(value: number | undefined, most: number): number {
  return most === 0 ? 0 : (value ?? 0) / most
}

/** Equal scores are put in the order of addresses, so that the way pages lie in segments cannot show. */
function compareText(a: RankedChunk, b: RankedChunk): number {
  const left = a.part.segment.url(a.page)
  const right = b.part.segment.url(b.page)
  return left < right ? -1 : left > right ? 1 : a.chunk - b.chunk
}
