import { RULE_WEIGHTS } from '@docent/contract/values/rule-effects'
import { has, isName, type Item } from './item.ts'
import type { Tag } from './lexicon.ts'
import { isJoint, RANKS } from './clause-words.ts'

/** The request of a clause: a factor of the score, or only the named sources. */
export type Strength = {
  only: boolean
  weight: number
  /** `Use X, not Y`: what ranks lower is left out. */
  isExclusive?: true
}

const { never, last, lower, slightlyLower, slightly, more, first } = RULE_WEIGHTS

const at = (weight: number): Strength => ({ only: false, weight })

/** Words that decide about the effect. All of a clause must fit together. */
const DECISIVE: readonly Tag[] = [...RANKS, 'except', 'only', 'slightly', 'always', 'not']

/**
 * Reads the effect of a clause on the pages that it names. `used`: the items of the names. Returns the items that say
 * it. Null if the clause has no predicate, or words that do not fit together, such as `prefer` and `avoid`.
 */
export function readStrength(
  given: readonly Item[],
  used: ReadonlySet<Item>,
): { strength: Strength; said: Item[] } | null {
  const items = given.filter((item, index) => !used.has(item) && !isPlace(given, index))
  const plain = items.filter((item) => !(has(item, 'not') && isContrast(given, given.indexOf(item))))
  // `Hide /legacy, but not /legacy/v1`: an exception, which no effect has.
  const isExcepted = given.some(
    (item, index) =>
      has(item, 'not') &&
      !used.has(item) &&
      given.slice(0, index).some((one) => used.has(one)) &&
      given.slice(0, index).some((one) => has(one, 'exclude', 'down') && !used.has(one)),
  )
  const read = isExcepted ? null : strengthOf(plain)
  if (read === null) return null
  const isExclusive = plain.length < items.length && !plain.some((item) => has(item, 'up', 'first', 'always', 'flip'))
  const strength: Strength = isExclusive ? { ...read, isExclusive } : read
  return { strength, said: given.filter((item) => !used.has(item) && has(item, ...DECISIVE)) }
}

/** The effect by the roles of the decisive words. A word with several roles has the one that fits the others. */
function strengthOf(items: readonly Item[]): Strength | null {
  const any = (...tags: Tag[]) => items.some((item) => has(item, ...tags))
  const nots = items.filter((item) => has(item, 'not'))
  const isNegated = nots.length > 0
  // Two negations cancel out, unless the language repeats them.
  if (nots.filter((item) => !has(item, 'concord')).length > 1) return null
  if (nots.length > 1 && !nots.some((item) => has(item, 'concord'))) return null
  // `Better than nothing`
  if (items.some((item, index) => has(item, 'flip') && !has(item, 'not') && has(items[index + 1], 'not'))) return null
  // `Not always`
  const isPartial = items.some(
    (item, index) =>
      has(item, 'not') &&
      has(
        items.slice(index + 1).find((next) => !has(next, 'filler')),
        'always',
      ),
  )
  if (isPartial) return null
  const isOnly = items.some((item) => has(item, 'only') && !has(item, 'exclude'))
  const clash = any('exclude') && items.some((item) => has(item, 'up') && !has(item, 'flip'))
  if (any('except'))
    return any('exclude') !== isNegated && !any('up', 'down', 'first', 'last')
      ? { only: true, weight: first }
      : exceptOf(items)
  if (clash) return null
  // `Leave the blog for last` leaves nothing out.
  const isOut = items.some((item) => has(item, 'exclude') && !has(item, 'use'))
  // `A before B, and C goes last` has two requests.
  const isTwo = items.some((item) => has(item, 'flip') && BEFORE.test(item.key))
  if (any('last')) return isOut || isNegated || isTwo || isClash(items, 'last') ? null : at(last)
  if (any('exclude')) {
    if (any('first', 'down') || isOnly) return null
    return at(isNegated ? more : never)
  }
  if (isNegated) return isOnly ? null : negated(items, nots)
  if (any('down')) {
    if (isOnly || isClash(items, 'down')) return null
    return at(any('always') ? last : any('slightly') ? slightlyLower : lower)
  }
  if (isOnly)
    return items.some((item) => has(item, 'up', 'first', 'slightly') && !has(item, 'only'))
      ? null
      : { only: true, weight: first }
  // `/old has to go`
  if (/^go(?:es)?$/.test(items.at(-1)?.key ?? '')) return any('up', 'first', 'flip') ? null : at(never)
  if (!any('up', 'use', 'first', 'must', 'always', 'flip', 'flip_after')) return null
  return at(any('first', 'always') ? first : any('slightly') ? slightly : more)
}

const BEFORE = /^(?:over|before|above|ahead of)\b/

/** True if a word says the opposite of this one: `prefer the docs last`. */
function isClash(items: readonly Item[], tag: 'last' | 'down'): boolean {
  return items.some((item) => has(item, 'up', 'first') && !has(item, tag, 'flip'))
}

/** `use everything except the blog`. */
function exceptOf(items: readonly Item[]): Strength | null {
  const isPlain = items.every((item) => !has(item, 'up', 'down', 'first', 'last', 'not', 'only') || has(item, 'except'))
  return isPlain ? at(never) : null
}

function negated(items: readonly Item[], nots: readonly Item[]): Strength | null {
  const any = (tag: Tag) => items.some((item) => has(item, tag))
  // Not to lower a page says nothing about its rank.
  if (any('down')) return null
  const from = items.findIndex((item) => nots.includes(item))
  const always = items.findIndex((item) => has(item, 'always'))
  // `A never, B always`
  if (always >= 0 && items.slice(Math.min(from, always), Math.max(from, always)).some(isJoint)) return null
  const rank = items.findIndex((item) => has(item, 'first'))
  // `Never the forum, always the docs` has two requests in one clause.
  if (rank >= 0 && items.slice(Math.min(from, rank), Math.max(from, rank)).some(isJoint)) return null
  // `never at the top`
  if (rank > from) return at(last)
  if (rank >= 0) return null
  return any('up') ? at(lower) : at(never)
}

/** `below /guide` is a place, not a rank. */
export function isPlace(items: readonly Item[], index: number): boolean {
  const isRank = has(items[index], 'flip', 'down') && has(items[index], 'in')
  const next = items.slice(index + 1).find((item) => !has(item, 'filler', 'folder', 'generic'))
  return (
    isRank &&
    (next?.glob ?? null) !== null &&
    !items.slice(0, index).some((item) => isName(item) && item.glob === null && !has(item, 'generic'))
  )
}

/** `not` before a name and after a predicate contrasts: `the latest version, not the old ones`. */
export function isContrast(items: readonly Item[], index: number): boolean {
  const before = items.slice(0, index)
  const joint = before.at(-1)
  if (joint === undefined || !isJoint(joint)) return false
  if (!before.some((item) => has(item, 'up', 'use', 'only', 'must', 'first'))) return false
  const next = items.slice(index + 1).find((item) => !has(item, 'first', 'slightly', 'in'))
  return next === undefined || (has(next, 'filler') && !has(next, 'use')) || isName(next) || next.version !== null
}
