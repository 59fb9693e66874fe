import symbolNames from './symbol-names.json' with { type: 'json' }
import { scanWords } from '#search/analyse/scan-words.ts'
import type { Word, WordAnalyser } from '#search/analyse/word-analyser.ts'
import { splitQuestion } from './split-question.ts'
import { functionWordsOf, isStopWord } from '#search/analyse/stop-words.ts'

/** A word of a question, analysed in each language of the server's pages. */
export type QueryWord = {
  raw: string
  analyses: Word[]
  /** Number of occurrences in the question. */
  count: number
  /** Outside the sentences that ask, and therefore of less weight. */
  beside?: true
  /** Derived from a symbol or a verb with its particle. No page needs to contain it. */
  added?: true
  /** Synonyms by a rule, which match in its place. */
  synonyms?: Word[]
}

/** Words that rules add to a question, by the word of the question that they stand for. */
export type AddedWords = readonly { from: string; to: string }[]

/** Characters read of a question. Users paste whole issues. */
const MAX_CHARS = 8_000
/** Maximum distinct words. More than about forty only cost time. */
const MAX_WORDS = 48

/** Distinct words of a question without stop words, then the names of its symbols, its phrasal nouns and added words. */
export function analyseQuery(query: string, analysers: readonly WordAnalyser[], added: AddedWords = []): QueryWord[] {
  const { asked: text, rest } = splitQuestion(query.slice(0, MAX_CHARS))
  const words = new Map<string, QueryWord>()
  const beside = rest === '' ? [] : wordsOf(rest, analysers).map((word) => ({ ...word, beside: true as const }))
  for (const word of [...wordsOf(text, analysers), ...beside]) {
    const term = word.analyses[0]?.term ?? ''
    const known = words.get(term)
    if (known === undefined) words.set(term, word)
    else known.count += 1
  }
  const given = [...words.values()]
  const foreign = functionWordsOf(given.map(({ raw }) => raw))
  const telling = given.filter(({ raw }) => !(isStopWord(raw) || foreign.has(raw.toLowerCase())))
  const kept = telling.length === 0 ? given : telling
  const signs = nameSymbols(text).flatMap((raw): QueryWord[] => {
    const analyses = analysers.map((analyse) => analyse(raw))
    return words.has(analyses[0]?.term ?? '') ? [] : [{ raw, analyses, count: 1, added: true }]
  })
  const all = [...kept, ...signs, ...phrasalNouns(text, words, analysers)]
  return [...all, ...addSynonyms(all, added, analysers)].slice(0, MAX_WORDS)
}

/** Words that form nouns with the verb before them: `back up` is a `backup`, `log in` a `login`. */
const PARTICLES = new Set(['back', 'down', 'in', 'off', 'on', 'out', 'over', 'up'])
const VERB = /^[a-z]{2,}$/

/** Verbs with their particles as one word, which documentation often has instead. */
function phrasalNouns(text: string, words: ReadonlyMap<string, QueryWord>, analysers: readonly WordAnalyser[]) {
  const given: string[] = []
  scanWords(text, 0, text.length, (start, end) => given.push(text.slice(start, end).toLowerCase()))
  return given.flatMap((verb, at): QueryWord[] => {
    const particle = given[at + 1]
    if (particle === undefined || !PARTICLES.has(particle) || !VERB.test(verb) || isStopWord(verb)) return []
    const raw = verb + particle
    const analyses = analyseWord(raw, analysers)
    return words.has(analyses[0]?.term ?? '') ? [] : [{ raw, analyses, count: 1, added: true }]
  })
}

/** Adds synonyms to the words that they stand for. Returns the words of phrases, which have no place of their own. */
function addSynonyms(words: readonly QueryWord[], added: AddedWords, analysers: readonly WordAnalyser[]): QueryWord[] {
  const further: QueryWord[] = []
  for (const { from, to } of added) {
    const parts = wordsOf(to, analysers)
    const [only] = parts
    const place = words.find(({ raw }) => raw.toLowerCase() === from.toLowerCase())
    if (place && only && parts.length === 1) place.synonyms = [...(place.synonyms ?? []), ...only.analyses]
    else further.push(...parts.filter(({ raw }) => !isStopWord(raw)).map((word) => ({ ...word, added: true as const })))
  }
  return further
}

/** The terms of a word in each language. Empty for a word that is not indexed. */
export function analyseWord(raw: string, analysers: readonly WordAnalyser[]): Word[] {
  return analysers.map((analyse) => analyse(raw)).filter(({ term }) => term !== '')
}

function wordsOf(text: string, analysers: readonly WordAnalyser[]): QueryWord[] {
  const words: QueryWord[] = []
  scanWords(text, 0, text.length, (start, end) => {
    const raw = text.slice(start, end)
    const analyses = analyseWord(raw, analysers)
    if (analyses.length > 0) words.push({ raw, analyses, count: 1 })
  })
  return words
}

/** Names of the symbols that messages of compilers and linters quote (`unexpected ','`). */
const names: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(symbolNames))

const LONE = /(?<=^|[\s'"`])(?:[,;:.()[\]{}*+=#?]|=>|\.{3}|\(\)|\[\]|\{\})(?=[\s'"`.]|$)/g
/** These signs count only in quotation marks. Elsewhere they end a sentence or mark an omission. */
const PUNCTUATION = /^[.,:?()]$/
const QUOTE = /['"`]/

/** Distinct names of the isolated symbols in a text. */
export function nameSymbols(text: string): string[] {
  const found = [...text.matchAll(LONE)].filter(
    ({ 0: sign, index }) => !PUNCTUATION.test(sign) || QUOTE.test(text[index - 1] ?? ''),
  )
  return [...new Set(found.flatMap(([sign]) => names.get(sign) ?? []))]
}
