import symbolNames from './symbol-names.json' with { type: 'json' }
import { scanWords } from '#search/analyse/scan-words.ts'
import type { Word, WordAnalyser } from '#search/analyse/word-analyser.ts'
import { functionWordsOf, isStopWord } from '#search/analyse/stop-words.ts'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'

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

/** Characters of a text that is one question, and is not looked at further. */
const SHORT = 120
/** Content words that the asking sentences need, so that `Any ideas?` is not all that is asked. */
const LEAST_WORDS = 2

/** Indented code, and the frames of a stack trace. */
const CODE_LINE = /^(?: {4}|\t)|^\s*(?:at \S|File "|Traceback \()/
const SENTENCE_END = /(?<=[.?!])\s+/
const ASKS =
  /[?？]["')\]]?$|^(?:are|can|could|did|do|does|has|have|how|is|should|was|were|what|when|where|which|who|why|will|would)\b|\b(?:how to|need(?:ed)? to|tried to|try to|trying to|unable to|want(?:ed)? to)\b/i

/**
 * Splits the text of a question with code, as users write in forums: what to search with are its title and the
 * sentences that ask, since names of variables are rarer words than those of the question. A text without code is asked
 * as a whole, because its prose describes what is asked (251 questions of a forum: nDCG@10 .293, split .285).
 */
export function splitQuestion(text: string): { asked: string; rest: string } {
  const whole = { asked: text, rest: '' }
  if (text.length < SHORT) return whole
  const { paragraphs, hasCode } = proseOf(text)
  if (!hasCode) return whole
  const sentences = paragraphs.flatMap((lines, place) => {
    const own = lines.flatMap((line) => line.split(SENTENCE_END))
    const isTitle = place === 0 && paragraphs.length > 1 && own.length === 1 && !/[.:,;]$/.test(own[0] ?? '')
    return own.map((sentence) => ({ sentence, asks: isTitle || ASKS.test(sentence) }))
  })
  const join = (asks: boolean) => sentences.flatMap((one) => (one.asks === asks ? one.sentence : [])).join('\n')
  const [asked, rest] = [join(true), join(false)]
  if (countContent(asked) >= LEAST_WORDS) return { asked, rest }
  return countContent(asked + rest) < LEAST_WORDS ? whole : { asked: `${asked}\n${rest}`, rest: '' }
}

/** Lines of prose by paragraph. */
function proseOf(text: string): { paragraphs: string[][]; hasCode: boolean } {
  const blocks = markdownBlocks(text)
  const paragraphs = blocks.flatMap(({ kind, start, end }) =>
    kind === 'code' ? [] : [text.slice(start, end).split('\n')],
  )
  const prose = paragraphs.map((lines) => lines.filter((line) => !CODE_LINE.test(line)).map((line) => line.trim()))
  return {
    paragraphs: prose.filter((lines) => lines.length > 0),
    hasCode:
      blocks.some(({ kind }) => kind === 'code') ||
      paragraphs.some((lines, at) => lines.length > (prose[at]?.length ?? 0)),
  }
}

function countContent(text: string): number {
  return (text.match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => !isStopWord(word)).length
}
