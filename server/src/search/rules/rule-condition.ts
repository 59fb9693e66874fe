import type { RuleCondition } from '@docent/contract/servers/rule-effects'
import { stemmerFor, DEFAULT_LANGUAGE } from '#search/analyse/stem.ts'
import { questionLanguage } from './question-language.ts'

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
