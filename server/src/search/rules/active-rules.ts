import type { RuleEffect } from '@docent/contract/values/rule-effects'
import { type ConditionedCall, conditionMatcher } from './rule-condition.ts'

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

/** Selects the effects whose conditions a search meets. `rules` are in priority order. */
export function activeRules(rules: readonly SearchRule[], call: ConditionedCall): ActiveRules {
  const matches = conditionMatcher(call)
  const effects: ActiveEffect[] = []
  const notes = rules.map(({ id, effects: own }) => {
    const note: RuleNote = {
      ruleId: id,
      applies: false,
      raised: 0,
      lowered: 0,
      pagesLeftOut: 0,
      sourcesLeftOut: 0,
      added: [],
      perSource: null,
    }
    for (const effect of own) {
      if (!matches(effect.when)) continue
      note.applies = true
      effects.push({ effect, note })
    }
    return note
  })
  return { effects, notes }
}
