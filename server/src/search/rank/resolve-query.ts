import { type Word, isEverydayWord, isFormOf } from '#search/analyse/word-analyser.ts'
import { otherForms } from '#search/analyse/word-forms.ts'
import type { DictionaryEntry } from '#search/segment/dictionary.ts'
import { FIELD_COUNT } from '#search/segment/layout.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import { readPostingsHeader, type TermStats } from '#search/segment/postings.ts'
import type { QueryWord } from './analyse-query.ts'
import { repairSpelling } from './repair-spelling.ts'
import type { Weights } from '#search/weights.ts'
import { idf } from './corpus.ts'

/** A term, looked up in the segments of one server. */
export type ResolvedTerm = {
  term: string
  stats: TermStats
  /** Its dictionary entry in each segment, in segment order. */
  entries: (DictionaryEntry | null)[]
  /** Added by a rule, or another form of the word. */
  isSynonym?: true
  /** Factor of its scores. By default 1. */
  share?: number
}

/** One word of the question. Any of its terms matches. */
export type QueryTerm = {
  /** The word as given, or as corrected. */
  raw: string
  terms: ResolvedTerm[]
  /** A compound name; its words have separate queryTerms. */
  compound: boolean
  /** 1 for a word, less for a part of one. */
  weight: number
  /** Number of occurrences in the question. */
  count: number
}

/** Number of pages with the word itself. Synonyms of rules must not make it look more frequent. */
export function pagesWithWord({ terms }: QueryTerm): number {
  return Math.max(0, ...terms.map(({ stats, isSynonym }) => (isSynonym ? 0 : stats.pages)))
}

/** Looks up a term in the segments of the question. */
type Resolve = (term: string) => ResolvedTerm

/** Maximum corrections. A text with more unknown words is a log or in another language. */
const MAX_REPAIRS = 5

/** Weight of the parts of a compound name. `path.join` matches itself first, then path and join. */
const REPEATED = 0.5

/** Share of the scores of other forms of a word. With more, frequent abbreviations outrank the word itself. */
const FORM = 0.25

/** Weight of words derived from symbols and phrasal verbs, less than words of the question. */
const ADDED = 0.5

/**
 * Weight of words outside the sentences that ask. With less, questions from forums lose, and with more, those put into
 * unrelated prose.
 */
const BESIDE = 0.3

/** Looks up the words of a question. Corrects the spelling of unknown words, or splits them into parts. */
export function resolveQuery(
  words: readonly QueryWord[],
  segments: readonly Segment[],
  analyse: (raw: string) => Word[],
): { queryTerms: QueryTerm[]; repaired: [string, string][] } {
  // A known word is looked up twice: to decide on its spelling, and for its place in the question.
  const terms = new Map<string, ResolvedTerm>()
  const resolve: Resolve = (term) => {
    let resolved = terms.get(term)
    if (resolved === undefined) {
      resolved = resolveTerm(term, segments)
      terms.set(term, resolved)
    }
    return resolved
  }
  const queryTerms = new QueryTermList(resolve)
  const repaired: [string, string][] = []
  let tried = 0
  const repair = (raw: string): string | null =>
    tried++ >= MAX_REPAIRS ? null : repairSpelling(raw, segments, (form) => countPages(analyse(form), resolve))

  for (const word of words) {
    const { raw, analyses, count, added, beside, synonyms } = word
    if (queryTerms.hasTermOf(analyses)) continue
    if (added || beside) {
      queryTerms.addDerived(raw, analyses, beside ? BESIDE : ADDED)
      continue
    }
    // A word with synonyms is spelt as its owner wants it.
    const isKnown =
      synonyms !== undefined ||
      countPages(analyses, resolve) > 0 ||
      formsOf(analyses).some((form) => resolve(form).stats.pages > 0) ||
      isEverydayWord(raw)
    const better = isKnown ? null : repair(raw)
    if (better === null) queryTerms.addWord(word)
    else {
      // In a language without a stemmer singular and plural are different words, and neither is a typo.
      if (!isFormOf(raw, better)) repaired.push([raw, better])
      queryTerms.addKnown(better, analyse(better), count)
    }
  }
  return { queryTerms: queryTerms.queryTerms, repaired }
}

/** Query terms of a question. Each index term belongs to the first one that asks for it. */
class QueryTermList {
  readonly queryTerms: QueryTerm[] = []
  readonly #resolve: Resolve
  readonly #taken = new Set<string>()

  constructor(resolve: Resolve) {
    this.#resolve = resolve
  }

  hasTermOf(analyses: readonly Word[]): boolean {
    return analyses.some(({ term }) => this.#taken.has(term))
  }

  /** Adds a word of the question. An unknown word still counts as uncovered. */
  addWord({ raw, analyses, count, synonyms = [] }: QueryWord): void {
    const at = this.queryTerms.length
    const isKnown = this.addKnown(raw, analyses, count)
    if (!isKnown) this.queryTerms.push({ raw, terms: [], weight: 1, count, compound: false })
    const { terms } = this.queryTerms[at]
    for (const resolved of this.#take(termsOf(synonyms))) terms.push({ ...resolved, isSynonym: true })
    for (const resolved of this.#take(formsOf(analyses)))
      terms.push({ ...resolved, isSynonym: true, share: isKnown ? FORM : 1 })
  }

  /** Adds a word derived from a symbol, or one beside the question. */
  addDerived(raw: string, analyses: readonly Word[], weight: number): void {
    this.#add(raw, termsOf(analyses), { weight, count: 1 })
  }

  /** Adds a word and the parts of its name. Returns false if no page has any of them. */
  addKnown(raw: string, analyses: readonly Word[], count: number): boolean {
    const isCompound = analyses.some(({ joined, parts }) => joined.length + parts.length > 1)
    const whole = this.#add(raw, termsOf(analyses), { weight: 1, count }, isCompound)
    let found = whole
    for (const name of ['joined', 'parts'] as const) {
      const length = analyses[0]?.[name].length ?? 0
      for (let index = 0; index < length; index++) {
        const terms = analyses.flatMap((analysis) => analysis[name][index] ?? [])
        if (this.#add(terms[0] ?? raw, terms, { weight: whole ? REPEATED : 1, count })) found = true
      }
    }
    return found
  }

  #add(raw: string, names: readonly string[], worth: Pick<QueryTerm, 'weight' | 'count'>, compound = false): boolean {
    const terms = this.#take(names)
    if (terms.length > 0) this.queryTerms.push({ raw, terms, ...worth, compound })
    return terms.length > 0
  }

  /** Takes the terms that are on a page and not taken yet. */
  #take(names: readonly string[]): ResolvedTerm[] {
    const terms = [...new Set(names)]
      .filter((term) => !this.#taken.has(term))
      .map((term) => this.#resolve(term))
      .filter(({ stats }) => stats.pages > 0)
    for (const { term } of terms) this.#taken.add(term)
    return terms
  }
}

function termsOf(analyses: readonly Word[]): string[] {
  return analyses.map(({ term }) => term)
}

function formsOf(analyses: readonly Word[]): string[] {
  return analyses.flatMap(({ term }) => [...otherForms(term)])
}

function countPages(analyses: readonly Word[], resolve: Resolve): number {
  return Math.max(0, ...analyses.map(({ term }) => resolve(term).stats.pages))
}

function resolveTerm(term: string, segments: readonly Segment[]): ResolvedTerm {
  const stats: TermStats = { pages: 0, chunks: 0, fields: new Array<number>(FIELD_COUNT).fill(0) }
  const entries = segments.map((segment) => {
    const entry = segment.terms.find(term)
    if (entry === null) return null
    if (segment.partial && !segment.partial.has(entry)) {
      // On some page. The real number is known when its postings have been read.
      stats.pages += 1
      return entry
    }
    const { stats: here } = readPostingsHeader(segment.postings, entry.start)
    stats.pages += here.pages
    stats.chunks += here.chunks
    for (let field = 0; field < FIELD_COUNT; field++) stats.fields[field] += here.fields[field]
    return entry
  })
  return { term, stats, entries }
}

/** Question words used for ranking, the rarest. With 48 a question takes twice as long, at the same nDCG@10. */
export const MOST_TERMS = 24

/** The rarest words, in the order of the question. A word on no page costs nothing and counts as the rarest. */
export function rarestTerms(queryTerms: readonly QueryTerm[]): readonly QueryTerm[] {
  if (queryTerms.length <= MOST_TERMS) return queryTerms
  const rank = (term: QueryTerm) => (term.weight === BESIDE ? Infinity : pagesWithWord(term))
  const kept = new Set(queryTerms.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_TERMS))
  return queryTerms.filter((queryTerm) => kept.has(queryTerm))
}

/** A word of the question with its weight in scores. */
export type WeighedTerm = QueryTerm & {
  /** Share of the question that a page with the word covers, in the same unit for all words. */
  cover: number
}

/** Programming languages by name. Names that are also words of other subjects (`c`, `go`, `swift`) are left out. */
const LANGUAGES = new Set('golang java javascript kotlin perl php python ruby rust scala typescript'.split(' '))
/** A shorter question may be about the language itself. */
const LONG_FROM = 3

/**
 * Weighs the words of a question in a corpus of `pages` pages. A repeated word counts more, because a long question
 * repeats its subject. A programming language counts less, because it says where the answer applies, and most pages
 * about the subject do not name it. Rare words cover more of the question than frequent ones, such as function words of
 * a language without a list of them. A word on no page has the same effect on all pages.
 */
export function weighTerms(
  queryTerms: readonly QueryTerm[],
  pages: number,
  { repeat, rarity, language }: Weights['question'],
): WeighedTerm[] {
  return queryTerms.map((queryTerm) => {
    const isContext = queryTerms.length >= LONG_FROM && LANGUAGES.has(queryTerm.raw.toLowerCase())
    const worth = isContext ? queryTerm.weight * language : queryTerm.weight
    const cover = worth * idf(pages, pagesWithWord(queryTerm)) ** rarity
    return { ...queryTerm, weight: worth * queryTerm.count ** repeat, cover }
  })
}
