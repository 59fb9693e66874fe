import type { RuleCondition, RuleEffect } from '@docent/contract/values/rule-effects'
import { sourceKind } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'
import { DEFAULT_LANGUAGE, stemmerFor } from '#search/analyse/word-analyser.ts'
import { languageOfWords } from '#search/analyse/stop-words.ts'
import type { AddedWords } from '#search/rank/analyse-query.ts'
import { pathMatcherOf } from '#search/rank/page-filter.ts'

/** An enabled rule of a server. */
export type SearchRule = { id: string; effects: readonly RuleEffect[] }

/** The effects of one rule on one search. */
export type RuleNote = {
  ruleId: string
  /** False if no effect applies to this search, because of its condition or its filters. */
  applies: boolean
  /** Passages of the ranking that moved up or down. */
  raised: number
  lowered: number
  /** Pages and sources that were not searched. */
  pagesLeftOut: number
  sourcesLeftOut: number
  /** Words added to the question. */
  added: string[]
  /** Maximum passages per source, or null. */
  perSource: number | null
}

/** The effects that apply to a search, each with its rule's note, in priority order. */
export type ActiveEffect = { effect: RuleEffect; note: RuleNote }

export type ActiveRules = { effects: ActiveEffect[]; notes: RuleNote[] }

const NO_EFFECT = { applies: false, raised: 0, lowered: 0, pagesLeftOut: 0, sourcesLeftOut: 0, perSource: null }

/** Selects the effects whose conditions a search meets. `rules` are in priority order. */
export function activeRules(rules: readonly SearchRule[], call: ConditionedCall): ActiveRules {
  const matches = conditionMatcher(call)
  const effects: ActiveEffect[] = []
  const notes = rules.map(({ id, effects: own }) => {
    const note: RuleNote = { ruleId: id, ...NO_EFFECT, added: [] }
    for (const effect of own) {
      if (!matches(effect.when)) continue
      note.applies = true
      effects.push({ effect, note })
    }
    return note
  })
  return { effects, notes }
}

/** Maximum words added to one question. */
const MOST_ADDED = 12

/** The synonyms of words in the question. Each effect replaces a word or phrase that the question has. */
export function addedWords(query: string, { effects }: ActiveRules): AddedWords {
  const added: { from: string; to: string }[] = []
  let question: string | null = null
  for (const { effect, note } of effects) {
    if (effect.kind !== 'expand_terms') continue
    question ??= keyOf(query.slice(0, 2_000))
    const from = keyOf(effect.from)
    const isAsked = from === ' ' ? query.includes(effect.from) : question.includes(from)
    if (!isAsked) continue
    for (const to of effect.to) {
      if (added.length >= MOST_ADDED) break
      added.push({ from: effect.from, to })
      note.added.push(to)
    }
  }
  return added
}

/** Maximum passages of a source in an answer. */
export type SourceLimit = (sourceId: string) => number

/** The limit of the rule with the highest priority. Null if no rule has one. */
export function sourceLimits({ effects }: ActiveRules): SourceLimit | null {
  const limits = effects.flatMap(({ effect, note }) => (effect.kind === 'max_per_source' ? [{ effect, note }] : []))
  if (limits.length === 0) return null
  for (const { effect, note } of limits) note.perSource ??= effect.n
  return (sourceId) =>
    limits.find(({ effect }) => effect.sourceId === undefined || effect.sourceId === sourceId)?.effect.n ?? Infinity
}

/**
 * Tests page paths by the glob of a rule. `*` also crosses slashes, case does not matter, and `/blog/*` includes
 * `/blog`. In a repository, a path can begin at any folder.
 */
export function ruleGlob(glob: string, type: SourceType): (path: string) => boolean {
  const lower = glob.toLowerCase()
  const matches = pathMatcherOf(sourceKind(type).isRepository && lower.startsWith('/') ? `*${lower}` : lower)
  return (path) => {
    const given = path.toLowerCase()
    return matches(given) || (lower.endsWith('/*') && matches(`${given}/`))
  }
}

/** Languages whose script tells them apart. */
const SCRIPTS: readonly [language: string, letters: RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['ru', /\p{Script=Cyrillic}/u],
  ['ar', /\p{Script=Arabic}/u],
]

/** A search, as the condition of a rule sees it. */
type ConditionedCall = {
  query: string
  /** Name of the called tool. Null outside of tool calls. */
  tool: string | null
}

const WORDS = /[\p{L}\p{N}_$#+]+/gu
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Characters read of a question, as in query analysis. */
const MOST_CHARS = 2_000

const stem = stemmerFor(DEFAULT_LANGUAGE)

/** Creates the test of conditions for one search. The question is read on the first condition that needs it. */
export function conditionMatcher({ query, tool }: ConditionedCall): (condition: RuleCondition | undefined) => boolean {
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
function keyOf(text: string): string {
  const words = text.toLowerCase().match(WORDS) ?? []
  return ` ${words.map(stem).join(' ')}${words.length > 0 ? ' ' : ''}`
}

/** ISO 639-1 code of the language of a question, or null if its words do not tell. */
export function questionLanguage(question: string): string | null {
  const script = SCRIPTS.find(([, letters]) => letters.test(question))
  if (script) return script[0]
  return languageOfWords(question.toLowerCase().match(/\p{L}+/gu) ?? [])
}
