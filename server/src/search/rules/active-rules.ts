import type { RuleEffect } from '@docent/contract/values/rule-effects'
import { sourceKind } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'
import type { AddedWords } from '#search/rank/analyse-query.ts'
import { pathMatcherOf } from '#search/rank/page-filter.ts'
import { type ConditionedCall, conditionMatcher, termFinder } from './condition.ts'

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
