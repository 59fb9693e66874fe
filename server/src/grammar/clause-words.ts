import { has, isName, isUnread, type Item } from './item.ts'
import type { Tag } from './lexicon.ts'

export const VERBS: readonly Tag[] = 'up down exclude use only at_most treat refuse command answer also'.split(
  ' ',
) as Tag[]
const PREDICATES: readonly Tag[] = 'up down exclude use only at_most refuse command last means same enough also'.split(
  ' ',
) as Tag[]
/** Places in the order of results. */
export const RANKS: readonly Tag[] = ['first', 'last', 'up', 'down', 'exclude']
/** Words that begin a condition. */
export const OPENERS: readonly Tag[] = ['when', 'when_asked', 'unless']

/** Words that say nothing where an effect was read, and those that only link others. */
export const HOLLOW: readonly Tag[] = ['filler', 'polite', 'neutral', 'generic', 'results']
export const LINKS: readonly Tag[] = ['in', 'is', 'must', 'use', 'and', 'for', 'it', 'possessive', 'concord']

export function isJoint(item: Item): boolean {
  return item.isComma || (has(item, 'and', 'but') && item.sources.length === 0)
}

/** The items after the conjunctions and commas at their start. */
export function withoutJoints(items: readonly Item[]): Item[] {
  const from = items.findIndex((item) => !isJoint(item))
  return from < 0 ? [] : items.slice(from)
}

export function hasPredicate(items: readonly Item[]): boolean {
  return items.some((item) => has(item, ...PREDICATES))
}

/** True if the first word that carries a meaning is a verb, after words such as `always` and `please`. */
export function startsWithVerb(items: readonly Item[]): boolean {
  let isNegated = false
  for (const item of items) {
    if (has(item, ...VERBS)) return true
    if (has(item, 'not')) isNegated = true
    else if (isNegated && has(item, 'filler')) return false
    else if (!isJoint(item) && !has(item, 'first', 'always', 'slightly', 'filler', 'must', 'is', 'polite', 'then'))
      return false
  }
  return false
}

/** True for a word that an effect can be about. */
export const isNamed = (item: Item) =>
  isName(item) ||
  item.version !== null ||
  item.isQuoted ||
  isUnread(item) ||
  item.meaning.code !== undefined ||
  has(item, 'version', 'latest', 'recent', 'old', 'it', 'this_source', 'code')

/** `Rank A first`, `B last` and `C never`: a clause can end with a rank, and the next one leave out the verb. */
export function endsWithRank(items: readonly Item[]): boolean {
  const last = items.findLast(
    (item) => !isJoint(item) && (has(item, 'not') || !has(item, 'filler', 'generic', 'in', 'polite', 'neutral')),
  )
  return has(last, ...RANKS) || (has(last, 'not') && items.some(isNamed))
}
