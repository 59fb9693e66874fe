import { functionWordsOf, isStopWord } from '#search/analyse/stop-words.ts'
import { scanWords } from '#search/analyse/scan-words.ts'
import { createWordAnalyser, type Word, type WordAnalyser } from '#search/analyse/word-analyser.ts'
import type { Found } from './answer.ts'
import data from './function-words.json' with { type: 'json' }
import { TERM } from './weights.ts'

/** The terms of a question. A term that is rarer among the searched pages weighs more. */
export type AskedTerms = {
  language: string
  /** How a language forms words. With endings and compounds, or without spaces, fewer of them match than in English. */
  forms: 'none' | 'endings' | 'script'
  weights: ReadonlyMap<string, number>
  /** Beginnings of the terms that all words with the term have. */
  beginnings: readonly string[]
  /** The question terms that words of texts cover, as far as they are known. */
  covered: Map<string, readonly string[]>
  /** Analyses each word of the compared texts once. */
  analyse: WordAnalyser
}

/** Characters of the best passages from which to tell the language. */
const SAMPLE = 1_000

export function askedTerms(
  question: string,
  { words, passages, analyserOf = createWordAnalyser }: Pick<Found, 'words' | 'passages' | 'analyserOf'>,
): AskedTerms {
  const spoken: string[] = question.match(/\p{L}+/gu) ?? []
  const isForeign = functionWordsOf(spoken).size > 0
  const sample = passages.slice(0, 2).map(({ passage }) => passage.slice(0, SAMPLE))
  const language = languageOf(sample.join(' ')) ?? languageOf(question, isForeign ? 1 : undefined) ?? 'en'
  // An English question can be asked of pages in another language.
  const isEnglish = !isForeign && spoken.some(isStopWord)
  const forms = /(?!\p{Script=Latin})\p{L}/u.test(question)
    ? 'script'
    : language !== 'en' && !isEnglish
      ? 'endings'
      : 'none'
  const analyse = analyserOf(language)
  const shares = new Map<string, number>()
  for (const { word, share: known } of words)
    for (const term of termsOf(word, language, analyse)) shares.set(term, Math.max(known, shares.get(term) ?? 0))
  const rarest = Math.min(...shares.values(), 1)
  const weightOf = (term: string) => Math.log1p(1 / ((shares.get(term) ?? rarest) + TERM.leastShare))
  const terms = questionTerms(question, language, analyse)
  return {
    language,
    forms,
    weights: new Map(terms.map((term) => [term, weightOf(term)])),
    beginnings: [...new Set(terms.map(beginningOf))],
    covered: new Map(),
    analyse,
  }
}

/** Stemming removes the end of a word, and changes one letter before (`cry`, `cried`), or two of a long word. */
function beginningOf(term: string): string {
  return term.slice(0, Math.max(1, term.length - (term.length < 6 ? 1 : 2)))
}

/** The question terms found in a text. */
export function coveredTerms(text: string, asked: AskedTerms): Set<string> {
  const found = new Set<string>()
  scanWords(text, 0, text.length, (start, end) => {
    const word = text.slice(start, end)
    let covered = asked.covered.get(word)
    if (covered === undefined) asked.covered.set(word, (covered = coveredBy(word, asked)))
    for (const term of covered) found.add(term)
  })
  return found
}

/** The question terms that a word has, is a form of, or is a compound with. */
function coveredBy(word: string, { forms, weights, beginnings, analyse }: AskedTerms): string[] {
  const compounds = forms === 'endings' ? [...weights.keys()].filter((term) => term.length >= TERM.leastAlike) : []
  if (compounds.length === 0 && PLAIN.test(word)) {
    const lower = word.toLowerCase()
    if (!beginnings.some((each) => lower.startsWith(each))) return []
  }
  const own = termsIn(analyse(word))
  const long = own.filter((term) => term.length >= TERM.leastAlike)
  const alike = compounds.filter((one) => long.some((term) => isAlike(term, one)))
  return [...own.filter((term) => weights.has(term)), ...alike]
}

/** A word without parts. */
const PLAIN = /^(?:[A-Za-z][a-z]*|[A-Z]+|\d+)$/

/** True for forms of one word, such as `palästinensisch` and `palästinensischen`, and for a compound with the term. */
function isAlike(word: string, term: string): boolean {
  if (word.includes(term)) return true
  const most = Math.min(word.length, term.length)
  let same = 0
  while (same < most && word.charCodeAt(same) === term.charCodeAt(same)) same++
  return same >= TERM.leastAlike && same >= TERM.alike * Math.max(word.length, term.length)
}

/** Weighted share of the question, 0 to 1, covered by a set of its terms. */
export function shareOf(terms: ReadonlySet<string>, { weights }: AskedTerms): number {
  let whole = 0
  let part = 0
  for (const [term, weight] of weights) {
    whole += weight
    if (terms.has(term)) part += weight
  }
  return whole === 0 ? 0 : part / whole
}

/** Words of a text as in the search index: stemmed, identifiers whole and in parts. Comparable within one language. */
export function termsOf(text: string, language = 'en', analyse = createWordAnalyser(language)): string[] {
  const terms: string[] = []
  scanWords(text, 0, text.length, (start, end) => terms.push(...termsIn(analyse(text.slice(start, end)))))
  return terms
}

function termsIn({ term, joined, parts }: Word): string[] {
  return term === '' ? [] : [term, ...joined, ...parts]
}

const HOW_MUCH = /\bhow\s+(?:often|many|much|long|far|soon|big|large)\b/gi

/** Requests for a definition: `define x`, `what is the meaning of x`, `what is meant by the term x`. */
const DEFINE =
  /^\s{0,20}(?:please )?(?:define|explain|describe)\b|\b(?:definition|meaning) of\b|\bmeant by\b|\bthe (?:term|word|acronym|abbreviation)\b/gi
/** Words that ask for a comparison. The sides are its content. */
const COMPARE = /\b(?:differences? (?:between|of|in)|compared? (?:to|with)|vs\.?|versus)(?=\s)/gi
/** `What does the x command do?` */
const DOES =
  /^(\s{0,20}what (?:do|does)) (?:the )?(\S{1,80}) (?:class|command|directive|function|hook|method|module|option|package|parameter|program|setting|tool|utility) do[\s?.!]{0,10}$/i
const MEANS = /^(\s{0,20}what (?:do|does)\b.{1,300})\b(?:mean|stand for)[\s?.!]{0,10}$/i

/** Distinct terms of a question without stop words and question phrases, or all terms if nothing else remains. */
export function questionTerms(given: string, language = 'en', analyse = createWordAnalyser(language)): string[] {
  const question = given
    .replace(MEANS, '$1')
    .replace(DOES, '$1 $2')
    .replaceAll(DEFINE, ' ')
    .replaceAll(COMPARE, ' ')
    .replaceAll(HOW_MUCH, ' ')
  const words: string[] = []
  scanWords(question, 0, question.length, (start, end) => words.push(question.slice(start, end)))
  const foreign = functionWordsOf(words)
  const known = words.map((raw) => ({ raw, term: analyse(raw).term })).filter(({ term }) => term !== '')
  const content = known.filter(({ raw }) => !isStopWord(raw) && !foreign.has(raw.toLowerCase()))
  return [...new Set((content.length > 0 ? content : known).map(({ term }) => term))]
}

/** The ISO 639-1 codes of the Latin-script languages, which the index stems, that have a frequent function word. */
const LANGUAGES_OF = new Map<string, string[]>()
for (const [code, words] of Object.entries(data))
  for (const word of words.split(' ')) LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), code])

/** Words from which to tell a language. */
const WORDS = 200
/** Minimum share of function words. Prose has 0.2 to 0.4, tables and code less than 0.1. */
const LEAST = 0.12

/** Function words of a text. One or two can be names. */
const LEAST_WORDS = 3

/** The language with the most function words in a text. Null if there are few, as among names and numbers. */
export function languageOf(text: string, least = LEAST_WORDS): string | null {
  const words = (text.toLowerCase().match(/\p{L}+/gu) ?? []).slice(0, WORDS)
  const enough = Math.max(least, LEAST * words.length)
  const counts = new Map<string, number>()
  for (const word of words)
    for (const code of LANGUAGES_OF.get(word) ?? []) counts.set(code, (counts.get(code) ?? 0) + 1)
  const [best] = [...counts].filter(([, count]) => count >= enough).toSorted((a, b) => b[1] - a[1])
  return best?.[0] ?? null
}
