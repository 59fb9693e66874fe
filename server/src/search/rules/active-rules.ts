import type { RuleCondition, RuleEffect } from '@docent/contract/values/rule-effects'
import { sourceKind } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'
import type { AddedWords } from '#search/rank/analyse-query.ts'
import { pathMatcherOf } from '#search/rank/page-filter.ts'
import { DEFAULT_LANGUAGE, stemmerFor } from '#search/analyse/word-analyser.ts'
import { languageOfWords } from '#search/analyse/stop-words.ts'

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
  const isAsked = termFinder(query)
  for (const { effect, note } of effects) {
    if (effect.kind !== 'expand_terms' || !isAsked(effect.from)) continue
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

/** The part of a glob before the anchor of a section, and the anchor, or null. */
export function splitGlob(glob: string): [path: string, anchor: string | null] {
  const at = glob.indexOf('#')
  return at < 0 ? [glob, null] : [glob.slice(0, at), glob.slice(at + 1)]
}

/**
 * Tests page paths by the glob of a rule, without its section. `*` also crosses slashes, case does not matter, and
 * `/blog/*` includes `/blog`. In a repository, a path can begin at any folder.
 */
export function ruleGlob(glob: string, type: SourceType): (path: string) => boolean {
  const lower = splitGlob(glob)[0].toLowerCase()
  const matches = pathMatcherOf(sourceKind(type).isRepository && lower.startsWith('/') ? `*${lower}` : lower)
  return (path) => {
    const given = path.toLowerCase()
    return matches(given) || (lower.endsWith('/*') && matches(`${given}/`))
  }
}

/** A search, as the condition of a rule sees it. */
type ConditionedCall = {
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
function termFinder(query: string): (term: string) => boolean {
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
