import { MOST_TERMS, type RuleCondition, type RuleEffect } from '@docent/contract/values/rule-effects'

/** Two effects of one sentence on the same pages, one of which takes back the other. */
export type Contradiction = { one: RuleEffect; other: RuleEffect; isTotal: boolean }

/**
 * Finds effects that contradict each other. `isTotal`: both are for the same calls, so that no reading follows both.
 * Otherwise one has a condition, and its calls follow it.
 */
export function findContradictions(effects: readonly RuleEffect[]): Contradiction[] {
  return effects.flatMap((one, index) =>
    effects.slice(index + 1).flatMap((other): Contradiction[] => {
      if (targetOf(one) === null || targetOf(one) !== targetOf(other)) return []
      const [a, b] = [directionOf(one), directionOf(other)]
      const isTotal = keyOf(one.when) === keyOf(other.when)
      const isSame = a === b || (!isTotal && excludes(one.when, other.when))
      // The same pages twice with different strengths: `first and last`.
      return isSame ? [] : [{ one, other, isTotal }]
    }),
  )
}

/**
 * Lets an effect without a condition leave out the questions for which another one takes it back: `prefer the wiki, but
 * lower it for tips`. What is left out for these questions needs no exception.
 */
export function withExceptions(effects: readonly RuleEffect[]): RuleEffect[] {
  const partial = findContradictions(effects).filter(({ isTotal }) => !isTotal)
  return effects.map((effect) => {
    const terms = partial.flatMap(({ one, other }) => {
      const rival = one === effect ? other : other === effect ? one : undefined
      if (effect.when !== undefined || rival === undefined || directionOf(rival) === 'out') return []
      const { terms: own = [], ...more } = rival.when ?? {}
      return Object.keys(more).length === 0 ? own : []
    })
    return terms.length === 0 ? effect : { ...effect, when: { exceptTerms: [...new Set(terms)].slice(0, MOST_TERMS) } }
  })
}

/** What an effect is about: a source, pages, a version or code. Null if nothing can contradict it. */
function targetOf(effect: RuleEffect): string | null {
  switch (effect.kind) {
    case 'prefer_source':
    case 'avoid_source':
    case 'only_source':
      return `source ${effect.sourceId}`
    case 'prefer_path':
    case 'exclude_path':
    case 'only_path':
      return `path ${effect.glob} ${effect.sourceId ?? ''}`
    case 'prefer_type':
      return `type ${effect.type}`
    case 'prefer_version':
      return `version ${effect.version} ${effect.sourceId ?? ''}`
    case 'prefer_code':
      return `code ${effect.language ?? ''}`
    case 'max_per_source':
      return `limit ${effect.sourceId ?? ''}`
    default:
      return null
  }
}

function directionOf(effect: RuleEffect): string {
  if (effect.kind === 'max_per_source') return String(effect.n)
  if (effect.kind === 'exclude_path') return 'out'
  if (!('weight' in effect)) return 'in'
  return effect.weight === 0 ? 'out' : effect.weight > 1 ? 'in' : 'down'
}

const keyOf = (when: RuleCondition | undefined): string => JSON.stringify(when ?? null)

/** True if no question meets both: `about X`, and `otherwise`. */
function excludes(one: RuleCondition | undefined, other: RuleCondition | undefined): boolean {
  const isSame = (terms: readonly string[] | undefined, without: readonly string[] | undefined) =>
    terms !== undefined && without !== undefined && terms.every((term) => without.includes(term))
  return isSame(one?.terms, other?.exceptTerms) || isSame(other?.terms, one?.exceptTerms)
}
