import { LENGTHS } from '#search/segment/length-code.ts'
import type { FusionWeights } from '#search/weights.ts'
import type { Accumulators } from './accumulators.ts'
import { type Corpus, type CorpusPart, partOfPage } from './corpus.ts'
import type { PageFilter } from './page-filter.ts'

/** A passage in the ranking. `page` and `chunk` are numbers in the segment of `part`. */
export type RankedChunk = { part: CorpusPart; page: number; chunk: number; score: number; features: Features }

/** What the score is the weighted sum of; all between 0 and 1. */
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
  /** How many words the question has, and what they weigh together. */
  slotCount: number
  totalWeight: number
  /** How many of the best pages are given with their passages. */
  depth: number
}

/** Greatest values among the candidates: what scores are divided by to become features. */
type Greatest = { chunk: number; page: number; decay: number }

/**
 * Ranks the candidates' passages, best first: a linear fusion of features, each divided by its maximum. Of each page at
 * most three passages are given.
 */
export function fuse(input: FuseInput): RankedChunk[] {
  const { corpus, pages, accumulators, weights, depth } = input
  const greatest: Greatest = { chunk: 0, page: 0, decay: 0 }
  for (const page of pages) {
    greatest.chunk = Math.max(greatest.chunk, accumulators.bestScores[page] ?? 0)
    greatest.page = Math.max(greatest.page, accumulators.pageScores[page] ?? 0)
    greatest.decay = Math.max(greatest.decay, accumulators.decays[page] ?? 0)
  }
  const scored = pages.map((page) => {
    const part = partOfPage(corpus, page)
    const features = pageFeatures(input, part, page, greatest)
    return { page, part, features, score: weighPage(features, weights) + bestOfPage(input, part, page, greatest) }
  })
  scored.sort((a, b) => b.score - a.score || comparePages(a, b))
  return scored
    .slice(0, depth)
    .flatMap(({ page, part, features }) => rankPassages(input, part, page, { features, greatest }))
    .sort((a, b) => b.score - a.score || comparePages(toCorpusPage(a), toCorpusPage(b)) || a.chunk - b.chunk)
}

type PageFeatures = Omit<Features, 'chunk' | 'headingPrecision'>

function pageFeatures(
  { accumulators, slotCount, totalWeight }: FuseInput,
  { segment, firstPage }: CorpusPart,
  page: number,
  greatest: Greatest,
): PageFeatures {
  const words = LENGTHS[segment.pageLengths[page - firstPage] ?? 0] ?? 0
  const hits = accumulators.titleHits[page] ?? 0
  const precision = words === 0 ? 0 : Math.min(1, hits / words)
  const isWhole = precision === 1 && hits >= slotCount && (accumulators.pageCovers[page] ?? 0) >= totalWeight
  return {
    page: ratio(accumulators.pageScores[page], greatest.page),
    decay: ratio(accumulators.decays[page], greatest.decay),
    titlePrecision: precision ** 2,
    exactTitle: isWhole ? 1 : 0,
  }
}

function weighPage(features: PageFeatures, weights: FusionWeights): number {
  return (
    weights.page * features.page +
    weights.decay * features.decay +
    weights.titlePrecision * features.titlePrecision +
    weights.exactTitle * features.exactTitle
  )
}

/** What the best passage of a page adds to its score. */
function bestOfPage(input: FuseInput, part: CorpusPart, page: number, greatest: Greatest): number {
  const { pageChunks } = part.segment
  const local = page - part.firstPage
  let best = 0
  for (let chunk = pageChunks[local] ?? 0, end = pageChunks[local + 1] ?? 0; chunk < end; chunk++)
    if (isAllowed(input, part, chunk)) best = Math.max(best, weighPassage(input, part, chunk, greatest))
  return best
}

function weighPassage(
  { accumulators, weights }: FuseInput,
  part: CorpusPart,
  chunk: number,
  greatest: Greatest,
): number {
  const score = accumulators.chunkScores[part.firstChunk + chunk] ?? 0
  if (score === 0) return 0
  return (
    weights.chunk * ratio(score, greatest.chunk) +
    weights.headingPrecision * headingPrecision(accumulators, part, chunk)
  )
}

function headingPrecision(accumulators: Accumulators, { segment, firstChunk }: CorpusPart, chunk: number): number {
  const words = segment.chunkHeadingLengths[chunk] ?? 0
  return words === 0 ? 0 : Math.min(1, (accumulators.chunkHeadings[firstChunk + chunk] ?? 0) / words) ** 2
}

/** The best passages of a page; of one that has the question's words only in its title, the first. */
function rankPassages(
  input: FuseInput,
  part: CorpusPart,
  page: number,
  { features, greatest }: { features: PageFeatures; greatest: Greatest },
): RankedChunk[] {
  const { accumulators, weights } = input
  const { pageChunks } = part.segment
  const local = page - part.firstPage
  const base = weighPage(features, weights)
  const passages: { chunk: number; score: number }[] = []
  for (let chunk = pageChunks[local] ?? 0, end = pageChunks[local + 1] ?? 0; chunk < end; chunk++) {
    if (!isAllowed(input, part, chunk)) continue
    const score = weighPassage(input, part, chunk, greatest)
    if (score > 0 || passages.length === 0) passages.push({ chunk, score })
  }
  return passages
    .sort((a, b) => b.score - a.score || a.chunk - b.chunk)
    .slice(0, CHUNKS_PER_PAGE)
    .map(({ chunk, score }) => ({
      part,
      page: local,
      chunk,
      score: base + score,
      features: {
        ...features,
        chunk: ratio(accumulators.chunkScores[part.firstChunk + chunk], greatest.chunk),
        headingPrecision: headingPrecision(accumulators, part, chunk),
      },
    }))
}

function isAllowed({ filter }: FuseInput, { segment }: CorpusPart, chunk: number): boolean {
  return filter === null || filter.code.get(segment)?.[segment.chunkCode[chunk] ?? 0] !== 0
}

function ratio(value: number | undefined, most: number): number {
  return most === 0 ? 0 : (value ?? 0) / most
}

type CorpusPage = { part: CorpusPart; page: number }

function toCorpusPage({ part, page }: RankedChunk): CorpusPage {
  return { part, page: part.firstPage + page }
}

/** Equal scores are put in the order of addresses, so that the way pages lie in segments cannot show. */
function comparePages(a: CorpusPage, b: CorpusPage): number {
  if (a.page === b.page) return 0
  const left = a.part.segment.url(a.page - a.part.firstPage)
  const right = b.part.segment.url(b.page - b.part.firstPage)
  return left < right ? -1 : left > right ? 1 : 0
}
