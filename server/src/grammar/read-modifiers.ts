import { type RuleCondition, RULE_WEIGHTS } from '@docent/contract/values/rule-effects'
import { has, isName, type Item } from './annotate.ts'
import type { Tag } from './lexicon.ts'
import { isJoint } from './split-clauses.ts'

const MOST_TERMS = 20
const NOISE: readonly Tag[] = ['about', 'when', 'when_end', 'filler', 'questions', 'for', 'is', 'in', 'must', 'use']
/** From the first to the last letter. Items end at punctuation, so that there is little of it. */
const INSIDE = /[\p{L}\p{N}+#](?:.*[\p{L}\p{N}+#])?/su

/** Reads `when asked about X or Y`, `for code example searches`, `if the question is in German`. Null if it has no terms. */
export function readCondition(items: readonly Item[], text: string): RuleCondition | null {
  const tools = items.flatMap(({ meaning }) => meaning.tool ?? [])
  if (tools.length > 0) return { tool: [...new Set(tools)] }
  const language = languageOf(items)
  if (language !== null) return { language }
  // No word of `how large something can be` needs to be in a question that means it.
  if (items.some((item) => has(item, 'how') && !item.isQuoted)) return null
  const terms = termsOf(items, text)
  return terms.length > 0 ? { terms } : null
}

/** The language in which the question is: `in German`, not `about German`. */
function languageOf(items: readonly Item[]): string | null {
  const at = items.findIndex(({ meaning }) => meaning.language !== undefined)
  const before = items[at - 1]
  const isAsked = has(before, 'in', 'is') || before?.key === 'auf' || before?.key === 'en' || items.length <= 3
  return (isAsked && items[at]?.meaning.language) || null
}

/** The terms between the words that every condition has, split at `and`, `or` and commas. */
function termsOf(items: readonly Item[], text: string): string[] {
  const runs: Item[][] = [[]]
  for (const item of items) {
    const { meaning, sources, isQuoted } = item
    const isThing = isQuoted || sources.length > 0 || meaning.part || meaning.code || meaning.kind
    if (item.isComma || has(item, 'and', 'or')) runs.push([])
    // Words such as `about` and `the` are noise before a term, and part of it inside.
    else if (!isThing && has(item, ...NOISE)) {
      if (has(item, 'when', 'questions', 'when_end', 'about')) runs.push([])
    } else if (isQuoted) runs.push([item], [])
    else runs.at(-1)?.push(item)
  }
  const terms = runs.flatMap(
    (run) => INSIDE.exec(text.slice(run[0]?.start, run.at(-1)?.end ?? 0).toLowerCase())?.[0] ?? [],
  )
  return [...new Set(terms)].slice(0, MOST_TERMS)
}

/** The request of a clause: a factor of the score, or only the named sources. */
export type Strength = { only: boolean; weight: number }

const { never, last, lower, slightlyLower, slightly, more, first } = RULE_WEIGHTS

const at = (weight: number): Strength => ({ only: false, weight })

/** Reads the effect of a clause on the pages that it names. Null if it has no predicate. */
export function readStrength(given: readonly Item[]): Strength | null {
  const items = given.filter((_, index) => !isPlace(given, index))
  const any = (...tags: Tag[]) => items.some((item) => has(item, ...tags))
  const isNegated = items.some((item, index) => has(item, 'not') && !isContrast(items, index))
  const [isFirst, isSlight] = [any('first'), any('slightly')]
  if (any('last') && !isPast(items)) return at(isNegated && any('exclude') ? more : last)
  if (any('exclude')) return at(isNegated ? more : never)
  if (isNegated) return negated(items)
  if (any('down')) return at(isFirst ? last : isSlight ? slightlyLower : lower)
  if (any('only')) return { only: true, weight: first }
  if (!any('up', 'use', 'first', 'must')) return null
  return at(isFirst ? first : isSlight ? slightly : more)
}

function negated(items: readonly Item[]): Strength | null {
  const any = (tag: Tag) => items.some((item) => has(item, tag))
  if (any('down')) return at(more)
  // `Never the forum, always the docs` has two requests in one clause.
  const ends = [items.findIndex((item) => has(item, 'not')), items.findIndex((item) => has(item, 'first'))]
  if (any('first') && items.slice(Math.min(...ends), Math.max(...ends)).some(isJoint)) return null
  // `never at the top`, unlike `always` elsewhere in the clause.
  if (items.slice((ends[0] ?? 0) + 1).some((item) => has(item, 'first'))) return at(last)
  if (any('up')) return at(lower)
  // A negated word that no vocabulary has may be a verb with another meaning: `never outranks`.
  const not = items.findLastIndex((item) => has(item, 'not'))
  const next = items.slice(not + 1).find((item) => !has(item, 'filler', 'first', 'must', 'is'))
  const isVerb = next?.meaning.tags.length === 0 && !isName(next) && !next.meaning.code && next.version === null
  return isVerb ? null : at(never)
}

/** `below /guide` is a place, not a rank. */
export function isPlace(items: readonly Item[], index: number): boolean {
  return has(items[index], 'flip') && has(items[index], 'down') && (items[index + 1]?.glob ?? null) !== null
}

/** `not` before a name and after a predicate contrasts: `the latest version, not the old ones`. */
export function isContrast(items: readonly Item[], index: number): boolean {
  const before = items.slice(0, index)
  const joint = before.at(-1)
  if (joint === undefined || !isJoint(joint)) return false
  if (!before.some((item) => has(item, 'up', 'use', 'only', 'must', 'first'))) return false
  const next = items.slice(index + 1).find((item) => !has(item, 'first', 'slightly'))
  return next === undefined || (has(next, 'filler') && !has(next, 'use')) || isName(next)
}

/** `the last 6 months` is no rank. */
function isPast(items: readonly Item[]): boolean {
  return items.every(
    (item, index) =>
      !has(item, 'last') ||
      (has(item, 'past') && items.slice(index + 1, index + 3).some(({ meaning }) => meaning.days)),
  )
}
