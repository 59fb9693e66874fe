import type { RuleCondition } from '@docent/contract/values/rule-effects'
import { DEFAULT_LANGUAGE, stemmerFor } from '#search/analyse/word-analyser.ts'
import { languageOfWords } from '#search/analyse/stop-words.ts'

/** A search, as the condition of a rule sees it. */
export type ConditionedCall = {
  query: string
  /** Name of the called tool. Null outside of tool calls. */
  tool: string | null
}

/** Languages whose script tells them apart. */
const SCRIPTS: readonly [language: string, letters: RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['ru', /\p{Script=Cyrillic}/u],
  ['ar', /\p{Script=Arabic}/u],
]

const WORDS = /[\p{L}\p{N}_$#+]+/gu
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Characters read of a question, as in query analysis. */
const MOST_CHARS = 2_000

/** Creates the test of conditions for one search. The question is read on the first condition that needs it. */
export function conditionMatcher({ query, tool }: ConditionedCall): (condition: RuleCondition | undefined) => boolean {
  const hasTerm = termFinder(query)
  let language: string | null | undefined
  return (condition) => {
    if (condition === undefined) return true
    if (condition.tool && !condition.tool.some((name) => name === tool)) return false
    if (condition.language && condition.language !== (language ??= questionLanguage(query))) return false
    if (condition.exceptTerms?.some(hasTerm)) return false
    return condition.terms === undefined || condition.terms.some(hasTerm)
  }
}

/**
 * Creates the test whether a question has a term: its words side by side in any order and any grammatical form of
 * English or of the question's language. A term in a script without spaces, or with a slash (`GET /`), is found as
 * written.
 */
export function termFinder(query: string): (term: string) => boolean {
  const question = query.slice(0, MOST_CHARS).toLowerCase()
  let stems: readonly Stems[] | undefined
  return (term) => {
    const lower = term.toLowerCase()
    if (DENSE.test(term) || term.includes('/') || wordsOf(lower).length === 0) return question.includes(lower)
    stems ??= stemsOf(question)
    return stems.some(({ stem, words, text }) => {
      const wanted = wordsOf(lower).map(stem)
      return text.includes(textOf(wanted)) || isTogether(words, wanted)
    })
  }
}

type Stems = { stem: (word: string) => string; words: readonly string[]; text: string }

function stemsOf(question: string): Stems[] {
  return [...new Set([DEFAULT_LANGUAGE, questionLanguage(question) ?? DEFAULT_LANGUAGE])].map((language) => {
    const stem = stemmerFor(language)
    const words = wordsOf(question).map(stem)
    return { stem, words, text: textOf(words) }
  })
}

/** Stems between spaces, so that a phrase is found by its text. */
const textOf = (stems: readonly string[]): string => ` ${stems.join(' ')} `

/** True if words stand side by side in another order: `a delivery fails` for `failed deliveries`. */
function isTogether(words: readonly string[], wanted: readonly string[]): boolean {
  if (wanted.length < 2) return false
  const sorted = textOf(wanted.toSorted())
  return words.some((_, at) => textOf(words.slice(at, at + wanted.length).toSorted()) === sorted)
}

const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the'])

/** A run of a script without spaces ends a word of another script: `webhookの署名`. */
const RUN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]+/gu

const wordsOf = (lower: string): string[] =>
  (lower.replaceAll(RUN, ' $& ').match(WORDS) ?? []).filter((word) => !ARTICLES.has(word))

/** ISO 639-1 code of the language of a question, or null if its words do not tell. */
export function questionLanguage(question: string): string | null {
  const read = question.slice(0, MOST_CHARS)
  const script = SCRIPTS.find(([, letters]) => letters.test(read))
  if (script) return script[0]
  return languageOfWords(read.toLowerCase().match(/\p{L}+/gu) ?? [])
}
