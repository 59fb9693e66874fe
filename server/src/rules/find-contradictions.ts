import { MOST_TERMS, type RuleCondition, type RuleEffect } from '@docent/contract/values/rule-effects'
import type { NamedSource } from '#grammar/source-names.ts'

type Sources = readonly Pick<NamedSource, 'id' | 'type'>[]

/** Two effects of one sentence on the same pages, one of which takes back the other. */
export type Contradiction = { one: RuleEffect; other: RuleEffect; isTotal: boolean }

/**
 * Finds effects that contradict each other. `isTotal`: both are for the same calls, so that no reading follows both.
 * Otherwise one has a condition, and its calls follow it.
 */
export function findContradictions(effects: readonly RuleEffect[], sources: Sources): Contradiction[] {
  const pairs = effects.flatMap((one, index) =>
    effects.slice(index + 1).flatMap((other): Contradiction[] => {
      if (takesAway(one, other) || takesAway(other, one)) return [{ one, other, isTotal: true }]
      if (targetOf(one) === null || targetOf(one) !== targetOf(other)) return []
      const [a, b] = [directionOf(one), directionOf(other)]
      const isTotal = keyOf(one.when) === keyOf(other.when)
      const isSame = a === b || (!isTotal && excludes(one.when, other.when))
      // The same pages twice with different strengths: `first and last`.
      return isSame ? [] : [{ one, other, isTotal }]
    }),
  )
  return [...pairs, ...outsideOnly(effects, sources)]
}

/** Sources that an effect ranks higher, and that the only ones of the same calls leave out. */
function outsideOnly(effects: readonly RuleEffect[], sources: Sources): Contradiction[] {
  return effects.flatMap((other) => {
    if (other.kind !== 'prefer_source' && other.kind !== 'prefer_type') return []
    const raised =
      other.kind === 'prefer_type'
        ? sources.flatMap(({ id, type }) => (type === other.type ? id : []))
        : [other.sourceId]
    const only = effects.filter(
      (one) =>
        (one.kind === 'only_source' || one.kind === 'only_path') &&
        (one.when === undefined || keyOf(one.when) === keyOf(other.when)),
    )
    const [one] = only
    const isInside = only.some((each) => raised.includes(sourceOf(each) ?? ''))
    // A path without a source can be one of any.
    const isOpen = only.some((each) => each.kind === 'only_path' && each.sourceId === undefined)
    return one === undefined || isInside || isOpen ? [] : [{ one, other, isTotal: true }]
  })
}

/**
 * Lets an effect without a condition leave out the questions for which another one takes it back: `prefer the wiki, but
 * lower it for tips`. What is left out for these questions needs no exception.
 */
export function withExceptions(effects: readonly RuleEffect[], sources: Sources): RuleEffect[] {
  const partial = findContradictions(effects, sources).filter(({ isTotal }) => !isTotal)
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

/**
 * True if one effect leaves out, in the same calls, what the other ranks higher: `hide /legacy, but keep /legacy/v1`,
 * `use only the guides and prefer the wiki`.
 */
function takesAway(one: RuleEffect, other: RuleEffect): boolean {
  if (directionOf(other) !== 'in' || (one.when !== undefined && keyOf(one.when) !== keyOf(other.when))) return false
  const [source, path] = [sourceOf(other), folderOf(other)]
  const outer = folderOf(one)
  const isSameSource = sourceOf(one) === undefined || sourceOf(one) === source
  if (one.kind === 'exclude_path') return isSameSource && outer !== null && path !== null && isBelow(path, outer)
  if (one.kind === 'avoid_source' && one.weight === 0) return path !== null && source === one.sourceId
  return false
}

const sourceOf = (effect: RuleEffect) => ('sourceId' in effect ? effect.sourceId : undefined)

/** The folder of a glob without other stars; null for an effect on something else. */
function folderOf(effect: RuleEffect): string | null {
  if (!('glob' in effect)) return null
  const folder = effect.glob.replace(/(?<=.)\/\*$/, '')
  return folder.includes('*') ? null : folder
}

const isBelow = (path: string, folder: string): boolean =>
  path !== folder && /^[/#]/.test(path.slice(folder.length)) && path.startsWith(folder)

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
