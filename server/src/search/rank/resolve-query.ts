import { isEverydayWord, isFormOf } from '#search/analyse/is-everyday-word.ts'
import type { Word } from '#search/analyse/word-analyser.ts'
import type { DictionaryEntry } from '#search/segment/dictionary.ts'
import { FIELD_COUNT } from '#search/segment/layout.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import { readPostingsHeader, type TermStats } from '#search/segment/postings-reader.ts'
import type { QueryWord } from './analyse-query.ts'
import { repairSpelling } from './repair-spelling.ts'

/** A term as the segments of one server know it. */
export type ResolvedTerm = {
  term: string
  stats: TermStats
  /** Its place in each segment's dictionary, in the order of the segments. */
  entries: (DictionaryEntry | null)[]
}

/** What one word of the question asks for: any of its terms will do. */
export type QuerySlot = {
  /** The word as it was given, or as it was repaired. */
  raw: string
  terms: ResolvedTerm[]
  /** A name made of several words, which have slots of their own. */
  compound: boolean
  /** 1 for a word; less for what only repeats a part of one. */
  weight: number
}

export type ResolvedQuery = { slots: QuerySlot[]; repaired: [string, string][] }

/** Analyses a word again, after its spelling was repaired. */
export type AnalyseWord = (raw: string) => Word[]

/** What has many unknown words is a log or another language, and no slip of the finger. */
const MAX_REPAIRS = 5

/** Names that join others, beside their parts: `path.join` finds itself first, and then path and join. */
const REPEATED_JOINED = 0.5
const REPEATED_PART = 0.25

/** Words that were added count half: what was asked stands in the others. */
const ADDED = 0.5

/** Looks a question's words up. Of words that no page has the spelling is repaired, or else they are taken apart. */
export function resolveQuery(
  words: readonly QueryWord[],
  segments: readonly Segment[],
  analyse: AnalyseWord,
): ResolvedQuery {
  const slots: QuerySlot[] = []
  const repaired: [string, string][] = []
  const taken = new Set<string>()
  let tried = 0

  const add = (raw: string, candidates: readonly string[], weight: number, compound = false): boolean => {
    const terms = [...new Set(candidates)]
      .filter((term) => !taken.has(term))
      .map((term) => resolveTerm(term, segments))
      .filter(({ stats }) => stats.pages > 0)
    for (const { term } of terms) taken.add(term)
    if (terms.length > 0) slots.push({ raw, terms, weight, compound })
    return terms.length > 0
  }

  const addWord = (raw: string, analyses: readonly Word[]): boolean => {
    const whole = add(
      raw,
      analyses.map(({ term }) => term),
      1,
      analyses.some(({ joined, parts }) => joined.length + parts.length > 1),
    )
    let found = whole
    for (const [name, weight] of [
      ['joined', REPEATED_JOINED],
      ['parts', REPEATED_PART],
    ] as const) {
      const count = analyses[0]?.[name].length ?? 0
      for (let index = 0; index < count; index++) {
        const terms = analyses.flatMap((analysis) => analysis[name][index] ?? [])
        if (add(terms[0] ?? raw, terms, whole ? weight : 1)) found = true
      }
    }
    return found
  }

  const repair = (raw: string): string | null =>
    tried++ >= MAX_REPAIRS ? null : repairSpelling(raw, segments, (form) => countPages(analyse(form), segments))

  for (const { raw, analyses, added } of words) {
    if (analyses.some(({ term }) => taken.has(term))) continue
    if (added) {
      add(
        raw,
        analyses.map(({ term }) => term),
        ADDED,
      )
      continue
    }
    const better = countPages(analyses, segments) > 0 || isEverydayWord(raw) ? null : repair(raw)
    if (better !== null) {
      // Of a language that is not stemmed, singular and plural are words apart; the one is no slip for the other.
      if (!isFormOf(raw, better)) repaired.push([raw, better])
      addWord(better, analyse(better))
      continue
    }
    // A word that no page has still counts as one that is not covered.
    if (!addWord(raw, analyses)) slots.push({ raw, terms: [], weight: 1, compound: false })
  }
  return { slots, repaired }
}

function countPages(analyses: readonly Word[], segments: readonly Segment[]): number {
  return Math.max(0, ...analyses.map(({ term }) => resolveTerm(term, segments).stats.pages))
}

function resolveTerm(term: string, segments: readonly Segment[]): ResolvedTerm {
  const stats: TermStats = { pages: 0, chunks: 0, fields: new Array<number>(FIELD_COUNT).fill(0) }
  const entries = segments.map((segment) => {
    const entry = segment.terms.find(term)
    if (entry === null) return null
    const { stats: here } = readPostingsHeader(segment.postings, entry.start)
    stats.pages += here.pages
    stats.chunks += here.chunks
    for (let field = 0; field < FIELD_COUNT; field++)
      stats.fields[field] = (stats.fields[field] ?? 0) + (here.fields[field] ?? 0)
    return entry
  })
  return { term, stats, entries }
}
