import { type RuleCondition, type RuleEffect, RuleEffectsSchema } from '@docent/contract/values/rule-effects'
import { annotate } from '#grammar/annotate.ts'
import { type Item, has, isName, numberOf } from '#grammar/item.ts'
import { type Lexicons, type Tag, createLexicon } from '#grammar/lexicon.ts'
import type { PlaceNames } from '#grammar/place-names.ts'
import { type NamedSource, sourceNames } from '#grammar/source-names.ts'
import type { Place } from '#grammar/piece-roles.ts'
import { splitClauses } from '#grammar/split-clauses.ts'
import { createTopics } from '#grammar/topics.ts'
import { type Subject, readNames } from '#grammar/read-subjects.ts'
import { type Contradiction, findContradictions, withExceptions } from './find-contradictions.ts'
import { type Context, type Reading, type Span, readClause, spanOf } from './read-clause.ts'
import { readMeanings } from './read-synonyms.ts'

/** What a sentence says. Either all of it has a part in these members, or `unclear` is not empty. */
export type CompiledRule = {
  effects: RuleEffect[]
  /** Parts of the sentence that a rule cannot carry out, as written. */
  removed: string[]
  /** The removed parts that ask for something no rule can do, such as hiding citations. */
  refused: string[]
  isOutOfScope: boolean
  /** Parts that were not understood, as written: the effects alone would not be what the sentence says. */
  unclear: string[]
  /** Names that no source or page of the server has. */
  unknown: string[]
  /** Parts without an effect: reasons, and what a model took for mere wording. */
  reasons: string[]
  /** Parts that ask for more than their effects do: `leave out old pages` only ranks them. */
  weakened: string[]
  /** Effects that contradict each other. A total contradiction is unclear. */
  contradictions: Contradiction[]
  /** Paths that the sentence has, as globs. */
  paths: string[]
}

export type RuleServer = {
  sources: readonly NamedSource[]
  /** The only source that the rule is about, or null. */
  sourceId: string | null
  /** Names of pages; null if none are indexed. */
  places?: PlaceNames | null
}

export type RuleCompiler = (sentence: string, server: RuleServer) => CompiledRule

type Part = { span: Span; role: 'kept' | 'refused' | 'untestable' | 'end' }

/** Creates a compiler of retrieval rules. It has a grammar and no model, and takes time linear to the sentence. */
export function createRuleCompiler(): RuleCompiler {
  // Built on first use: most services never compile a rule.
  let words: { lexicon: Lexicons; topics: ReturnType<typeof createTopics> } | null = null
  return (text, { sources, sourceId, places = null }) => {
    words ??= { lexicon: createLexicon(), topics: createTopics() }
    const { lexicon, topics } = words
    const named = { sources, ownSource: sourceId, places }
    const sentences = annotate(text, { lexicon, names: sourceNames(sources) })
    if (sentences.some(isInstruction)) return refuseAll(sentences, text)
    const read = readSentences(sentences, { text, named, topics })
    const effects = withExceptions(distinct(read.flatMap((one) => one.effects)), sources)
    const textOf = ({ start, end }: Span) => text.slice(start, end)
    const parts = read.flatMap((one) => [...one.parts, END])
    const contradictions = findContradictions([...effects, ...read.flatMap(({ kept }) => kept)], sources)
    const parsed = RuleEffectsSchema.safeParse(effects)
    const isTooMuch = !parsed.success && effects.length > 0
    const unclear = [...read.flatMap((one) => one.unclear.map(textOf)), ...(isTooMuch ? [text] : [])]
    const removed = joinParts(parts, ['refused', 'untestable']).map(textOf)
    return {
      effects: parsed.success ? parsed.data : [],
      removed,
      refused: joinParts(parts, ['refused']).map(textOf),
      isOutOfScope: parts.some(({ role }) => role === 'refused'),
      unclear: [...new Set(unclear)],
      unknown: [...new Set(read.flatMap((one) => one.unknown.map(textOf)))],
      reasons: read.flatMap((one) => one.reasons.map(textOf)),
      weakened: read.flatMap((one) => one.weakened.map(textOf)),
      contradictions,
      paths: [...new Set(sentences.flat().flatMap(({ glob }) => glob ?? []))],
    }
  }
}

const END: Part = { span: { start: 0, end: 0 }, role: 'end' }

/** An attempt to instruct the service spoils the whole text. */
function refuseAll(sentences: readonly (readonly Item[])[], text: string): CompiledRule {
  const removed = sentences.flatMap(spanOf).map(({ start, end }) => text.slice(start, end))
  const nothing = { effects: [], unclear: [], unknown: [], reasons: [], weakened: [], contradictions: [], paths: [] }
  return { ...nothing, removed, refused: removed, isOutOfScope: true }
}

type ReadSentence = {
  /** Conditions for the next sentence. */
  open: Item[][]
  /** What its last clause or its reason names, and the condition of that clause. */
  subjects: readonly Subject[]
  when: RuleCondition | null
  effects: RuleEffect[]
  /** Effects on what must stay as it is. */
  kept: RuleEffect[]
  parts: Part[]
  unclear: Span[]
  unknown: Span[]
  reasons: Span[]
  weakened: Span[]
}

/** Reads sentences in order: `it` can be of the one before. */
function readSentences(sentences: readonly (readonly Item[])[], context: Omit<Context, 'before'>): ReadSentence[] {
  let before: Context['before'] = null
  let lead: Item[][] = []
  return sentences.map((sentence, index) => {
    const read = readSentence(
      sentence,
      { ...context, before },
      { isFirst: index === 0, isOnly: sentences.length === 1, lead },
    )
    lead = read.open
    if (index === sentences.length - 1) read.unclear.push(...lead.flatMap(spanOf))
    const subjects = read.subjects.length > 0 ? read.subjects : (before?.subjects ?? [])
    before = { subjects, strength: null, when: read.when }
    return read
  })
}

function readSentence(
  sentence: readonly Item[],
  context: Context,
  { lead, ...place }: Place & { lead: Item[][] },
): ReadSentence {
  const meanings = readMeanings(sentence, context.text)
  const { clauses, reasons, open } =
    meanings === null ? splitClauses(sentence, place, lead) : { clauses: [], reasons: [], open: lead }
  const read: ReadSentence = {
    open,
    subjects: [],
    when: null,
    effects: meanings ?? [],
    kept: [],
    parts: meanings === null ? [] : spanOf(sentence).map((span): Part => ({ span, role: 'kept' })),
    unclear: [],
    unknown: [],
    reasons: reasons.flatMap(spanOf),
    weakened: [],
  }
  if (meanings !== null) return read
  if (clauses.length === 0 && reasons.length === 0 && !isPolite(sentence)) read.unclear.push(...spanOf(sentence))
  let before: Context['before'] = beforeOf(reasons, context) ?? context.before
  let isChained = false
  for (const clause of clauses) {
    const span = spanOf([...clause.conditions.flat(), ...clause.main].toSorted((a, b) => a.start - b.start))
    const reading: Reading = readClause(clause, { ...context, before })
    if ('effects' in reading) {
      // Of two between the others, the order would be lost.
      const middle: ReadonlySet<string> = isChained ? new Set<string>() : middleOf(before, reading)
      isChained ||= middle.size > 0
      read.effects = [...read.effects, ...reading.effects].filter((effect) => !middle.has(targetOf(effect)))
      read.kept.push(...(reading.kept ?? []))
      if (reading.isWeak) read.weakened.push(...spanOf(clause.main))
      read.parts.push(...span.map((each): Part => ({ span: each, role: 'kept' })))
      read.parts.push(...reading.untestable.map((each): Part => ({ span: each, role: 'untestable' })))
      before = reading
    } else if ('refused' in reading) {
      before = { subjects: [], strength: null, when: null, ...before, isRefused: true }
      read.parts.push(...span.map((each): Part => ({ span: each, role: 'refused' })))
    } else {
      read.unclear.push(...(reading.words.length > 0 ? reading.words : reading.names))
      read.unknown.push(...reading.names)
      read.parts.push(...span.map((each): Part => ({ span: each, role: 'kept' })))
    }
  }
  return { ...read, subjects: before?.subjects ?? [], when: before?.when ?? null }
}

/** `A over B, and B over C`: B stays between the others. */
function middleOf(
  before: Context['before'],
  { subjects }: Pick<Extract<Reading, { effects: unknown }>, 'subjects'>,
): ReadonlySet<string> {
  const flipped = (of: readonly Subject[], is: boolean) => of.filter((each) => each.flipped === is).map(nameOf)
  const lower = new Set(flipped(before?.subjects ?? [], true))
  const isChain = flipped(subjects, true).some((name) => !flipped(before?.subjects ?? [], false).includes(name))
  return new Set(isChain ? flipped(subjects, false).filter((name) => lower.has(name)) : [])
}

const nameOf = (subject: Subject): string =>
  subject.of === 'source' ? (subject.sourceId ?? '') : subject.of === 'path' ? subject.glob : ''

const targetOf = (effect: RuleEffect): string =>
  'sourceId' in effect ? (effect.sourceId ?? '-') : 'glob' in effect ? effect.glob : '-'

const isPolite = (sentence: readonly Item[]): boolean =>
  sentence.every((item) => item.isComma || has(item, 'polite', 'filler'))

/** `The manual is outdated, so avoid it`: what a reason before the request names. */
function beforeOf(reasons: readonly (readonly Item[])[], { named }: Pick<Context, 'named'>): Context['before'] {
  const subjects = reasons.flatMap((items) => {
    const names = readNames(items, named)
    // `The showcase of 2023` is not the whole showcase.
    const isWhole = items.every((item) => names.used.has(item) || numberOf(item) === null)
    return isWhole ? names.subjects.filter(({ of }) => of !== 'recent') : []
  })
  return subjects.length > 0 ? { subjects, strength: null, when: null } : null
}

const distinct = (effects: readonly RuleEffect[]): RuleEffect[] => [
  ...new Map(effects.map((effect) => [JSON.stringify(effect), effect])).values(),
]

/** Spans of these roles. Neighbours become one. */
function joinParts(parts: readonly Part[], roles: readonly Part['role'][]): Span[] {
  const spans: Span[] = []
  for (const [index, { span, role }] of parts.entries()) {
    if (!roles.includes(role)) continue
    const isNext = roles.includes(parts[index - 1]?.role ?? 'end')
    const last = isNext ? spans.at(-1) : undefined
    if (last && last.end <= span.start) last.end = span.end
    else spans.push({ ...span })
  }
  return spans
}

/**
 * True if a sentence tries to instruct the service: to ignore its instructions, to take another role without limits, or
 * to give away secrets. Such a sentence is refused as a whole, whatever else it asks for. A topic of a condition does
 * not count: `when asked about API keys`.
 */
function isInstruction(sentence: readonly Item[]): boolean {
  const from = sentence.findIndex((item) => has(item, 'when', 'when_asked'))
  const items = sentence.filter(
    (item, index) => !item.isQuoted && (from < 0 || index < from || hasEnd(sentence.slice(from, index))),
  )
  const any = (tag: Tag) => items.some((item) => has(item, tag))
  if (any('hostile') || (SPEAKERS.has(sentence[0]?.key ?? '') && sentence[1]?.text === ':')) return true
  // `the rules page` and `the API key page` are names.
  const isMeant = (tag: Tag) => items.some((item, index) => has(item, tag) && !isNoun(items[index + 1]))
  return (any('override') && isMeant('directive')) || (any('disclose') && isMeant('secret'))
}

const isNoun = (item: Item | undefined): boolean =>
  item !== undefined && (isName(item) || has(item, 'generic', 'folder', 'section'))

/** Whose words a text pretends to be: `SYSTEM: …`. */
const SPEAKERS: ReadonlySet<string> = new Set(['system', 'assistant', 'developer', 'user', 'admin'])

/** A condition ends at a comma, or with its closing word. */
const hasEnd = (items: readonly Item[]): boolean => items.some((item) => item.isComma || has(item, 'when_end'))
