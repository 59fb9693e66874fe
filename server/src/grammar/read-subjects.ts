import { has, isName, isUnread, type Item, numberOf } from './item.ts'
import { linkPhrases } from './link-phrases.ts'
import type { Found, Named } from './found.ts'
import { resolveNames } from './read-names.ts'
import { markFlipped, type Phrase } from './compare-phrases.ts'
import { isJoint } from './clause-words.ts'
import type { Tag } from './lexicon.ts'

/**
 * Something that a clause names. `flipped`: after `over` or `rather than`. `scope`: the source around it. `step`: its
 * place in an order such as `first A, then B and C`.
 */
export type Subject = Found & { flipped: boolean; scope?: string; step: number }

/** The names of a clause. */
export type Names = {
  subjects: Subject[]
  /** Items with a part in the subjects. */
  used: ReadonlySet<Item>
  /** Words such as `the others`, and whether `over` is before them. */
  others: { item: Item; flipped: boolean }[]
  /** Phrases that name nothing of the server. */
  unknown: (readonly Item[])[]
  /** True if a rank stands between two names that nothing else joins: `A first B`. */
  isMixed: boolean
  /** True if `it` stands for the names of the clause before. */
  isAnaphor: boolean
}

/** The noun phrases of items, with what each means. */
export function readPhrases(items: readonly Item[], named: Named): Phrase[] {
  const phrases = phrasesOf(items, named)
  markFlipped(items, phrases)
  return phrases
}

/** Finds what the items of a clause name, and the items that say it. */
export function readNames(items: readonly Item[], named: Named): Names {
  const linked = linkPhrases(items, readPhrases(items, named), named)
  const used = new Set<Item>()
  const subjects: Subject[] = []
  for (const { from, to, resolved, flipped, step } of linked) {
    if (resolved === 'described' || isPathBehind(items, { to, resolved }))
      for (const item of items.slice(from, to)) used.add(item)
    if (resolved === null || typeof resolved === 'string') continue
    for (const item of items.slice(from, to)) used.add(item)
    const scope = resolved.scope === null ? {} : { scope: resolved.scope }
    for (const found of resolved.found) subjects.push({ ...found, flipped, step, ...scope })
  }
  const isDouble = (subject: Subject, index: number) =>
    subjects.some((one, at) => at < index && JSON.stringify(one) === JSON.stringify(subject))
  return {
    subjects: combine(subjects.filter((subject, index) => !isDouble(subject, index))),
    used,
    others: linked.flatMap(({ from, to, resolved, flipped }) =>
      resolved === 'other' ? items.slice(from, to).map((item) => ({ item, flipped })) : [],
    ),
    unknown: linked.flatMap(({ from, to, resolved }) =>
      resolved === null && !isPathBehind(items, { to, resolved }) ? [items.slice(from, to)] : [],
    ),
    isMixed: linked.some((phrase, place) => place > 0 && isMixed(items, linked[place - 1], phrase)),
    isAnaphor: linked.some(({ resolved }) => resolved === 'it'),
  }
}

/** `the page for lunch (/lunch)`: the path says which pages an unknown name means. */
function isPathBehind(items: readonly Item[], { to, resolved }: Pick<Phrase, 'to' | 'resolved'>): boolean {
  return resolved === null && items[to]?.text === '(' && (items[to + 1]?.glob ?? null) !== null
}

function isMixed(items: readonly Item[], last: Phrase | undefined, phrase: Phrase): boolean {
  const isNamed = ({ resolved }: Phrase) => resolved !== null && typeof resolved !== 'string'
  if (
    last === undefined ||
    !isNamed(last) ||
    !isNamed(phrase) ||
    last.flipped !== phrase.flipped ||
    last.step !== phrase.step
  )
    return false
  const between = items.slice(last.to, phrase.from)
  const isJoined = between.some((item) => isJoint(item) || has(item, 'or', 'flip', 'flip_after', 'then'))
  // `Everything about X comes from Y`
  const isFrom = between.some((item) => has(item, 'use')) && between.some((item) => has(item, 'in'))
  return !isJoined && (isFrom || between.some((item) => has(item, 'first', 'last', 'up', 'down', 'exclude', 'only')))
}

/** True for a word that a noun phrase can have. */
function isNominal(items: readonly Item[], index: number): boolean {
  const item = items[index]
  if (item === undefined || item.isComma) return false
  if (isName(item) || item.version !== null || item.unknown || item.isQuoted || isUnread(item)) return true
  const { meaning } = item
  if (meaning.code !== undefined || meaning.days !== undefined) return true
  if (meaning.codeWithNoun !== undefined && has(items[index + 1], 'code')) return true
  if (isPeriodWord(items, index)) return true
  if (/^\d+$/.test(item.key) || numberOf(item) !== null)
    return (
      /^\d+$/.test(item.key) &&
      (has(items[index - 1], 'version') || has(items[index + 1], 'version') || isListedNumber(items, index))
    )
  return (
    has(item, 'recent', 'old', 'latest', 'version', 'code', 'folder', 'section') ||
    has(item, 'generic', 'describes', 'this_source', 'it', 'other')
  )
}

/** `last` and `6` of `the last 6 months`. */
function isPeriodWord(items: readonly Item[], index: number): boolean {
  const isAmount = (at: number) => numberOf(items[at]) !== null && items[at + 1]?.meaning.days !== undefined
  if (isAmount(index)) return true
  return has(items[index], 'past', 'last') && (isAmount(index + 1) || items[index + 1]?.meaning.days !== undefined)
}

/** The second number of `versions 3 and 4`. */
function isListedNumber(items: readonly Item[], index: number): boolean {
  return (
    has(items[index - 1], 'and', 'or') && /^\d+$/.test(items[index - 2]?.key ?? '') && has(items[index - 3], 'version')
  )
}

/** Verbs before a name without an article: `rank postmortems below the runbooks`. */
const NAMING: readonly Tag[] = ['use', 'up', 'down', 'exclude', 'only']

function phrasesOf(items: readonly Item[], named: Named): Phrase[] {
  const runs: { from: number; to: number }[] = []
  for (let from = 0; from < items.length; from++) {
    if (!isNominal(items, from)) continue
    let to = from + 1
    while (to < items.length && isNominal(items, to) && !isQuotedBeside(items, to)) to++
    runs.push({ from, to })
    from = to - 1
  }
  return runs.map(({ from, to }, run) => {
    const before = items[from - 1]
    const isNoun =
      has(before, 'filler', 'in', 'describes', 'flip', ...(named.places ? NAMING : [])) ||
      isListed(items, from) ||
      /^\p{Lu}/u.test(items[from]?.text ?? '')
    const isVersion = isListedNumber(items, from)
    // `/archive is outdated` says why.
    if (has(before, 'is') && items.slice(from, to).every((item) => has(item, 'old', 'recent') && !isName(item)))
      return { from, to, resolved: 'described', flipped: false, step: 0 }
    const noun = listNoun(items, runs.slice(run)) ?? nounBefore(items, runs.slice(0, run + 1))
    const resolved = resolveNames(items.slice(from, to), named, { isNoun, noun, isVersion })
    return { from, to, resolved, flipped: false, step: 0 }
  })
}

/** Two names in quotation marks are two phrases. */
function isQuotedBeside(items: readonly Item[], index: number): boolean {
  return items[index]?.isQuoted === true && items[index - 1]?.isQuoted === true
}

/** True after `and`, `or` or a comma: an item of an enumeration. */
function isListed(items: readonly Item[], index: number): boolean {
  const before = items[index - 1]
  return before !== undefined && (isJoint(before) || has(before, 'or'))
}

/** `the sections “Limits” and “Retries”`: the noun before the first name counts for all quoted names of the enumeration. */
function nounBefore(items: readonly Item[], runs: readonly { from: number; to: number }[]): Item | undefined {
  for (const [back, { from, to }] of runs.toReversed().entries()) {
    const [first] = items.slice(from, to)
    if (back > 0 && has(first, 'folder', 'section')) return first
    if (first?.isQuoted !== true || !isListed(items, from)) return undefined
  }
  return undefined
}

/** `the admin and billing sections`: the noun after the last name counts for all names of the enumeration. */
function listNoun(items: readonly Item[], runs: readonly { from: number; to: number }[]): Item | undefined {
  for (const [index, run] of runs.entries()) {
    const noun = items.slice(run.from, run.to).find((item) => has(item, 'folder', 'section'))
    if (noun !== undefined) return index === 0 ? undefined : noun
    const next = runs[index + 1]
    const isOpen = items.slice(run.from, run.to).every((item) => isUnread(item) || item.meaning.part !== undefined)
    const between = items.slice(run.to, next?.from)
    if (
      next === undefined ||
      !isOpen ||
      between.length === 0 ||
      !between.every((item) => isJoint(item) || has(item, 'or'))
    )
      return undefined
  }
  return undefined
}

/** Merges subjects that belong together: a language and `examples`, a version and `docs`, a period and `recent`. */
function combine(subjects: readonly Subject[]): Subject[] {
  const hasLanguage = subjects.some((subject) => subject.of === 'code' && subject.language !== undefined)
  const ages = subjects.flatMap((subject) => (subject.of === 'recent' ? subject : []))
  const isExact = ({ halfLifeDays }: { halfLifeDays: number }) => Math.abs(halfLifeDays) !== 365
  const period = ages.find(isExact) ?? ages.find(({ halfLifeDays }) => halfLifeDays > 0) ?? ages[0]
  const scope = ages.find((age) => age.scope !== undefined)?.scope
  const hasVersion = subjects.some(({ of }) => of === 'version')
  const kept = subjects.filter((subject) => {
    // `The latest version, not the old ones`
    if (subject.of === 'recent' && hasVersion && subject.flipped) return false
    if (subject.of === 'code') return !hasLanguage || subject.language !== undefined
    return subject.of !== 'recent' || subject === period
  })
  // `newer pages over older ones in the wiki`
  return kept.map((subject) => (subject === period && scope !== undefined ? { ...subject, scope } : subject))
}
