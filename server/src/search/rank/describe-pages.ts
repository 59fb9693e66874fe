import { LENGTHS } from '#search/segment/length-code.ts'
import type { FusionWeights } from '#search/weights.ts'
import type { Accumulators } from './accumulators.ts'
import type { CandidatePages, PassageFeatures } from './candidate-pages.ts'
import { type Corpus, type CorpusPart, partOfPage } from './corpus.ts'
import type { PageFilter } from './page-filter.ts'

/** Tolerance for sums of covers, which are single-precision numbers. */
const ROUNDING = 1e-5

export type DescribeInput = {
  corpus: Corpus
  /** Output table. Overwrites the pages of the previous question. */
  candidates: CandidatePages
  /** Result of `collect`. */
  pages: readonly number[]
  accumulators: Accumulators
  weights: FusionWeights
  filter: PageFilter | null
  /** Number of question words, and the sum of their covers. */
  slotCount: number
  totalCover: number
  /** Latent similarity of a page and the question. Null if unknown. */
  likeness: (part: CorpusPart, page: number) => number | null
  /** Reliability of the latent similarity for this question, 0 to 1. */
  latentTrust: number
}

/** Maximum values among the candidates. Scores are divided by them to become features. */
export type Greatest = { chunk: number; page: number; decay: number; likeness: number }

/**
 * Fills `candidates` with the pages, the features available before feedback, the best passages, and the preliminary
 * scores.
 */
export function describePages(input: DescribeInput): Greatest {
  const { corpus, candidates, pages, weights } = input
  candidates.reset(pages)
  const greatest = findGreatest(input)
  for (let row = 0; row < candidates.size; row++) {
    const part = partOfPage(corpus, candidates.pages[row])
    describePage(input, row, part, greatest)
    addPassages(input, row, part, greatest)
    candidates.scores[row] = candidates.weigh(row, weights) + candidates.passageScore(row, 0)
  }
  return greatest
}

/** Stores the latent similarity of pages in `latent`, so that it is computed once. */
function findGreatest({ corpus, candidates, accumulators, likeness }: DescribeInput): Greatest {
  const { bestScores, pageScores, decays } = accumulators
  const greatest: Greatest = { chunk: 0, page: 0, decay: 0, likeness: 0 }
  for (let row = 0; row < candidates.size; row++) {
    const page = candidates.pages[row]
    const part = partOfPage(corpus, page)
    const alike = Math.max(0, likeness(part, page - part.firstPage) ?? 0)
    candidates.latent[row] = alike
    greatest.chunk = Math.max(greatest.chunk, bestScores[page])
    greatest.page = Math.max(greatest.page, pageScores[page])
    greatest.decay = Math.max(greatest.decay, decays[page])
    greatest.likeness = Math.max(greatest.likeness, alike)
  }
  return greatest
}

function describePage(
  { candidates, accumulators, slotCount, totalCover, latentTrust }: DescribeInput,
  row: number,
  part: CorpusPart,
  greatest: Greatest,
): void {
  const { segment, firstPage } = part
  const page = candidates.pages[row]
  const words = Math.max(1, LENGTHS[segment.pageLengths[page - firstPage]])
  const hits = accumulators.titleHits[page]
  const precision = Math.min(1, hits / words)
  const isCovered = accumulators.pageCovers[page] >= totalCover * (1 - ROUNDING)
  const isWhole = precision === 1 && hits >= slotCount && isCovered
  candidates.page[row] = ratio(accumulators.pageScores[page], greatest.page)
  candidates.decay[row] = ratio(accumulators.decays[page], greatest.decay)
  candidates.lead[row] = ratio(leadScore(accumulators, part, page - firstPage), greatest.chunk)
  candidates.titlePrecision[row] = precision ** 2
  candidates.exactTitle[row] = isWhole ? 1 : 0
  candidates.latent[row] = latentTrust * ratio(candidates.latent[row], greatest.likeness)
}

/** Score of the first passage of a page. 0 for a page without passages. */
function leadScore({ chunkScores }: Accumulators, { segment, firstChunk }: CorpusPart, page: number): number {
  const first = segment.pageChunks[page]
  return first < segment.pageChunks[page + 1] ? chunkScores[firstChunk + first] : 0
}

/** Adds the passages of a page that pass the filter and have words of the question. */
function addPassages(input: DescribeInput, row: number, part: CorpusPart, greatest: Greatest): void {
  const { candidates, accumulators, filter } = input
  const { segment, firstPage, firstChunk } = part
  const { pageChunks, chunkCode } = segment
  const { chunkScores } = accumulators
  const allowed = filter?.code.get(segment)
  const page = candidates.pages[row] - firstPage
  for (let chunk = pageChunks[page], end = pageChunks[page + 1]; chunk < end; chunk++) {
    if (chunkScores[firstChunk + chunk] === 0) continue
    if (allowed !== undefined && allowed[chunkCode[chunk]] === 0) continue
    candidates.addPassage(row, chunk, scorePassage(input, part, chunk, greatest))
  }
}

/** Score of a passage without word order. */
export function scorePassage(
  { accumulators, weights, slotCount }: DescribeInput,
  part: CorpusPart,
  chunk: number,
  greatest: Greatest,
): number {
  return (
    weights.chunk * ratio(accumulators.chunkScores[part.firstChunk + chunk], greatest.chunk) +
    weights.headingPrecision * headingPrecision(accumulators, part, chunk, slotCount)
  )
}

/** The features used in `scorePassage`, and the word order. */
export function passageFeatures(
  { accumulators, slotCount }: DescribeInput,
  part: CorpusPart,
  { chunk, wordOrder }: { chunk: number; wordOrder: number },
  greatest: Greatest,
): PassageFeatures {
  return {
    chunk: ratio(accumulators.chunkScores[part.firstChunk + chunk], greatest.chunk),
    headingPrecision: headingPrecision(accumulators, part, chunk, slotCount),
    wordOrder,
  }
}

/** Share of the heading covered by the question, squared, times the share of the question covered by the heading. */
function headingPrecision(
  { chunkHeadings }: Accumulators,
  { segment, firstChunk }: CorpusPart,
  chunk: number,
  slotCount: number,
): number {
  const hits = chunkHeadings[firstChunk + chunk]
  if (hits === 0) return 0
  const words = segment.chunkHeadingLengths[chunk]
  return words === 0 ? 0 : Math.min(1, hits / words) ** 2 * Math.min(1, hits / slotCount)
}

function ratio(value: number | undefined, most: number): number {
  return most === 0 ? 0 : (value ?? 0) / most
}
