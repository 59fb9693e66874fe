import { type RuleCondition, RULE_WEIGHTS } from '@docent/contract/values/rule-effects'
import { has, type Item, isComma } from './annotate.ts'
import { isJoint } from './split-clauses.ts'

/** Maximum terms of a condition. */
const MOST_TERMS = 20
const NOISE = ['about', 'when', 'when_end', 'filler', 'questions', 'for', 'is', 'in', 'must', 'use'] as const
const INSIDE = /[\p{L}\p{N}+#]/u

/** Reads `when asked about X or Y`, `for code example searches`, `if the question is in German`. Null if it has no terms. */
export function readCondition(items: readonly Item[], text: string): RuleCondition | null {
  const tools = items.flatMap(({ meaning }) => meaning.tool ?? [])
  if (tools.length > 0) return { tool: [...new Set(tools)] }
  const language = languageOf(items)
  if (language !== null) return { language }
  const terms = termsOf(items, text)
  return terms.length > 0 ? { terms } : null
}

/** The language in which the question is: `in German`, not `about German`. */
function languageOf(items: readonly Item[]): string | null {
  const at = items.findIndex(({ meaning }) => meaning.language !== undefined)
  const item = items[at]
  if (item?.meaning.language === undefined) return null
  const before = items[at - 1]
  const isAsked = has(before, 'in', 'is') || before?.key === 'auf' || before?.key === 'en' || items.length <= 3
  return isAsked ? item.meaning.language : null
}

/** The terms between the words that every condition has, split at `and`, `or` and commas. */
function termsOf(items: readonly Item[], text: string): string[] {
  const terms: string[] = []
  let from = -1
  let to = -1
  const push = () => {
    const term = from < 0 ? '' : withoutEdges(text.slice(from, to).toLowerCase())
    if (term !== '' && !terms.includes(term)) terms.push(term)
    from = -1
  }
  for (const item of items) {
    if (isComma(item) || has(item, 'and', 'or')) push()
    // Words such as `about` and `the` are noise before a term, and part of it inside.
    else if (isNoise(item)) {
      if (has(item, 'when', 'questions', 'when_end', 'about')) push()
    } else {
      if (item.isQuoted) push()
      if (from < 0) from = item.start
      to = item.end
      if (item.isQuoted) push()
    }
  }
  push()
  return terms.slice(0, MOST_TERMS)
}

/** Without punctuation around it. Items end at punctuation, so that there is little of it. */
function withoutEdges(text: string): string {
  const letters = [...text]
  const from = letters.findIndex((letter) => INSIDE.test(letter))
  const to = letters.findLastIndex((letter) => INSIDE.test(letter))
  return from < 0 ? '' : letters.slice(from, to + 1).join('')
}

function isNoise(item: Item): boolean {
  const { meaning, sources, isQuoted } = item
  if (isQuoted || sources.length > 0 || meaning.part || meaning.code || meaning.kind) return false
  return has(item, ...NOISE)
}

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
