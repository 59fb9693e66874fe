import { RULE_WEIGHTS } from '@docent/contract/values/rule-effects'
import { has, type Item } from './annotate.ts'
import { isJoint } from './split-clauses.ts'

/** The request of a clause: a factor of the score, or only the named sources. */
export type Strength = { only: boolean; weight: number }

const { never, last, lower, slightlyLower, slightly, more, first } = RULE_WEIGHTS

/** Reads the effect of a clause on the pages that it names. Null if it has no predicate. */
export function readStrength(given: readonly Item[]): Strength | null {
  const items = given.filter((_, index) => !isPlace(given, index))
  const any = (...tags: Parameters<typeof has>[1][]) => items.some((item) => has(item, ...tags))
  const at = (weight: number): Strength => ({ only: false, weight })
  const isNegated = items.some((item, index) => has(item, 'not') && !isContrast(items, index))
  const [isFirst, isSlight] = [any('first'), any('slightly')]
  if (any('last') && !isPast(items)) return at(isNegated && any('exclude') ? more : last)
  if (any('exclude')) return at(isNegated ? more : never)
  if (isNegated) {
    if (any('down')) return at(more)
    // `Never the forum, always the docs` has two requests in one clause.
    if (isFirst && isSplit(items)) return null
    if (isTop(items)) return at(last)
    if (any('up')) return at(lower)
    return isUnknownVerb(items) ? null : at(never)
  }
  if (any('down')) return at(isFirst ? last : isSlight ? slightlyLower : lower)
  if (any('only')) return { only: true, weight: first }
  if (!any('up', 'use', 'first', 'must')) return null
  return at(isFirst ? first : isSlight ? slightly : more)
}

/** `below /guide` is a place, not a rank. */
export function isPlace(items: readonly Item[], index: number): boolean {
  const next = items[index + 1]
  return has(items[index], 'flip') && has(items[index], 'down') && next !== undefined && next.glob !== null
}

/** `not` before a name and after a predicate contrasts: `the latest version, not the old ones`. */
export function isContrast(items: readonly Item[], index: number): boolean {
  const before = items.slice(0, index)
  const last = before.at(-1)
  if (last === undefined || !isJoint(last) || !before.some((item) => has(item, 'up', 'use', 'only', 'must', 'first')))
    return false
  const next = items.slice(index + 1).find((item) => !has(item, 'first', 'slightly'))
  return next === undefined || (has(next, 'filler') && !has(next, 'use')) || isName(next)
}

/** True if a comma or conjunction is between `not` and `first`. */
function isSplit(items: readonly Item[]): boolean {
  const ends = [items.findIndex((item) => has(item, 'not')), items.findIndex((item) => has(item, 'first'))]
  return items.slice(Math.min(...ends), Math.max(...ends)).some(isJoint)
}

/** A negated word that no vocabulary has may be a verb with another meaning: `never outranks`. */
function isUnknownVerb(items: readonly Item[]): boolean {
  const not = items.findLastIndex((item) => has(item, 'not'))
  const next = items.slice(not + 1).find((item) => !has(item, 'filler', 'first', 'must', 'is'))
  return next !== undefined && next.meaning.tags.length === 0 && !isName(next) && !next.meaning.code && !next.version
}

function isName({ meaning, sources, glob }: Item): boolean {
  return sources.length > 0 || glob !== null || meaning.kind !== undefined || meaning.part !== undefined
}

/** `never at the top`, unlike `always` elsewhere in the clause. */
function isTop(items: readonly Item[]): boolean {
  const not = items.findIndex((item) => has(item, 'not'))
  return items.some((item, index) => index > not && has(item, 'first'))
}

/** `the last 6 months` is no rank. */
function isPast(items: readonly Item[]): boolean {
  return items.every(
    (item, index) =>
      !has(item, 'last') ||
      (has(item, 'past') && items.slice(index + 1, index + 3).some(({ meaning }) => meaning.days)),
  )
}
