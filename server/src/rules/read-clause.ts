import { RULE_WEIGHTS, type RuleCondition, type RuleEffect } from '@docent/contract/values/rule-effects'
import { HOLLOW, LINKS, isJoint } from '#grammar/clause-words.ts'
import { type Item, has, isName, isUnread, numberOf } from '#grammar/item.ts'
import type { Tag } from '#grammar/lexicon.ts'
import { type Condition, readCondition } from '#grammar/read-condition.ts'
import { type Strength, readStrength } from '#grammar/read-modifiers.ts'
import type { Named } from '#grammar/found.ts'
import { type Names, type Subject, readNames } from '#grammar/read-subjects.ts'
import type { Clause } from '#grammar/split-clauses.ts'
import type { createTopics } from '#grammar/topics.ts'
import { effectsOf } from './effects-of.ts'
import { readLimit } from './read-limit.ts'
import { readAlso, readSynonyms } from './read-synonyms.ts'

/** A part of a sentence, as written. */
export type Span = { start: number; end: number }

export type Reading =
  | {
      effects: RuleEffect[]
      /** For the next clause: what `it` means, its omitted verb, and what `otherwise` leaves out. */
      subjects: readonly Subject[]
      strength: Strength | null
      when: RuleCondition | null
      /** Conditions that no question tells. */
      untestable: Span[]
      /** True if it asks for more than its effects do: `leave out old pages` only ranks them. */
      isWeak?: boolean
      /** Effects on what must stay as it is, which no effect may contradict. */
      kept?: RuleEffect[]
    }
  /** It asks for something that a rule cannot do. */
  | { refused: true }
  /** Not understood. `names` nothing of the server has; `words` have no part in an effect. */
  | { names: Span[]; words: Span[] }

export type Context = {
  text: string
  named: Named
  topics: ReturnType<typeof createTopics>
  /** The clause before in the sentence. */
  before: (Pick<Extract<Reading, { effects: unknown }>, 'subjects' | 'strength' | 'when'> & { isRefused?: true }) | null
}

/** Reads a clause to effects. Every word of it has a part in them, or none of them is returned. */
export function readClause(clause: Clause, context: Context): Reading {
  const { main, isOtherwise } = clause
  if (isRefused(main)) return { refused: true }
  const { text, named, before } = context
  const conditions = clause.conditions.map((items) => ({ items, read: readCondition(items, context) }))
  // `As a last resort, if the manual has nothing`: the rank says the same.
  const isLast = (items: readonly Item[]) =>
    main.some((item) => has(item, 'last')) && items.some((item) => has(item, 'not'))
  const unread = conditions.flatMap(({ items, read }) => (read === 'unread' && !isLast(items) ? spanOf(items) : []))
  const untestable = conditions.flatMap(({ items, read }) =>
    read === 'untestable' || (read === 'unread' && isLast(items)) ? spanOf(items) : [],
  )
  const when = isOtherwise
    ? otherwise(before)
    : whenOf(
        conditions.map(({ read }) => read),
        main,
        context,
      )
  // `Otherwise … unless X` has two conditions.
  const start = main[0]?.start ?? 0
  if (isOtherwise && clause.conditions.some(([first]) => first !== undefined && first.start > start))
    return { names: [], words: spanOf(main) }
  if (unread.length > 0 || when === undefined) return { names: [], words: unread.length > 0 ? unread : spanOf(main) }
  // `Never show X to beginners`: X would be left out for all.
  const isOut = (effect: RuleEffect) =>
    /^(?:exclude|only)_/.test(effect.kind) || ('weight' in effect && effect.weight === 0)
  const done = (effects: readonly RuleEffect[], subjects: readonly Subject[], strength: Strength | null): Reading => {
    if (untestable.length > 0 && effects.some(isOut)) return { names: [], words: untestable }
    const own = when === null ? [...effects] : effects.map((effect) => ({ ...effect, when }))
    return { effects: own, subjects, strength, when, untestable }
  }
  const also = readAlso(main, when, text)
  if (also !== null) return { effects: also, subjects: [], strength: null, when: null, untestable }
  const other = readSynonyms(main, text) ?? readLimit(main, named)
  if (other !== null) return done(other, [], null)
  return readRanking(clause, context, { done, when })
}

/** Words with which `only` before a condition restricts nothing else: prefer the wiki only for tips. */
const RANKED: readonly Tag[] = ['up', 'down', 'exclude', 'first', 'last', 'not']

type Done = (effects: readonly RuleEffect[], subjects: readonly Subject[], strength: Strength | null) => Reading

/** `prefer`, `leave out` or `only`, with what the clause names. */
function readRanking(
  { main, isElliptic, isOtherwise, isReserved }: Clause,
  { text, named, before }: Context,
  { done, when }: { done: Done; when: RuleCondition | null },
): Reading {
  const names = readNames(main, named)
  const said = readStrength(main, names.used)
  const strength = said?.strength ?? (isElliptic ? before?.strength : null) ?? null
  const isOrdered = main.some((item) => has(item, 'then', 'in_order'))
  const subjects = stepped(meantBy(main, names, { named, before }), main)
  const left = leftOver(main, names, new Set(said?.said ?? [])).filter(
    (item) => !(isOtherwise && has(item, 'otherwise')),
  )
  const unknown = [...names.unknown, ...unknownVersions(main, subjects, named)].flatMap(spanOf)
  if (unknown.length > 0) return { names: unknown, words: [] }
  const words = left.flatMap((item) => spanOf([item]))
  // `Billing questions: the wiki.`
  const isBare =
    when !== null && !isOtherwise && main.every((item) => names.used.has(item) || has(item, ...HOLLOW, 'in'))
  const implied = isOrdered || isReserved ? RULE_WEIGHTS.first : isBare ? RULE_WEIGHTS.more : null
  // `Prefer A; B comes second`
  const earlier = before === null ? null : (before.strength?.weight ?? RULE_WEIGHTS.more)
  const isLater =
    main.some((item) => has(item, 'then')) &&
    subjects.every(({ step }) => step === 0) &&
    strength?.weight === RULE_WEIGHTS.more &&
    earlier === strength.weight
  const ordered = isLater
    ? { only: false, weight: RULE_WEIGHTS.slightly }
    : (strength ?? (implied === null ? null : { only: false, weight: implied }))
  // `X over the blog`: an effect on the blog alone would lose X.
  // Newer and older pages are one preference, whichever is named first.
  // `All others ignore it` is about other questions.
  const isOfOthers = strength?.weight === 0 && names.others.some(({ flipped }) => !flipped)
  // `Do not favour one manual over the other`
  const isAny = names.others.length > 0 && main.some(({ key }) => /^(?:one|either|neither)$/.test(key))
  const isLost = isAny || isOfOthers || subjects.every(({ of, flipped }) => flipped && of !== 'recent')
  if (ordered === null || words.length > 0 || isLost)
    return { names: [], words: words.length > 0 ? words : spanOf(main) }
  if (isReserved && !main.some((item) => has(item, ...RANKED) && !names.used.has(item))) {
    // `Use the wiki only for tips`: for all other questions it is left out.
    const out = effectsOf(subjects, { only: false, weight: 0 }, named.ownSource)
    const others = when === null ? undefined : inverse(when)
    if (out === null || others === undefined) return { names: [], words: spanOf(main) }
    const reading = done([], subjects, ordered)
    return { ...reading, effects: out.map((effect) => ({ ...effect, when: others })) }
  }
  // `Leave out the guides except X` needs an exception from an effect, and `put X second` a first one.
  const except = main.findIndex((item) => has(item, 'except'))
  const isUsed = (item: Item) => names.used.has(item)
  const isExcepted = except >= 0 && main.slice(0, except).some(isUsed) && main.slice(except).some(isUsed)
  const isSecond =
    main.some((item) => has(item, 'then')) &&
    subjects.every(({ step }) => step === 0) &&
    (strength === null || (before === null && when === null))
  // `… and A to B` needs the verb of the clause before, which decides what ranks lower.
  const comparisons = main.filter((item) => has(item, 'to') && !names.used.has(item))
  const isCompared = isElliptic && subjects.length > 1 && comparisons.length > 0
  const isChained = main.some((item) => has(item, 'prefers')) && comparisons.length > 1
  // `Vite's plugins page first, then Fastify's`
  const isCut = main.some((item, at) => {
    const next = main[at + 1]
    return isName(item) && /^['’]s/.test(text.slice(item.end)) && (next === undefined || isJoint(next))
  })
  // `Hide what is older than a year in the blog`: no effect leaves out some of its pages.
  const isPartly =
    (ordered.only || ordered.weight < 1) &&
    subjects.some(({ of }) => of === 'recent') &&
    subjects.some(({ of, flipped }) => of !== 'recent' && !flipped) &&
    !main.some(isJoint)
  if (isExcepted || isSecond || isCompared || isChained || isCut || isPartly || names.isMixed)
    return { names: [], words: spanOf(main) }
  const effects = effectsOf(subjects, ordered, named.ownSource)
  if (effects === null) return { names: [], words: spanOf(main) }
  // `… last, but do not remove it`
  const isSpared = names.isAnaphor && ['not', 'exclude'].every((tag) => main.some((item) => has(item, tag as Tag)))
  const rank = before?.strength ?? null
  if (isSpared && rank !== null && rank.weight > 0) return done([], subjects, rank)
  if (when === null && !isOtherwise && isPlainKeep(main, ordered)) {
    // After nothing was left out, nothing needs to stay.
    const isAfter = before?.strength?.weight === 0 && canTellApart(subjects, before.subjects)
    return isAfter ? { ...done([], subjects, ordered), kept: effects } : { names: [], words: spanOf(main) }
  }
  const isWeak = (ordered.only || ordered.weight === 0) && effects.some(({ kind }) => RANKING.has(kind))
  return { ...done(effects, subjects, ordered), ...(isWeak ? { isWeak } : {}) }
}

/** Effects that rank passages and never leave one out. */
const RANKING: ReadonlySet<RuleEffect['kind']> = new Set(['prefer_recent', 'prefer_version', 'prefer_code'])

/** Versions that no page has in its address: an effect on them would do nothing. */
function unknownVersions(main: readonly Item[], subjects: readonly Subject[], { places }: Named): Item[][] {
  if (!places) return []
  const unknown = subjects.flatMap((subject) => {
    if (subject.of !== 'version' || subject.version === 'latest') return []
    const { scope, globs, version, isKnown, written } = subject
    // Another source can have the version: `firmware 3.x`.
    const isThere =
      scope === undefined ? isKnown || places.hasVersion(version) : globs.some((glob) => places.has(glob, scope))
    return isThere ? [] : written
  })
  return main.filter((item) => unknown.includes(item.version ?? item.key)).map((item) => [item])
}

/** What the clause names, or what `it` stands for, or the only source of the rule. */
function meantBy(main: readonly Item[], names: Names, { named, before }: Pick<Context, 'named' | 'before'>): Subject[] {
  // `Put it ahead of the blog`
  const isBelow = names.isAnaphor && names.subjects.every(({ flipped }) => flipped)
  if (names.subjects.length > 0) return isBelow ? [...(before?.subjects ?? []), ...names.subjects] : names.subjects
  // `It` and an omitted subject: `/archive is outdated and must not be shown`.
  const isOmitted = has(main[0], 'must', 'not', 'is') && names.unknown.length === 0
  if ((names.isAnaphor || isOmitted) && before !== null && before.subjects.length > 0) return [...before.subjects]
  const source = named.ownSource
  const isNamed = main.some((item) => has(item, 'it', 'this_source', 'generic'))
  return source !== null && isNamed ? [{ of: 'source', sourceId: source, flipped: false, step: 0 }] : []
}

/** `in this order: A, B, C`: each name is a step. */
function stepped(subjects: Subject[], main: readonly Item[]): Subject[] {
  const isListed = main.some((item) => has(item, 'in_order')) && subjects.every(({ step }) => step === 0)
  return isListed ? subjects.map((subject, step) => ({ ...subject, step })) : subjects
}

/** Roles of words that change nothing where an effect was read. */
const ORDERS: readonly Tag[] = ['flip', 'flip_after', 'to', 'then', 'in_order']
const NEUTRAL: readonly Tag[] = [...HOLLOW, ...LINKS, ...ORDERS, 'answer', 'or', 'but']

/** Words of a clause that neither its names nor its request account for. */
function leftOver(main: readonly Item[], names: Names, said: ReadonlySet<Item>): Item[] {
  const hasRival = names.subjects.some(({ flipped }) => !flipped)
  const others = new Set(names.others.flatMap(({ item }) => (hasRival ? item : [])))
  return main.filter((item, at) => {
    // `Users should never see the blog`
    if (has(item, 'person') && has(main[at + 1], 'must', 'to')) return false
    if (names.used.has(item) || said.has(item) || others.has(item) || item.isComma) return false
    if (item.isQuoted || isUnread(item) || isName(item) || item.version !== null || item.unknown) return true
    // `Treat the manual as more trustworthy`
    if (has(item, 'treat') && main.some((each) => has(each, 'up', 'down', 'last'))) return false
    if (has(item, 'version') && names.subjects.some(({ of }) => of === 'version')) return false
    if (numberOf(item) !== null && !has(item, 'filler', 'generic')) return true
    return !has(item, ...NEUTRAL)
  })
}

/** Joins conditions. Undefined for several that no rule can have together; null for none. */
function whenOf(
  read: readonly Condition[],
  main: readonly Item[],
  { before }: Context,
): RuleCondition | null | undefined {
  const whens = read.flatMap((each) => (typeof each === 'string' ? [] : each.when))
  if (whens.length === 0) {
    // `… and rank the wiki lower then`
    const last = main.findLast((item) => has(item, 'then') || !has(item, 'filler', 'polite'))
    return has(last, 'then') && before !== null ? before.when : null
  }
  const joined = Object.assign({}, ...whens) as RuleCondition
  const isLost = whens.reduce((sum, when) => sum + Object.keys(when).length, 0) > Object.keys(joined).length
  if (!isLost) return joined
  // `when asked about X, or if the question mentions Y`
  const terms = whens.map((when) => (Object.keys(when).join() === 'terms' ? when.terms : undefined))
  return terms.every((each) => each !== undefined) ? { terms: [...new Set(terms.flat())] } : undefined
}

/** The questions that a condition leaves out. Undefined if no condition can say so. */
function otherwise(before: Context['before']): RuleCondition | null | undefined {
  // Without a clause before it, `otherwise` means nothing. One that was refused has no condition.
  if (before === null) return undefined
  const { when, isRefused } = before
  if (when === null) return isRefused ? null : undefined
  return inverse(when)
}

/** The questions that a condition leaves out. Undefined if no condition can say so. */
function inverse(when: RuleCondition): RuleCondition | undefined {
  const { terms, exceptTerms, ...others } = when
  if (Object.keys(others).length > 0) return undefined
  if (terms !== undefined && exceptTerms === undefined) return { exceptTerms: terms }
  return exceptTerms !== undefined && terms === undefined ? { terms: exceptTerms } : undefined
}

export function spanOf(items: readonly Item[]): Span[] {
  const [first, last] = [items[0], items.at(-1)]
  return first && last ? [{ start: first.start, end: last.end }] : []
}

/** Roles of words before the verb of a clause. */
const LEAD: readonly Tag[] = 'filler first always slightly not and but must only polite neutral'.split(' ') as Tag[]

/** True if the clause is about the answer: its words, its form, its citations, its confidence, or what to do. */
function isRefused(items: readonly Item[]): boolean {
  const plain = items.filter(({ isQuoted, sources }) => !isQuoted && sources.length === 0)
  const any = (...tags: Tag[]) => plain.some((item) => has(item, ...tags))
  // `Cite the manual first` is about the manual, `cite your sources` about the answer.
  const isRanked = any('first', 'up', 'flip', 'only', 'last') && items.some(isName)
  if (plain.some((item) => has(item, 'refuse') && !isName(item) && !(isRanked && has(item, 'use')))) return true
  const verb = plain.find(
    (item, index) => !(has(item, 'is') && index > 0) && (has(item, 'command') || !has(item, ...LEAD)),
  )
  if (has(verb, 'command') && !has(verb, 'use', 'up', 'exclude', 'down')) return true
  if (any('length') && any('at_most', 'down', 'use', 'in') && !any('per_source')) return true
  if (any('answer', 'manner') && plain.some(({ meaning }) => meaning.language !== undefined)) return true
  if (items.some((item) => isName(item) || item.version !== null || item.meaning.code)) return false
  return any('answer', 'manner') || (any('cited') && any('exclude', 'not'))
}

const RANKS: readonly Tag[] = ['up', 'down', 'exclude', 'first', 'last', 'not', 'flip']

/** True for `keep the meetups`, which leaves them as they are. */
function isPlainKeep(main: readonly Item[], { only, weight }: Strength): boolean {
  const isPlain = !only && weight === RULE_WEIGHTS.more && !main.some((item) => has(item, ...RANKS))
  return isPlain && main.some((item) => has(item, 'keep'))
}

/** True for sources alone, and for folders and pages alone: whether one contains the other is known. */
function canTellApart(some: readonly Subject[], others: readonly Subject[]): boolean {
  const all = [...some, ...others]
  const isFolder = (each: Subject) => each.of === 'path' && /^\/[^*]*(?:\/\*)?$/.test(each.glob)
  return all.every(({ of }) => of === 'source' || of === 'kind') || all.every(isFolder)
}
