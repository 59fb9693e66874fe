import { createAnalysers, QUESTION_WORDS, DEFAULT_LANGUAGE } from '#search/analyse/word-analyser.ts'
import { type PageMasks, makePageFilter, createPagePaths, type PathsOf } from './page-filter.ts'
import { fuseEmbeddings, type QueryEmbedding, createSigns } from './fuse-embeddings.ts'
import type { SearchRequest } from '#search/passage.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import { latentSimilarity, queryVector } from '#search/vectors/query-vector.ts'
import { type Weights, WEIGHTS } from '#search/weights.ts'
import { Accumulators, CandidatePages } from './accumulators.ts'
import { type AddedWords, analyseQuery, analyseWord } from './analyse-query.ts'
import { collect } from './collect.ts'
import { type Corpus, type CorpusPart, type SourceSegment, createKnownCorpora } from './corpus.ts'
import { type RankFeatures, fuse, type RankedChunk } from './fuse.ts'
import { createImpactCache, type ImpactStore } from './impact-cache.ts'
import { createPageFactors } from './page-factors.ts'
import { OpeningScorer, makeWordOrder } from './word-order.ts'
import { rarestTerms, pagesWithWord, type QueryTerm, resolveQuery, weighTerms } from './resolve-query.ts'

export type Ranking = {
  /** Best first, at most three passages per page. */
  chunks: RankedChunk[]
  repaired: [string, string][]
  /** See `SearchResult`. */
  words: { word: string; share: number; isUnknown?: true }[]
  agreement: number
}

type RankRequest = Pick<SearchRequest, 'query' | 'path' | 'code'> & {
  masks?: PageMasks | null
  embedding?: QueryEmbedding | null
  /** Sources of other products than the one that the query names. */
  others?: ReadonlySet<string>
  /** Synonyms of words in the query. */
  added?: AddedWords
  /** Minimum number of pages to rank among the candidates. By default `depth`. */
  atLeast?: number
}

const NONE: ReadonlySet<string> = new Set()

/** Creates a lookup of the words of questions. Partial segments note the terms whose postings it misses. */
export function createQueryReader() {
  const analyserFor = createAnalysers(QUESTION_WORDS)
  return (segments: readonly Segment[], { query, added = [] }: Pick<RankRequest, 'query' | 'added'>) => {
    const languages = languagesOf(segments).map(analyserFor)
    return resolveQuery(analyseQuery(query, languages, added), segments, (raw) => analyseWord(raw, languages))
  }
}

/** Candidates by passage, and as many by page. With 40, nDCG@10 gains .0009 and the time a sixth. */
const CANDIDATES = 20

/**
 * Creates a ranker with reusable working memory. It never throws on any question. Returns at most `depth` pages, each
 * with its best passages.
 */
export function createRanker(weights: Weights = WEIGHTS, store?: ImpactStore, pathsOf: PathsOf = createPagePaths()) {
  const noFeatures = Object.fromEntries(Object.keys(weights.fusion).map((name) => [name, 0])) as RankFeatures
  const accumulators = new Accumulators()
  const candidates = new CandidatePages()
  const openings = new OpeningScorer()
  const impactsOf = createImpactCache(weights, store)
  const join = createKnownCorpora(weights)
  const readQuery = createQueryReader()
  const signsOf = createSigns()
  const factorFor = createPageFactors(weights)

  return (given: readonly SourceSegment[], request: RankRequest, depth: number): Ranking => {
    const { query, path, code, masks = null, embedding = null, others = NONE, atLeast = 0 } = request
    const known = join(given)
    const { corpus } = known
    const { queryTerms: all, repaired } = readQuery(corpus.segments, request)
    const queryTerms = weighTerms(rarestTerms(all), corpus.counters.pages, weights.question)
    const filter = makePageFilter({ path, code, masks }, corpus.segments, pathsOf)
    const pages = collect(corpus, queryTerms, accumulators, {
      weights,
      impactsOf: impactsOf(known),
      filter,
      depth: Math.max(CANDIDATES, depth * 2),
    })
    const byWords = fuse({
      corpus,
      candidates,
      pages,
      accumulators,
      weights: weights.fusion,
      template: weights.template,
      filter,
      termCount: queryTerms.length,
      similarity: similarityTo(queryTerms, corpus),
      openings: queryTerms.length > 1 && corpus.longPages > 0 ? openings.begin(queryTerms) : null,
      wordOrder: makeWordOrder(queryTerms),
      pageFactor: factorFor(query, others),
      depth: Math.max(depth, atLeast),
    })
    const chunks = embedding
      ? fuseEmbeddings({ corpus, ranked: byWords, filter, noFeatures, embedding, signsOf })
      : byWords
    return { chunks, repaired, words: wordsOf(all, corpus), agreement: agreementOf(byWords) }
  }
}

/** Features in the agreement. `opening` says more about the lengths of pages than about the match. */
const AGREEING = ['chunk', 'page', 'decay', 'lead', 'titlePrecision', 'headingPrecision', 'wordOrder'] as const
const AGREEING_LATENT = [...AGREEING, 'latent', 'feedback'] as const

/** The score of the best passage as a share of the highest possible one, 0 to 1. */
export function agreementOf([best]: readonly RankedChunk[]): number {
  if (best === undefined) return 0
  const known = best.part.segment.vectors === null ? AGREEING : AGREEING_LATENT
  const most = known.reduce((sum, name) => sum + WEIGHTS.fusion[name], 0)
  return known.reduce((sum, name) => sum + WEIGHTS.fusion[name] * best.features[name], 0) / most
}

/** Whole words only, because parts of a word add no information. */
function wordsOf(queryTerms: readonly QueryTerm[], { counters: { pages } }: Corpus): Ranking['words'] {
  return queryTerms
    .filter(({ weight }) => weight === 1)
    .map((queryTerm) => ({
      word: queryTerm.raw,
      // Smoothed: in a small collection a word on no page is hardly rarer than one on few pages.
      share: (pagesWithWord(queryTerm) + 0.5) / (pages + 1),
      ...(pagesWithWord(queryTerm) === 0 ? { isUnknown: true as const } : {}),
    }))
}

/** Languages of the segments' pages, the default language first. */
function languagesOf(segments: readonly Segment[]): string[] {
  const languages = new Set([DEFAULT_LANGUAGE])
  for (const segment of segments)
    for (let id = 1, language = segment.language(1); language !== ''; language = segment.language(++id))
      languages.add(language.slice(0, 2).toLowerCase())
  return [...languages]
}

/** Latent similarity of pages to the question. For a single word, the words that co-occur would mislead. */
function similarityTo(queryTerms: readonly QueryTerm[], { parts }: Corpus): (part: CorpusPart, page: number) => number {
  const vectorFor = (part: CorpusPart) => {
    const index = parts.indexOf(part)
    const terms = queryTerms.flatMap(({ terms: all, weight }) =>
      all.flatMap(({ entries }) => {
        const entry = entries[index]
        return entry ? [{ entry, weight }] : []
      }),
    )
    return queryVector(part.segment, terms)
  }
  // Candidates are in the order of their parts.
  let last: { part: CorpusPart; query: Float64Array | null } | null = null
  return (part, page) => {
    if (queryTerms.length < 2 || part.segment.vectors === null) return 0
    if (last?.part !== part) last = { part, query: vectorFor(part) }
    return last.query === null ? 0 : latentSimilarity(last.query, part.segment.vectors, page)
  }
}
