import { LENGTHS } from '#search/segment/length-code.ts'
import type { FusionWeights } from '#search/weights.ts'
import type { Accumulators } from './accumulators.ts'
import { type Corpus, type CorpusPart, partOfPage } from './corpus.ts'
import { likenessToBest } from './likeness-to-best.ts'
import { namedByBest } from './named-by-best.ts'
import type { PageFilter } from './page-filter.ts'
import { boundWordOrder, scoreWordOrder, type WordOrder } from './word-order.ts'

/** A passage in the ranking. `page` and `chunk` are numbers in the segment of `part`. */
export type RankedChunk = {
  part: CorpusPart
  page: number
  chunk: number
  score: number
  features: Features & { embedding?: number }
}

/** What the score is the weighted sum of; all between 0 and 1. */
export type Features = Record<keyof FusionWeights, number>

/** Pages that are looked at closely: word order, and likeness to the best. */
const CLOSE = 40
/** Passages of one page that may be shown. */
const CHUNKS_PER_PAGE = 3
/** Passages of one page whose word order is looked at: its best without that. */
const ORDERED_PER_PAGE = 8
/** Bounds are rounded in other ways than the scores they bound. */
const SLACK = 1.000001

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
  /** How alike a page and the question are, and null where that is not known. */
  likeness: (part: CorpusPart, page: number) => number | null
  /** How far likeness can be trusted for this question, 0 to 1. */
  latentTrust: number
  /** The question's words in their order; null for a single one. */
  wordOrder: WordOrder | null
  /** How many of the best pages are given with their passages. */
  depth: number
}

/** Greatest values among the candidates: what scores are divided by to become features. */
type Greatest = { chunk: number; page: number; decay: number; likeness: number }

/**
 * Ranks the candidates' passages, best first: a linear fusion of features, each divided by its maximum. Of each page at
 * most three passages are given.
 */
export function fuse(input: FuseInput): RankedChunk[] {
  const { weights, depth } = input
  const candidates = describeCandidates(input)
  const greatest = findGreatest(input, candidates)
  const scored = candidates.map((candidate): ScoredPage => {
    const features = pageFeatures(input, candidate, greatest)
    const best = bestOfPage(input, candidate, greatest)
    return { ...candidate, features, best, score: weighPage(features, weights) + best }
  })
  scored.sort((a, b) => b.score - a.score || comparePages(a, b))
  const close = scored.slice(0, CLOSE)
  const best = close.map(({ part, page, score }) => ({ segment: part.segment, page: page - part.firstPage, score }))
  const alike = likenessToBest(best)
  const named = input.latentTrust > 0 ? namedByBest(best) : []
  for (const [index, { features }] of close.entries()) {
    features.feedback = input.latentTrust * (alike[index] ?? 0)
    features.named = input.latentTrust * (named[index] ?? 0)
  }
  return rankPages(input, scored.slice(0, Math.max(depth, CLOSE)), greatest)
    .flat()
    .sort((a, b) => b.score - a.score || comparePages(toCorpusPage(a), toCorpusPage(b)) || a.chunk - b.chunk)
}

/**
 * The passages of the `depth` best pages, best page first. Word order is what costs most: pages are taken in the order of
 * what they could be worth with it, until none of the others can get in.
 */
function rankPages(input: FuseInput, pages: readonly ScoredPage[], greatest: Greatest): RankedChunk[][] {
  const { weights, depth, wordOrder, accumulators } = input
  const bounds = pages.map(({ page, features, best }) => {
    const order = wordOrder === null ? 0 : boundWordOrder(wordOrder, accumulators.pageWords[page] ?? 0)
    return (weighPage(features, weights) + best + weights.wordOrder * order) * SLACK
  })
  const hopeful = [...pages.keys()].sort((a, b) => (bounds[b] ?? 0) - (bounds[a] ?? 0))
  const ranked: { index: number; passages: OrderedPassage[]; score: number }[] = []
  for (const index of hopeful) {
    const page = pages[index]
    if (page === undefined || (ranked.length >= depth && (bounds[index] ?? 0) < (ranked.at(-1)?.score ?? 0))) break
    const passages = orderPassages(input, page, greatest)
    const [first] = passages
    const score = first === undefined ? 0 : weighPage(page.features, weights) + first.score
    insertBest(ranked, { index, passages, score }, depth, (a, b) => a.index - b.index)
  }
  return ranked.map(({ index, passages }) => {
    const page = pages[index]
    return page === undefined ? [] : passages.map((passage) => describePassage(input, page, passage, greatest))
  })
}

/** Puts `item` where its score belongs, of equal ones where `compare` says, and lets the last go beyond `most`. */
function insertBest<T extends { score: number }>(best: T[], item: T, most: number, compare: (a: T, b: T) => number) {
  let at = best.length
  for (let before = best[at - 1]; before !== undefined; before = best[--at - 1])
    if (before.score > item.score || (before.score === item.score && compare(before, item) < 0)) break
  if (at === most) return
  best.splice(at, 0, item)
  if (best.length > most) best.pop()
}

/** A page that may be among the best; `page` is its number in the corpus. */
type Candidate = { part: CorpusPart; page: number; likeness: number | null }

function describeCandidates({ corpus, pages, likeness }: FuseInput): Candidate[] {
  const candidates = pages.map((page): Candidate => {
    const part = partOfPage(corpus, page)
    return { part, page, likeness: likeness(part, page - part.firstPage) }
  })
  return candidates
}

function findGreatest(input: FuseInput, candidates: readonly Candidate[]): Greatest {
  const { bestScores, pageScores, decays } = input.accumulators
  const greatest: Greatest = { chunk: 0, page: 0, decay: 0, likeness: 0 }
  for (const { page, likeness } of candidates) {
    greatest.chunk = Math.max(greatest.chunk, bestScores[page] ?? 0)
    greatest.page = Math.max(greatest.page, pageScores[page] ?? 0)
    greatest.decay = Math.max(greatest.decay, decays[page] ?? 0)
    greatest.likeness = Math.max(greatest.likeness, likeness ?? 0)
  }
  return greatest
}

/** Calls back for each passage of a page that the filter leaves and that has words of the question. */
function eachPassage(
  { filter, accumulators }: FuseInput,
  { segment, firstPage, firstChunk }: CorpusPart,
  page: number,
  onPassage: (chunk: number) => void,
): void {
  const { pageChunks, chunkCode } = segment
  const allowed = filter?.code.get(segment)
  const local = page - firstPage
  for (let chunk = pageChunks[local] ?? 0, end = pageChunks[local + 1] ?? 0; chunk < end; chunk++) {
    if (accumulators.chunkScores[firstChunk + chunk] === 0) continue
    if (allowed === undefined || allowed[chunkCode[chunk] ?? 0] !== 0) onPassage(chunk)
  }
}

type PageFeatures = Omit<Features, keyof PassageFeatures>

/** `best` is what its best passage is worth without word order, `score` what it is worth with that. */
type ScoredPage = Candidate & { features: PageFeatures; best: number; score: number }

function pageFeatures(
  { accumulators, slotCount, totalWeight, latentTrust }: FuseInput,
  { part, page, likeness }: Candidate,
  greatest: Greatest,
): PageFeatures {
  const { segment, firstPage } = part
  const words = Math.max(1, LENGTHS[segment.pageLengths[page - firstPage] ?? 0] ?? 0)
  const hits = accumulators.titleHits[page] ?? 0
  const precision = Math.min(1, hits / words)
  const isWhole = precision === 1 && hits >= slotCount && (accumulators.pageCovers[page] ?? 0) >= totalWeight
  return {
    page: ratio(accumulators.pageScores[page], greatest.page),
    decay: ratio(accumulators.decays[page], greatest.decay),
    titlePrecision: precision ** 2,
    exactTitle: isWhole ? 1 : 0,
    latent: latentTrust * ratio(Math.max(0, likeness ?? 0), greatest.likeness),
    feedback: 0,
    named: 0,
  }
}

function weighPage(features: PageFeatures, weights: FusionWeights): number {
  return (
    weights.page * features.page +
    weights.decay * features.decay +
    weights.titlePrecision * features.titlePrecision +
    weights.exactTitle * features.exactTitle +
    weights.latent * features.latent +
    weights.feedback * features.feedback +
    weights.named * features.named
  )
}

/** What the best passage of a page adds to its score. Goes through all passages of all candidates. */
function bestOfPage(input: FuseInput, { part, page }: Candidate, greatest: Greatest): number {
  let best = 0
  eachPassage(input, part, page, (chunk) => {
    const score = scorePassage(input, part, chunk, greatest)
    if (score > best) best = score
  })
  return best
}

type PassageFeatures = Pick<Features, 'chunk' | 'headingPrecision' | 'wordOrder'>

function passageFeatures(input: FuseInput, part: CorpusPart, chunk: number, greatest: Greatest): PassageFeatures {
  const { accumulators } = input
  return {
    chunk: ratio(accumulators.chunkScores[part.firstChunk + chunk], greatest.chunk),
    headingPrecision: headingPrecision(input, part, chunk),
    wordOrder: 0,
  }
}

function weighPassage(features: PassageFeatures, weights: FusionWeights): number {
  return weights.chunk * features.chunk + weights.headingPrecision * features.headingPrecision
}

/** How much of the passage's heading the question has, squared, times how much of the question the heading has. */
function headingPrecision(
  { accumulators, slotCount }: FuseInput,
  { segment, firstChunk }: CorpusPart,
  chunk: number,
): number {
  const words = segment.chunkHeadingLengths[chunk] ?? 0
  const hits = accumulators.chunkHeadings[firstChunk + chunk] ?? 0
  return words === 0 || hits === 0 ? 0 : Math.min(1, hits / words) ** 2 * Math.min(1, hits / slotCount)
}

/**
 * The page's passages that score best without word order, best first, equal ones in their order. Goes through all
 * passages of all candidates, and keeps few.
 */
function bestPassages(input: FuseInput, { part, page }: CorpusPage, greatest: Greatest): number[] {
  const scores: number[] = []
  const chunks: number[] = []
  eachPassage(input, part, page, (chunk) => {
    const score = scorePassage(input, part, chunk, greatest)
    if (chunks.length >= ORDERED_PER_PAGE && score <= (scores.at(-1) ?? 0)) return
    let at = chunks.length
    while (at > 0 && (scores[at - 1] ?? 0) < score) at--
    scores.splice(at, 0, score)
    chunks.splice(at, 0, chunk)
    if (chunks.length > ORDERED_PER_PAGE) {
      scores.pop()
      chunks.pop()
    }
  })
  if (chunks.length > 0) return chunks
  const first = firstAllowed(input, part, page - part.firstPage)
  return first === null ? [] : [first]
}

/** What a passage is worth without word order: `weighPassage` of its features, without making them. */
function scorePassage(input: FuseInput, part: CorpusPart, chunk: number, greatest: Greatest): number {
  const { accumulators, weights } = input
  const at = part.firstChunk + chunk
  const score = (weights.chunk * (accumulators.chunkScores[at] ?? 0)) / (greatest.chunk || 1)
  if (accumulators.chunkHeadings[at] === 0) return score
  return score + weights.headingPrecision * headingPrecision(input, part, chunk)
}

type OrderedPassage = { chunk: number; wordOrder: number; score: number }

/** The best passages of a page; of one that has the question's words only in its title, the first. */
function orderPassages(input: FuseInput, { part, page }: ScoredPage, greatest: Greatest): OrderedPassage[] {
  const { weights, wordOrder } = input
  const known = input.accumulators.pageWords[page] ?? 0
  const most = wordOrder === null ? 0 : weights.wordOrder * boundWordOrder(wordOrder, known)
  const best: OrderedPassage[] = []
  for (const chunk of bestPassages(input, { part, page }, greatest)) {
    const plain = weighPassage(passageFeatures(input, part, chunk, greatest), weights)
    // Those that come after are worth no more.
    if (best.length === CHUNKS_PER_PAGE && (plain + most) * SLACK < (best.at(-1)?.score ?? 0)) break
    const order = wordOrder === null ? 0 : scoreWordOrder(wordOrder, part.segment, chunk, known)
    const passage = { chunk, wordOrder: order, score: plain + weights.wordOrder * order }
    // Without word order they come best first already.
    insertBest(best, passage, CHUNKS_PER_PAGE, wordOrder === null ? () => -1 : (a, b) => a.chunk - b.chunk)
  }
  return best
}

function describePassage(
  input: FuseInput,
  { part, page, features }: ScoredPage,
  { chunk, wordOrder, score }: OrderedPassage,
  greatest: Greatest,
): RankedChunk {
  return {
    part,
    page: page - part.firstPage,
    chunk,
    score: weighPage(features, input.weights) + score,
    features: { ...features, ...passageFeatures(input, part, chunk, greatest), wordOrder },
  }
}

function firstAllowed({ filter }: FuseInput, { segment }: CorpusPart, page: number): number | null {
  const allowed = filter?.code.get(segment)
  for (let chunk = segment.pageChunks[page] ?? 0, end = segment.pageChunks[page + 1] ?? 0; chunk < end; chunk++)
    if (allowed === undefined || allowed[segment.chunkCode[chunk] ?? 0] !== 0) return chunk
  return null
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
