import { readArguments, type Asked } from './read-arguments.ts'
import {
  aspectsOf,
  coreClause,
  fixedOwner,
  listMark,
  narrowingOf,
  questionOf,
  sidesOf,
  subjectOf,
} from './read-phrases.ts'
import { has, type Item, numberOf } from '#grammar/item.ts'
import type { Part, Task, Thing } from '#grammar/lexicon.ts'
import { codeOf, isPlain, lexiconOf, partOf, taskOf, thingOf } from './read-words.ts'
import { isWhen, listedThing, outside, type Purpose, purposeOf, questionSpan } from './read-purpose.ts'

/** A request for a tool, as read by the rule-based designer. */
export type Request = {
  purpose: Purpose
  /** The thing that the tool looks up or lists, or null. */
  thing: Thing | null
  /** Inputs of the tool, in the order of the request. */
  asked: Asked[]
  /** Words of the request that narrow its subject, as written. */
  subject: string
  /** The thing to which listed ones belong, if the request names it. */
  owner: string
  /** Words that the listed things must have: those before them, and those after `about`. */
  narrowing: string[]
  /** The listed or searched things, as written: `guides`. */
  noun: string
  /** The question that the request asks itself, with its inputs in braces: `Which backend fits {workload}?` */
  question: string
  /** The two things to compare, if the request names them. */
  sides: string[]
  /** Properties to compare, as written. */
  aspects: string[]
  /** Languages of code that the request names. */
  languages: string[]
  /** Releases: the newest, between two versions, since a day, of one version, or all. */
  releases: 'latest' | 'between' | 'since' | 'version' | 'when' | 'all'
  part: Part | null
  /** Number of results that the request names. */
  limit: number | null
  /** Other things to add for each result. */
  extras: ('examples' | 'issues')[]
  /** Words on form, length and tone, and others that no search can follow. */
  hasInstruction: boolean
  /** Name that the request gives the tool, as `explain_rule(name)` or `explain_rule: …`. */
  givenName: string | null
  /** Words that no vocabulary has, with those that can be proper names. */
  unread: { key: string; text: string; isName: boolean }[]
}

/** Reads the sentence with the purpose of the tool. Null if no sentence has one. Restrictions are left out before. */
export function readRequest(prompt: string, sentences: readonly (readonly Item[])[]): Request | null {
  const spans = sentences.map((sentence) => questionSpan(sentence))
  const at = sentences.findIndex((sentence, index) => purposeOf(sentence, spans[index] ?? null) !== null)
  const sentence = sentences[at]
  const span = spans[at] ?? null
  const purpose = sentence === undefined ? null : purposeOf(sentence, span)
  if (sentence === undefined || purpose === null) return null
  const whole = span === null ? sentence : outside(sentence, span)
  const free = purpose === 'compare' ? whole : withoutTitle(prompt, whole)
  // `What does a switch do? The caller says which command and which switch.`
  const told = sentences.find((each, index) => index !== at && each.some((item) => has(item, 'given')))
  const read = readArguments(prompt, free, purpose === 'compare')
  const inputs = told === undefined ? [] : readArguments(prompt, told).filter(({ thing }) => thing !== null)
  const asked = inputs.length > read.length ? inputs : read
  const things = free.filter((piece) => thingOf(piece) !== null)
  const listed = purpose === 'list' ? listedThing(sentence) : undefined
  const thing = listed ? (thingOf(listed, 'many') ?? thingOf(listed)) : firstThing(asked, things)
  // `steps for a backup that fails`: a noun that no vocabulary has is what the guide is about.
  const isOfGuide = (purpose === 'steps' || purpose === 'checklist') && told === undefined
  const others = asked.filter((each) =>
    each.thing === null || (isOfGuide && each.thing === 'page')
      ? !isOfGuide || each.isText || each.name === 'version'
      : purpose !== 'list' || each.thing !== thing,
  )
  const lookedUp = purpose === 'look_up' ? things.find((piece) => thingOf(piece) === thing) : undefined
  const mark = lookedUp ? ownerMark(sentence, lookedUp) : listMark(sentence, listed)
  const owner = fixedOwner(prompt, sentence, mark)
  const noun = listed ?? things[0]
  const tasks = new Set(sentence.flatMap(taskOf))
  const all = sentences.flat()
  return {
    purpose,
    thing,
    asked: others,
    subject:
      subjectOf(coreClause(sentence, listed), others, owner) || (others.length > 0 ? '' : nounOf(sentence, purpose)),
    owner,
    narrowing: listed === undefined ? [] : narrowingOf(prompt, sentence, listed),
    noun: prompt.slice(noun?.start ?? 0, noun?.end ?? 0),
    question:
      span === null
        ? tasks.has('answer')
          ? ''
          : questionOf(prompt, sentence, others)
        : prompt.slice(span.start, span.end).trim(),
    sides: purpose === 'compare' ? sidesOf(prompt, sentence) : [],
    aspects: purpose === 'compare' ? aspectsOf(prompt, sentence) : [],
    languages: [...new Set(all.flatMap((piece) => codeOf(piece) ?? []))],
    releases: releasesOf(sentence, others),
    part: sentence.flatMap(partOf)[0] ?? null,
    limit: limitOf(sentence),
    extras: extrasOf(tasks, purpose, thing),
    hasInstruction: sentences.length > 1 || all.some((piece) => has(piece, 'form', 'detail', 'like')),
    givenName: givenNameOf(prompt),
    unread: all.flatMap((piece) => unreadOf(prompt, piece)),
  }
}

/**
 * The preposition before the named thing that a looked-up one belongs to: `an option of git commit`, `exists in borg
 * create`. -1 without one, as in `a code in the log` and `a setting of the broker`.
 */
function ownerMark(sentence: readonly Item[], thing: Item): number {
  const at = sentence.indexOf(thing)
  const isWord = (piece: Item | undefined) => isPlain(piece) || has(piece, 'make', 'action')
  const isOf = GENITIVE.test(sentence[at + 1]?.key ?? '') && !has(sentence[at + 2], 'the', 'a')
  if (at < 0 || isOf) return isOf ? at + 1 : -1
  const mark = [at + 1, at + 2].find((index) => INSIDE.test(sentence[index]?.key ?? '')) ?? -1
  return mark > 0 && isPlain(sentence[mark + 1]) && isWord(sentence[mark + 2]) ? mark : -1
}

const GENITIVE = /^(?:of|von|vom|des|der|de|du|d'|del|do|da|di|della|dello|dell')$/
const INSIDE = /^(?:in|en|em|dans)$/

/** Words of a title: `A glossary tool: …`. */
const MOST_TITLE = 8

/** The thing that the request is about: the first that it names, if that is an input; else the first input that is one. */
function firstThing(asked: readonly Asked[], things: readonly Item[]): Thing | null {
  const first = thingOf(things[0])
  return asked.some(({ thing }) => thing === first)
    ? first
    : (asked.find(({ thing }) => thing !== null)?.thing ?? first)
}

/** The sentence behind a title with a colon, if it has something of its own. */
function withoutTitle(prompt: string, sentence: readonly Item[]): readonly Item[] {
  const at = sentence.findIndex(({ isComma, start }) => isComma && /[:：]/.test(prompt.charAt(start)))
  const body = sentence.slice(at + 1)
  // `Tell me everything about a command: …` is no title.
  if (TOLD.test(sentence[0]?.key ?? '')) return sentence
  const isOwn = body.some((piece) => thingOf(piece) !== null || has(piece, 'something', 'a'))
  return at >= 0 && at <= MOST_TITLE && isOwn ? body : sentence
}

/** The noun of `summarise the quickstart`, which is a task too. */
function nounOf(sentence: readonly Item[], purpose: Purpose): string {
  const [first, ...others] =
    purpose === 'summary' ? sentence.slice(sentence.findIndex((piece) => has(piece, 'the')) + 1) : []
  return first && others.length === 0 ? first.text : ''
}

const TOLD = /^(?:tell|give|show|explain|describe|list|find|look up|get|return|summari[sz]e|compare)\b/

function releasesOf(sentence: readonly Item[], asked: readonly Asked[]): Request['releases'] {
  const any = (...tasks: Task[]) => sentence.some((piece) => tasks.some((task) => has(piece, `task ${task}`)))
  if (any('since')) return 'since'
  if (any('between')) return 'between'
  if (isWhen(sentence)) return 'when'
  if (any('latest')) return 'latest'
  return asked.some(({ name }) => /version|release|rilascio/.test(name)) ? 'version' : 'all'
}

/** `three examples`, `the top 5 pages`: a number before a thing or a task. */
function limitOf(sentence: readonly Item[]): number | null {
  for (const [at, piece] of sentence.entries()) {
    const number = numberOf(piece)
    const next = sentence[at + 1]
    if (number !== null && (thingOf(next, 'many') !== null || has(next, 'task examples'))) return Math.min(10, number)
  }
  return null
}

function extrasOf(tasks: ReadonlySet<Task>, purpose: Purpose, thing: Thing | null): Request['extras'] {
  const isNamed = purpose === 'look_up' && thing !== 'endpoint' && thing !== 'object'
  return [
    ...(isNamed && tasks.has('examples') ? (['examples'] as const) : []),
    ...(isNamed && tasks.has('issues') ? (['issues'] as const) : []),
  ]
}

function unreadOf(prompt: string, piece: Item): Request['unread'] {
  // German writes every noun with a capital.
  const isCapital = lexiconOf(prompt).language !== 'de'
  if (!isPlain(piece)) return []
  const text = prompt.slice(piece.start, piece.end)
  const before = prompt.slice(0, piece.start).trimEnd().at(-1) ?? '.'
  const isName =
    /\p{Ll}\p{Lu}|^\p{Lu}\p{Lu}/u.test(text) || (isCapital && /^\p{Lu}/u.test(text) && !'.!?:“"('.includes(before))
  return [{ key: piece.key, text, isName }]
}

/** `explain_rule(name)` or `explain_rule: …` at the start. */
function givenNameOf(prompt: string): string | null {
  const [, name = ''] = /^\s?([a-z][a-z0-9_]{2,40}) ?[(:]/.exec(prompt) ?? []
  return name.includes('_') ? name.replaceAll(/__+/g, '_').replace(/(?<!_)_$/, '') : null
}
