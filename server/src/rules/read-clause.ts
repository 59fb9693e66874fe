import type { RuleCondition, RuleEffect } from '@docent/contract/values/rule-effects'
import { has, type Item, numberOf } from './annotate.ts'
import { makeEffects, withWhen } from './make-effects.ts'
import { readCondition, isContrast, isPlace, readStrength } from './read-modifiers.ts'
import { type Named, readSubjects, type Subject } from './read-subjects.ts'
import { phrasesOf, readSynonyms } from './read-synonyms.ts'
import { type Clause, conditionStart } from './split-clauses.ts'

type Limit = Extract<RuleEffect, { kind: 'max_per_source' }>

const MOST_RESULTS = 50

/** The compiled form of a clause. `refused`: it asks for something that a rule cannot do. */
export type Reading =
  | { effects: RuleEffect[]; subjects: Subject[] }
  | { refused: true }
  /** Not understood. `unknown` are names that no source of the server has. */
  | { unknown: string[] }

type Context = {
  text: string
  named: Named
  /** Subjects of the clause before, for `it`. */
  before: readonly Subject[]
}

export function readClause(clause: Clause, context: Context): Reading {
  const { text, named } = context
  const { main, condition } = splitCondition(clause.items)
  const lead = clause.condition ?? []
  if (isRefused(main)) return { refused: true }
  // Without its exception the effect would apply where it must not.
  if (clause.items.some((item) => has(item, 'unless'))) return { unknown: [] }
  const unknown = [...main.filter(({ unknown: isUnknown }) => isUnknown), ...strangers(main, text)].map(
    ({ start, end }) => text.slice(start, end),
  )
  if (unknown.length > 0) return { unknown }
  const when = readCondition([...lead, ...condition], text)
  const also = readAlso(main, { when, text })
  if (also !== null) return { effects: also, subjects: [] }
  const synonyms = readSynonyms(main, text)
  if (synonyms !== null) return { effects: synonyms.map((effect) => withWhen(effect, when)), subjects: [] }
  const limit = readLimit(main, named)
  if (limit !== null) return { effects: [withWhen(scopedLimit(limit, named), when)], subjects: [] }
  const strength = readStrength(main)
  const own = readSubjects(main, named, (index) => isFlip(main, index))
  const subjects = own.length > 0 || !main.some((item) => has(item, 'it')) ? own : [...context.before]
  const meant = subjects.length > 0 ? subjects : ownSource(main, named)
  const effects = strength === null ? [] : makeEffects(meant, { strength, when, ownSource: named.ownSource })
  // A condition that could not be read would make the effect apply to every call.
  const isBlind = when === null && (lead.length > 0 || condition.length > 1)
  return effects.length > 0 && !isBlind
    ? { effects, subjects: meant }
    : { unknown: strength === null ? [] : namesIn(main, text) }
}

/** `over`, `rather than`, or a negation before a name and after a predicate: `not the old ones`. */
function isFlip(items: readonly Item[], index: number): boolean {
  if (has(items[index], 'flip')) return !isPlace(items, index)
  return has(items[index], 'not') && isContrast(items, index)
}

function scopedLimit<L extends RuleEffect>(limit: L, { ownSource: source }: Named): L {
  return source === null || 'sourceId' in limit ? limit : { ...limit, sourceId: source }
}

/** `Prefer this source`: a rule about one source that names nothing else. */
function ownSource(items: readonly Item[], { ownSource: source }: Named): Subject[] {
  const isNamed = items.some((item) => has(item, 'it', 'this_source', 'generic'))
  return source !== null && isNamed ? [{ of: 'source', sourceId: source, flipped: false }] : []
}

/** Splits off the condition at the end: `when asked about X`, `for X questions`, `for X`. */
function splitCondition(items: readonly Item[]): { main: Item[]; condition: Item[] } {
  let at = conditionStart(items)
  if (at === items.length) at = forCondition(items)
  return { main: items.slice(0, at), condition: items.slice(at) }
}

/** Index of a `for` that begins a condition. `docs for v1` and `2 for each source` have none. */
function forCondition(items: readonly Item[]): number {
  const at = items.findIndex((item, index) => {
    if (index === 0 || !has(item, 'for')) return false
    const rest = items.slice(index + 1)
    if (rest.some((each) => has(each, 'questions') || each.meaning.tool !== undefined)) return true
    const isNamed = rest.some(
      ({ version, glob, sources, meaning, unknown }) =>
        version !== null || glob !== null || sources.length > 0 || unknown || meaning.kind || meaning.code,
    )
    return !isNamed && rest.some(({ meaning }) => meaning.tags.length === 0 || meaning.part !== undefined)
  })
  return at < 0 ? items.length : at
}

/** True if the clause is about the answer: its words, its form, its citations, its confidence, or what to do. */
function isRefused(items: readonly Item[]): boolean {
  const plain = items.filter(({ isQuoted, sources }) => !isQuoted && sources.length === 0)
  if (plain.some((item) => has(item, 'refuse') && item.meaning.part === undefined && item.meaning.kind === undefined))
    return true
  const verb = plain.find(
    (item) => !has(item, 'filler', 'first', 'slightly', 'not', 'and', 'but', 'must', 'only') || has(item, 'command'),
  )
  if (has(verb, 'command') && !has(verb, 'use', 'up', 'exclude', 'down')) return true
  if (plain.some((item) => has(item, 'length')) && plain.some((item) => has(item, 'at_most', 'down', 'use', 'in'))) {
    if (!plain.some((item) => has(item, 'per_source'))) return true
  }
  const namesNothing = items.every(
    ({ sources, glob, version, meaning }) =>
      sources.length === 0 && glob === null && version === null && !meaning.part && !meaning.kind && !meaning.code,
  )
  if (
    plain.some(({ meaning }) => meaning.language !== undefined) &&
    plain.some((item) => has(item, 'answer', 'manner'))
  )
    return true
  if (!namesNothing) return false
  if (plain.some((item) => has(item, 'answer', 'manner'))) return true
  return plain.some((item) => has(item, 'cited')) && plain.some((item) => has(item, 'exclude', 'not'))
}

/** `When asked about X, also search for Y.` */
function readAlso(
  items: readonly Item[],
  { when, text }: { when: RuleCondition | null; text: string },
): RuleEffect[] | null {
  const at = items.findIndex((item) => has(item, 'also') && !has(item, 'filler'))
  if (at < 0 || items.slice(0, at).some((item) => !has(item, 'filler', 'first'))) return null
  const to = phrasesOf(items.slice(at + 1), text)
  if (!when?.terms || to.length === 0) return null
  return when.terms.map((from) => ({ kind: 'expand_terms', from, to: [...to] }))
}

/** `the Sprocket handbook`: proper names before a kind of source, which no source has. */
function strangers(items: readonly Item[], text: string): { start: number; end: number }[] {
  return items.flatMap((item, index) => {
    const next = items[index + 1]
    const isWord = item.meaning.tags.length === 0 && item.sources.length === 0 && item.meaning.code === undefined
    const isProper = isWord && index > 0 && /^\p{Lu}/u.test(text.charAt(item.start))
    return isProper && next?.meaning.kind !== undefined ? [{ start: item.start, end: next.end }] : []
  })
}

/** Words that could be the name of a source or page, because no vocabulary has them. */
function namesIn(items: readonly Item[], text: string): string[] {
  const names: string[] = []
  let from = -1
  let to = -1
  const push = () => {
    if (from >= 0) names.push(text.slice(from, to))
    from = -1
  }
  for (const item of items) {
    const { meaning, start, end, key } = item
    const isUnknown = meaning.tags.length === 0 && key !== ',' && !meaning.part && !meaning.code && !meaning.number
    if (isUnknown || (from >= 0 && meaning.kind !== undefined)) {
      if (from < 0) from = start
      to = end
    } else push()
  }
  push()
  return names
}

/** Reads `at most 2 results per source` and `at most 2 results from the blog`. Null without a number of results. */
function readLimit(items: readonly Item[], named: Named): Limit | null {
  const at = items.findIndex((item) => has(item, 'at_most'))
  const index = items.findIndex((item, place) => place > at && numberOf(item) !== null)
  const n = index < 0 ? null : numberOf(items[index])
  if (at < 0 || n === null || n < 1 || n > MOST_RESULTS) return null
  const after = items.slice(index + 1)
  const isPerSource = items.some((item) => has(item, 'per_source'))
  if (isPerSource) return { kind: 'max_per_source', n }
  if (!after.some((item) => has(item, 'results'))) return null
  const source = readSubjects(after, named, () => false).find(({ of }) => of === 'source')
  return source?.of === 'source' ? { kind: 'max_per_source', n, sourceId: source.sourceId } : null
}
