import { has, isName, isUnread, type Item, numberOf } from './item.ts'
import { type Found, type Named, type Resolved, resolveNames } from './read-names.ts'
import { markFlipped, type Phrase } from './compare-phrases.ts'
import { isJoint } from './clause-words.ts'

export type { Named } from './read-names.ts'

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

/** Finds what the items of a clause name, in order. */
export function readSubjects(items: readonly Item[], named: Named): Subject[] {
  return readNames(items, named).subjects
}

/** Finds what the items of a clause name, and the items that say it. */
export function readNames(items: readonly Item[], named: Named): Names {
  const phrases = phrasesOf(items, named)
  markFlipped(items, phrases)
  const linked = linkPhrases(items, phrases, named)
  const used = new Set<Item>()
  const subjects: Subject[] = []
  for (const { from, to, resolved, flipped, step } of linked) {
    if (resolved === 'described') for (const item of items.slice(from, to)) used.add(item)
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
    unknown: linked.flatMap(({ from, to, resolved }) => (resolved === null ? [items.slice(from, to)] : [])),
    isMixed: linked.some((phrase, place) => place > 0 && isMixed(items, linked[place - 1], phrase)),
    isAnaphor: linked.some(({ resolved }) => resolved === 'it'),
  }
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
  return !isJoined && between.some((item) => has(item, 'first', 'last', 'up', 'down', 'exclude', 'only'))
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
  return has(
    item,
    'recent',
    'old',
    'latest',
    'version',
    'code',
    'folder',
    'section',
    'generic',
    'describes',
    'this_source',
    'it',
    'other',
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
      has(before, 'filler', 'in', 'describes', 'flip') ||
      isListed(items, from) ||
      /^\p{Lu}/u.test(items[from]?.text ?? '')
    const isVersion = isListedNumber(items, from)
    // `/archive is outdated` says why.
    if (has(before, 'is') && items.slice(from, to).every((item) => has(item, 'old', 'recent') && !isName(item)))
      return { from, to, resolved: 'described', flipped: false, step: 0 }
    const resolved = resolveNames(items.slice(from, to), named, {
      isNoun,
      noun: listNoun(items, runs.slice(run)),
      isVersion,
    })
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

/** Joins phrases such as `the blog of the Kestrel docs`, `pages under /guide` and `Kestrelのブログ`. */
function linkPhrases(items: readonly Item[], phrases: readonly Phrase[], named: Named): Phrase[] {
  const linked: Phrase[] = []
  for (const phrase of phrases) {
    const last = linked.at(-1)
    // `… more than the pages under /archive`: pages and their path are one name.
    const isGeneric = last?.resolved === 'generic' || phrase.resolved === 'generic'
    const isApart = last === undefined || (last.flipped !== phrase.flipped && !isGeneric)
    const link = isApart ? null : linkOf(items.slice(last.to, phrase.from))
    const joined =
      last === undefined || link === null ? null : join(items, link === 'in' ? [last, phrase] : [phrase, last], named)
    if (last === undefined || joined === null) linked.push(phrase)
    else
      linked[linked.length - 1] = {
        ...last,
        to: phrase.to,
        resolved: joined,
        flipped: last.flipped || phrase.flipped,
        step: Math.max(last.step, phrase.step),
      }
  }
  return linked
}

/** `in`: the second phrase contains the first. `possessive`: the first contains the second. */
function linkOf(between: readonly Item[]): 'in' | 'possessive' | null {
  if (between.length === 0 || !between.every((item) => has(item, 'in', 'possessive', 'filler', 'flip', 'for', 'is')))
    return null
  if (between.some((item) => has(item, 'flip') && !has(item, 'in'))) return null
  if (between.some((item) => has(item, 'possessive'))) return 'possessive'
  return between.some((item) => has(item, 'in', 'for')) ? 'in' : null
}

function join(items: readonly Item[], [inner, outer]: [Phrase, Phrase], named: Named): Resolved {
  const [inside, around] = [inner.resolved, outer.resolved]
  if (around === 'described' || inside === 'described') return null
  if (around === 'generic' || around === 'other' || around === 'it')
    return around === 'generic' && inside !== null ? inside : null
  if (inside === 'generic' && around !== null) return around
  if (around === null || typeof inside === 'string') return null
  const globs = around.found.flatMap((found) => (found.of === 'path' ? found.glob : []))
  const isWithin =
    globs.length > 0 &&
    inside?.found.every(
      (found) => found.of === 'path' && !items.slice(inner.from, inner.to).some(({ glob }) => glob !== null),
    )
  if (inside === null || isWithin) {
    // `the rate limits page of the guides`
    const words = items.slice(inner.from, inner.to)
    if (globs.length === 0 || !named.places) return null
    const isSection = words.some((item) => has(item, 'section'))
    const keys = words.filter((item) => isUnread(item) || item.isQuoted).flatMap(({ key }) => key.split(' '))
    if (
      words.some((item) => !isUnread(item) && !item.isQuoted && !has(item, 'section', 'folder', 'generic', 'describes'))
    )
      return null
    const found = named.places.find({ words: keys, kind: isSection ? 'section' : 'pages', within: globs })
    return found.length === 0 ? null : { found: found.map((glob) => ({ of: 'path', glob })), scope: around.scope }
  }
  const source = sourceOf(around.found)
  if (globs.length > 0 && inside.found.every(({ of }) => of === 'source' || of === 'kind'))
    return { found: around.found, scope: sourceOf(inside.found) }
  if (
    inside.found.every(({ of }) => of === 'kind') &&
    around.found.every(({ of }) => of === 'source' || of === 'version' || of === 'recent')
  )
    return around
  if (
    around.found.every(({ of }) => of === 'kind' || of === 'source') &&
    inside.found.every(({ of }) => of !== 'source' && of !== 'kind')
  )
    return { found: inside.found, scope: inside.scope ?? (isVersionOfDocs(inside.found, around.found) ? null : source) }
  return null
}

/** A version of `the docs` may be a version of any source. */
function isVersionOfDocs(inside: readonly Found[], around: readonly Found[]): boolean {
  return inside.every(({ of }) => of === 'version') && around.every(({ of }) => of === 'kind')
}

function sourceOf(found: readonly Found[]): string | null {
  const [first] = found
  if (found.length !== 1 || first === undefined) return null
  if (first.of === 'kind') return first.sources.length === 1 ? (first.sources[0] ?? null) : null
  return first.of === 'source' ? first.sourceId : null
}

/** Merges subjects that belong together: a language and `examples`, a version and `docs`, a period and `recent`. */
function combine(subjects: readonly Subject[]): Subject[] {
  const hasLanguage = subjects.some((subject) => subject.of === 'code' && subject.language !== undefined)
  const ages = subjects.flatMap((subject) => (subject.of === 'recent' ? subject : []))
  const isExact = ({ halfLifeDays }: { halfLifeDays: number }) => Math.abs(halfLifeDays) !== 365
  const period = ages.find(isExact) ?? ages.find(({ halfLifeDays }) => halfLifeDays > 0) ?? ages[0]
  const hasVersion = subjects.some(({ of }) => of === 'version')
  return subjects.filter((subject) => {
    // `The latest version, not the old ones`
    if (subject.of === 'recent' && hasVersion && subject.flipped) return false
    if (subject.of === 'code') return !hasLanguage || subject.language !== undefined
    return subject.of !== 'recent' || subject === period
  })
}
