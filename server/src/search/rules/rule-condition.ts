import type { RuleCondition } from '@docent/contract/values/rule-effects'
import { stemmerFor, DEFAULT_LANGUAGE } from '#search/analyse/stem.ts'

/** Frequent words that tell apart the languages of the Latin script. */
const FREQUENT_WORDS: Readonly<Record<string, string>> = {
  en: 'the a is are how do does what which when where why can i my to of in for and with not',
  de: 'der die das ist sind wie was wann wo warum kann ich mein zu von im für und mit nicht ein eine einen welche',
  fr: 'le la les est sont comment quel quelle quand où pourquoi je mon de du des dans pour et avec pas un une puis',
  es: 'el la los las es son cómo como qué que cuándo dónde por puedo mi de del en para y con no un una se',
  pt: 'o a os as é são como que quando onde posso meu de do da em para e com não um uma por se',
  it: 'il lo la gli le è sono come che cosa quando dove perché posso mio di del della in per e con non un una si',
  nl: 'de het een is zijn hoe wat wanneer waar waarom kan ik mijn van in voor en met niet welke',
}
const LISTS = Object.entries(FREQUENT_WORDS).map(([language, words]) => ({
  language,
  words: new Set(words.split(' ')),
}))

const SCRIPTS: readonly [language: string, letters: RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['ru', /\p{Script=Cyrillic}/u],
  ['ar', /\p{Script=Arabic}/u],
]

/** A search, as the condition of a rule sees it. */
export type ConditionedCall = {
  query: string
  /** Name of the called tool. Null outside of tool calls. */
  tool: string | null
}

export type MatchCondition = (condition: RuleCondition | undefined) => boolean

const WORDS = /[\p{L}\p{N}_$#+]+/gu
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Characters read of a question, as in query analysis. */
const MOST_CHARS = 2_000

const stem = stemmerFor(DEFAULT_LANGUAGE)

/** Creates the test of conditions for one search. The question is read on the first condition that needs it. */
export function conditionMatcher({ query, tool }: ConditionedCall): MatchCondition {
  let words: string | null = null
  let language: string | null | undefined
  const question = query.slice(0, MOST_CHARS)
  const hasTerm = (term: string): boolean => {
    if (DENSE.test(term)) return question.toLowerCase().includes(term.toLowerCase())
    words ??= keyOf(question)
    const key = keyOf(term)
    return key !== ' ' && words.includes(key)
  }
  return (condition) => {
    if (condition === undefined) return true
    if (condition.tool && !condition.tool.some((name) => name === tool)) return false
    if (condition.language && condition.language !== (language ??= questionLanguage(question))) return false
    return condition.terms === undefined || condition.terms.some(hasTerm)
  }
}

/** Stems between spaces, so that a phrase is found by its text. */
export function keyOf(text: string): string {
  const words = text.toLowerCase().match(WORDS) ?? []
  return ` ${words.map(stem).join(' ')}${words.length > 0 ? ' ' : ''}`
}

/** ISO 639-1 code of the language of a question, or null if its words do not tell. */
export function questionLanguage(question: string): string | null {
  const script = SCRIPTS.find(([, letters]) => letters.test(question))
  if (script) return script[0]
  const words = question.toLowerCase().match(/\p{L}+/gu) ?? []
  const counted = LISTS.map(({ language, words: known }) => ({
    language,
    count: words.reduce((sum, word) => sum + (known.has(word) ? 1 : 0), 0),
  })).sort((a, b) => b.count - a.count)
  const [first, second] = counted
  return first && second && first.count > second.count ? first.language : null
}
