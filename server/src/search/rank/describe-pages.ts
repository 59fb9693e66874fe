import type { FusionWeights, Weights } from '#search/weights.ts'
import type { Accumulators, CandidatePages, PassageFeatures } from './accumulators.ts'
import { type Corpus, type CorpusPart, partOfPage } from './corpus.ts'
import type { PageFilter } from './page-filter.ts'
import { templateFactor, titlePrecision } from './template-factor.ts'

export type DescribeInput = {
  corpus: Corpus
  /** Output table. Overwrites the pages of the previous question. */
  candidates: CandidatePages
  /** Result of `collect`. */
  pages: readonly number[]
  accumulators: Accumulators
  weights: FusionWeights
  template: Weights['template']
  filter: PageFilter | null
  /** Number of question words. */
  termCount: number
  /** Latent similarity of a page and the question. 0 if unknown. */
  similarity: (part: CorpusPart, page: number) => number
}

/** Maximum values among the candidates. Scores are divided by them to become features. */
export type Maxima = { chunk: number; page: number; decay: number; similarity: number }

/** Fills `candidates`: pages, early features, best passages, and preliminary scores. */
export function describePages(input: DescribeInput): Maxima {
  const { corpus, candidates, pages, weights } = input
  candidates.reset(pages, weights)
  const { maxima, similarities } = findMaxima(input)
  for (let row = 0; row < candidates.size; row++) {
    const part = partOfPage(corpus, candidates.pages[row])
    describePage(input, row, part, { maxima, similarity: similarities[row] })
    addPassages(input, row, part, maxima)
    candidates.scores[row] = candidates.weigh(row) + candidates.passageScore(row, 0)
  }
  return maxima
}

/** Maxima, and the latent similarity of each candidate. */
function findMaxima({ corpus, candidates, accumulators, similarity }: DescribeInput) {
  const { bestScores, pageScores, decays } = accumulators
  const maxima: Maxima = { chunk: 0, page: 0, decay: 0, similarity: 0 }
  const similarities: number[] = []
  for (let row = 0; row < candidates.size; row++) {
    const page = candidates.pages[row]
    const part = partOfPage(corpus, page)
    const alike = Math.max(0, similarity(part, page - part.firstPage))
    similarities.push(alike)
    maxima.chunk = Math.max(maxima.chunk, bestScores[page])
    maxima.page = Math.max(maxima.page, pageScores[page])
    maxima.decay = Math.max(maxima.decay, decays[page])
    maxima.similarity = Math.max(maxima.similarity, alike)
  }
  return { maxima, similarities }
}

function describePage(
  { candidates, accumulators }: DescribeInput,
  row: number,
  part: CorpusPart,
  { maxima, similarity }: { maxima: Maxima; similarity: number },
): void {
  const { segment, firstPage } = part
  const page = candidates.pages[row]
  candidates.set(row, 'page', ratio(accumulators.pageScores[page], maxima.page))
  candidates.set(row, 'decay', ratio(accumulators.decays[page], maxima.decay))
  candidates.set(row, 'lead', ratio(leadScore(accumulators, part, page - firstPage), maxima.chunk))
  candidates.set(row, 'titlePrecision', titlePrecision(segment, page - firstPage, accumulators.titleHits[page]))
  candidates.set(row, 'latent', ratio(similarity, maxima.similarity))
}

/** Score of the first passage of a page. 0 for a page without passages. */
function leadScore({ chunkScores }: Accumulators, { segment, firstChunk }: CorpusPart, page: number): number {
  const first = segment.pageChunks[page]
  return first < segment.pageChunks[page + 1] ? chunkScores[firstChunk + first] : 0
}

function addPassages(input: DescribeInput, row: number, part: CorpusPart, maxima: Maxima): void {
  const { candidates, accumulators, filter } = input
  const { segment, firstPage, firstChunk } = part
  const { pageChunks, chunkCode } = segment
  const { chunkScores } = accumulators
  const allowed = filter?.code.get(segment)
  const page = candidates.pages[row] - firstPage
  const factor = templateFactor(accumulators, part, page, input.template)
  for (let chunk = pageChunks[page], end = pageChunks[page + 1]; chunk < end; chunk++) {
    if (chunkScores[firstChunk + chunk] === 0) continue
    if (allowed !== undefined && allowed[chunkCode[chunk]] === 0) continue
    candidates.addPassage(row, chunk, scorePassage(input, part, chunk, maxima, factor))
  }
}

/** Score of a passage without word order. `factor` is the template factor of its page. */
export function scorePassage(input: DescribeInput, part: CorpusPart, chunk: number, maxima: Maxima, factor: number) {
  const { accumulators, weights } = input
  const score = weights.chunk * ratio(accumulators.chunkScores[part.firstChunk + chunk], maxima.chunk)
  const precision = headingPrecision(input, part, chunk, factor)
  return precision === 0 ? score : score + weights.headingPrecision * precision
}

/** The features used in `scorePassage`, and the word order. */
export function passageFeatures(
  input: DescribeInput,
  part: CorpusPart,
  { chunk, wordOrder }: { chunk: number; wordOrder: number },
  maxima: Maxima,
): PassageFeatures {
  const { accumulators, template } = input
  const factor = templateFactor(accumulators, part, part.segment.chunkPages[chunk], template)
  return {
    chunk: ratio(accumulators.chunkScores[part.firstChunk + chunk], maxima.chunk),
    headingPrecision: headingPrecision(input, part, chunk, factor),
    wordOrder,
  }
}

/**
 * Share of the heading covered by the question, squared, times the share of the question covered by the heading, times
 * `factor` for a template.
 */
function headingPrecision(
  { accumulators, template, termCount }: DescribeInput,
  { segment, firstChunk }: CorpusPart,
  chunk: number,
  factor: number,
): number {
  const hits = accumulators.chunkHeadings[firstChunk + chunk]
  if (hits === 0) return 0
  const words = segment.chunkHeadingLengths[chunk]
  if (words === 0) return 0
  const precision = Math.min(1, hits / words) ** 2 * Math.min(1, hits / termCount)
  return segment.templatePages[chunk] < template.pages ? precision : precision * factor
}

function ratio(value: number, most: number): number {
  return most === 0 ? 0 : value / most
}
