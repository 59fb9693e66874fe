import { RULE_WEIGHTS, type RuleCondition, type RuleEffect } from '@docent/contract/values/rule-effects'
import { has, isName, isUnread, type Item, numberOf } from '#grammar/annotate.ts'
import { readCondition, readStrength, type Strength } from '#grammar/read-modifiers.ts'
import { type Named, readSubjects, type Subject } from '#grammar/read-subjects.ts'
import type { Clause } from '#grammar/split-clauses.ts'

type Limit = Extract<RuleEffect, { kind: 'max_per_source' }>

const MOST_RESULTS = 50

export type Reading =
  | { effects: RuleEffect[]; subjects: readonly Subject[] }
  /** It asks for something that a rule cannot do. */
  | { refused: true }
  /** Not understood. `unknown` are names that no source of the server has. */
  | { unknown: string[] }

type Context = {
  text: string
  named: Named
  /** Subjects of the clause before, for `it`. */
  before: readonly Subject[]
}

export function readClause({ lead, main, condition }: Clause, { text, named, before }: Context): Reading {
  if (isRefused(main)) return { refused: true }
  // Without its exception the effect would apply where it must not.
  if ([...main, ...condition].some((item) => has(item, 'unless'))) return { unknown: [] }
  const unknown = [...main.filter((item) => item.unknown), ...strangers(main, text)]
  if (unknown.length > 0) return { unknown: unknown.map(({ start, end }) => text.slice(start, end)) }
  const when = readCondition([...lead, ...condition], text)
  const conditional = (effects: readonly RuleEffect[]): RuleEffect[] =>
    when === null ? [...effects] : effects.map((effect) => ({ ...effect, when }))
  const also = readAlso(main, when, text)
  if (also !== null) return { effects: also, subjects: [] }
  const other = readSynonyms(main, text) ?? readLimit(main, named)
  if (other !== null) return { effects: conditional(other), subjects: [] }
  const strength = readStrength(main)
  if (strength === null) return { unknown: [] }
  const own = readSubjects(main, named)
  const subjects = own.length > 0 || !main.some((item) => has(item, 'it')) ? own : before
  const meant = subjects.length > 0 ? subjects : ownSource(main, named)
  // `X over the blog`: a rule about the blog alone would lose X.
  if (meant.length > 0 && meant.every(({ flipped }) => flipped) && main.some(isUnread))
    return { unknown: namesIn(main, text) }
  const effects = conditional(meant.flatMap((subject) => effectsOf(subject, strength, named.ownSource)))
  // A condition that could not be read would make the effect apply to every call.
  if (when === null && (lead.length > 0 || condition.length > 1)) return { unknown: [] }
  return effects.length > 0 ? { effects, subjects: meant } : { unknown: namesIn(main, text) }
}

/** `Prefer this source`: a rule about one source that names nothing else. */
function ownSource(items: readonly Item[], { ownSource: source }: Named): Subject[] {
  const isNamed = items.some((item) => has(item, 'it', 'this_source', 'generic'))
  return source !== null && isNamed ? [{ of: 'source', sourceId: source, flipped: false }] : []
}

/** True if the clause is about the answer: its words, its form, its citations, its confidence, or what to do. */
function isRefused(items: readonly Item[]): boolean {
  const plain = items.filter(({ isQuoted, sources }) => !isQuoted && sources.length === 0)
  const any = (...tags: Parameters<typeof has>[1][]) => plain.some((item) => has(item, ...tags))
  if (plain.some((item) => has(item, 'refuse') && !isName(item))) return true
  const verb = plain.find(
    (item) => !has(item, 'filler', 'first', 'slightly', 'not', 'and', 'but', 'must', 'only') || has(item, 'command'),
  )
  if (has(verb, 'command') && !has(verb, 'use', 'up', 'exclude', 'down')) return true
  if (any('length') && any('at_most', 'down', 'use', 'in') && !any('per_source')) return true
  if (any('answer', 'manner') && plain.some(({ meaning }) => meaning.language !== undefined)) return true
  if (items.some((item) => isName(item) || item.version !== null || item.meaning.code)) return false
  return any('answer', 'manner') || (any('cited') && any('exclude', 'not'))
}

/** `When asked about X, also search for Y.` */
function readAlso(items: readonly Item[], when: RuleCondition | null, text: string): RuleEffect[] | null {
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

/** Words that could be the name of a source or page: no vocabulary has them, or they name a kind that led to nothing. */
function namesIn(items: readonly Item[], text: string): string[] {
  const runs: Item[][] = [[]]
  for (const item of items) {
    const run = runs.at(-1) ?? []
    const isUnknown = isUnread(item) || (item.isQuoted && !isName(item)) || item.meaning.kind !== undefined
    if (isUnknown) run.push(item)
    else if (run.length > 0) runs.push([])
  }
  return runs.flatMap((run) => (run[0] ? text.slice(run[0].start, run.at(-1)?.end) : []))
}

/** Reads `at most 2 results per source` and `at most 2 results from the blog`. Null without a number of results. */
function readLimit(items: readonly Item[], named: Named): Limit[] | null {
  const at = items.findIndex((item) => has(item, 'at_most'))
  const index = items.findIndex((item, place) => place > at && numberOf(item) !== null)
  const n = numberOf(items[index])
  if (at < 0 || n === null || n < 1 || n > MOST_RESULTS) return null
  const own = named.ownSource === null ? {} : { sourceId: named.ownSource }
  if (items.some((item) => has(item, 'per_source'))) return [{ kind: 'max_per_source', n, ...own }]
  const after = items.slice(index + 1)
  const source = readSubjects(after, named).find(({ of }) => of === 'source')
  if (source?.of !== 'source' || !after.some((item) => has(item, 'results'))) return null
  return [{ kind: 'max_per_source', n, sourceId: source.sourceId }]
}

/** The effects of a clause on one thing that it names. `ownSource`: the source that the whole rule is about, or null. */
function effectsOf(subject: Subject, strength: Strength, ownSource: string | null): RuleEffect[] {
  const { flipped } = subject
  const only = strength.only && !flipped
  const weight = flipped ? flip(strength.weight) : strength.weight
  const scope = subject.scope ?? ownSource
  const within = scope === null ? {} : { sourceId: scope }
  if (weight === null) return []
  switch (subject.of) {
    case 'source':
      return [sourceEffect(subject.sourceId, only, weight)]
    case 'kind':
      if (weight > 1 && !strength.only) return [{ kind: 'prefer_type', type: subject.type, weight }]
      return subject.sources.map((sourceId) => sourceEffect(sourceId, only, weight))
    case 'path':
      if (only) return [{ kind: 'only_path', glob: subject.glob, ...within }]
      return weight === 0
        ? [{ kind: 'exclude_path', glob: subject.glob, ...within }]
        : [{ kind: 'prefer_path', glob: subject.glob, weight, ...within }]
    case 'version': {
      const { version, written } = subject
      // Leaving out a version leaves out its pages. Leaving out old versions prefers the latest.
      if (weight === 0 && written !== 'old') return [{ kind: 'exclude_path', glob: `*/${written}/*`, ...within }]
      if (written !== 'old') return [{ kind: 'prefer_version', version, weight, ...within }]
      const latest = weight === 0 ? RULE_WEIGHTS.first : RULE_WEIGHTS.more
      return weight > 1 ? [] : [{ kind: 'prefer_version', version, weight: latest, ...within }]
    }
    case 'recent': {
      // Nothing prefers old pages.
      const halfLifeDays = Math.abs(subject.halfLifeDays)
      return subject.halfLifeDays < 0 === weight > 1 ? [] : [{ kind: 'prefer_recent', halfLifeDays, ...within }]
    }
  }
  if (flipped) return []
  const language = subject.language === undefined ? {} : { language: subject.language }
  return [{ kind: 'prefer_code', ...language, weight: Math.max(weight, RULE_WEIGHTS.last), ...within }]
}

/** The effect on the words after `over`: the opposite, or nothing where the clause only leaves something out. */
function flip(weight: number): number | null {
  if (weight === 0) return null
  return weight > 1 ? RULE_WEIGHTS.lower : RULE_WEIGHTS.more
}

function sourceEffect(sourceId: string, only: boolean, weight: number): RuleEffect {
  if (only) return { kind: 'only_source', sourceId }
  return { kind: weight > 1 ? 'prefer_source' : 'avoid_source', sourceId, weight }
}

type Synonyms = Extract<RuleEffect, { kind: 'expand_terms' }>

/** Reads `treat X as Y`, `X and Y are synonyms` and `X means Y`. Null if the clause is about something else. */
function readSynonyms(items: readonly Item[], text: string): Synonyms[] | null {
  const same = items.findIndex((item) => has(item, 'same'))
  const treat = items.findIndex((item) => has(item, 'treat'))
  if (same > 0) {
    const words = phrasesOf(items.slice(Math.max(0, treat + 1), same), text)
    if (words.length < 2) return null
    return words.map((from) => ({ kind: 'expand_terms', from, to: words.filter((other) => other !== from) }))
  }
  // `Treat the forum as secondary` is about the forum.
  if (treat === 0 && !items.some(isName) && items.some((item, index) => index > 0 && has(item, 'as')))
    return pairs(items.slice(1), text)
  const means = items.findIndex((item) => has(item, 'means') && !has(item, 'about'))
  const isPlain = !items.slice(0, means).some((item) => has(item, 'up', 'down', 'exclude', 'only'))
  return means > 0 && isPlain ? expand(items.slice(0, means), items.slice(means + 1), text) : null
}

/** `k8s as kubernetes and auth as authentication`: a pair begins after the last `and` or comma before its `as`. */
function pairs(items: readonly Item[], text: string): Synonyms[] | null {
  const marks = items.flatMap((item, index) => (has(item, 'as') ? index : []))
  const starts = marks.map((mark, pair) => {
    const before = marks[pair - 1] ?? -1
    const joint = items.findLastIndex(
      (item, index) => index > before && index < mark && (item.isComma || has(item, 'and')),
    )
    return pair === 0 ? 0 : joint < 0 ? mark : joint
  })
  const found = marks.map((mark, pair) =>
    expand(items.slice(starts[pair], mark), items.slice(mark + 1, starts[pair + 1]), text),
  )
  return found.every((each) => each !== null) ? found.flat() : null
}

function expand(from: readonly Item[], to: readonly Item[], text: string): Synonyms[] | null {
  const [froms, tos] = [phrasesOf(from, text), phrasesOf(to, text)]
  if (froms.length === 0 || tos.length === 0) return null
  return froms.map((each) => ({ kind: 'expand_terms', from: each, to: [...tos] }))
}

/** Phrases between `and`, `or` and commas, in lower case, without articles at their start. */
function phrasesOf(items: readonly Item[], text: string): string[] {
  const runs: Item[][] = [[]]
  for (const item of items) {
    const run = runs.at(-1) ?? []
    if (item.isComma || has(item, 'and', 'or')) runs.push([])
    else if (item.isQuoted) runs.push([item], [])
    else if (run.length > 0 || !has(item, 'filler', 'is', 'must', 'about', 'first')) run.push(item)
  }
  const phrases = runs.flatMap(([first, ...rest]) => {
    const last = rest.at(-1)
    if (first === undefined) return []
    return [(last === undefined ? first.key : text.slice(first.start, last.end)).toLowerCase()]
  })
  return [...new Set(phrases)].filter(Boolean)
}
