import { readArguments, type Asked } from './read-arguments.ts'
import {
  has,
  languageOf,
  partOf,
  type Part,
  type Piece,
  taskOf,
  type Task,
  thingOf,
  type Thing,
  valueOf,
} from './read-pieces.ts'

/** The purpose of a tool. `look_up`: one thing by its name. `explain`: a question that the request itself asks. */
export type Purpose =
  | Exclude<Task, 'latest' | 'between' | 'since' | 'version' | 'when'>
  | 'list'
  | 'look_up'
  | 'explain'

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

/** Tasks that decide about the purpose wherever they are, in this order. */
const STRONG = ['issues', 'checklist', 'compare', 'changes', 'schema', 'summary', 'steps'] as const

/** Reads the sentence with the purpose of the tool. Null if no sentence has one. Restrictions are left out before. */
export function readRequest(prompt: string, sentences: readonly (readonly Piece[])[]): Request | null {
  const spans = sentences.map((sentence) => questionSpan(sentence))
  const at = sentences.findIndex((sentence, index) => purposeOf(sentence, spans[index] ?? null) !== null)
  const sentence = sentences[at]
  const span = spans[at] ?? null
  const purpose = sentence === undefined ? null : purposeOf(sentence, span)
  if (sentence === undefined || purpose === null) return null
  const whole = span === null ? sentence : outside(sentence, span)
  const free = purpose === 'compare' ? whole : withoutTitle(prompt, whole)
  const asked = readArguments(prompt, free, purpose === 'compare')
  const things = free.filter((piece) => thingOf(piece) !== null)
  const listed = purpose === 'list' ? listedThing(sentence) : undefined
  const thing = listed ? (thingOf(listed, 'many') ?? thingOf(listed)) : firstThing(asked, things)
  const own = asked.filter((each) => each.thing === null || purpose !== 'list' || each.thing !== thing)
  const owner = fixedOwner(prompt, sentence, listed)
  const noun = listed ?? things[0]
  const tasks = new Set(sentence.flatMap(taskOf))
  const all = sentences.flat()
  return {
    purpose,
    thing,
    asked: own,
    subject: subjectOf(prompt, coreClause(sentence, listed), own, owner),
    owner,
    narrowing: listed === undefined ? [] : narrowingOf(prompt, sentence, listed),
    noun: prompt.slice(noun?.start ?? 0, noun?.end ?? 0),
    question:
      span === null
        ? tasks.has('answer')
          ? ''
          : questionOf(prompt, sentence, own)
        : prompt.slice(span.start, span.end).trim(),
    sides: purpose === 'compare' ? sidesOf(prompt, sentence) : [],
    aspects: purpose === 'compare' ? aspectsOf(prompt, sentence) : [],
    languages: [...new Set(all.flatMap((piece) => valueOf(piece, 'language') ?? []))],
    releases: releasesOf(sentence, own),
    part: sentence.flatMap(partOf)[0] ?? null,
    limit: limitOf(sentence),
    extras: extrasOf(tasks, purpose, thing),
    hasInstruction: sentences.length > 1 || all.some((piece) => has(piece, 'form', 'detail', 'like')),
    givenName: givenNameOf(prompt),
    unread: all.flatMap((piece) => unreadOf(prompt, piece)),
  }
}

type Span = { start: number; end: number }

/** `how to secure a broker`, up to a comma or the end. Null without one, or if it is about any task: `how to do a task`. */
function questionSpan(sentence: readonly Piece[]): Span | null {
  const at = sentence.findIndex((piece) => has(piece, 'howto'))
  const [first, ...after] = at < 0 ? [] : sentence.slice(at)
  if (first === undefined || has(after[0], 'detail') || has(first, 'detail')) return null
  const stop = after.findIndex((piece) => piece.kind === 'comma' || has(piece, 'task steps'))
  const inside = stop < 0 ? after : after.slice(0, stop)
  const isFixed = inside.some((piece) => piece.roles.size === 0) && !inside.some((piece) => has(piece, 'something'))
  return isFixed ? { start: first.start, end: inside.at(-1)?.end ?? first.end } : null
}

const ARTICLE = /\b(?:an?|any|the|some|given|eine?[mnrs]?|une?|un[ao]?|uma?)\s+$/i

/** The sentence up to a comma, with its inputs in plain words as templates. Empty without such an input. */
function questionOf(prompt: string, sentence: readonly Piece[], asked: readonly Asked[]): string {
  const [first] = sentence
  const end = sentence.find((piece) => piece.kind === 'comma')?.start ?? sentence.at(-1)?.end ?? 0
  const inputs = asked.filter((each) => each.isText && each.end <= end)
  if (first === undefined || inputs.length === 0) return ''
  let at = first.start
  const parts = inputs.map((input) => {
    const before = prompt.slice(at, input.start).replace(ARTICLE, '')
    at = input.end
    return `${before}{${input.name}}`
  })
  return (parts.join('') + prompt.slice(at, end)).trim()
}

/** Words of a title: `A glossary tool: …`. */
const MOST_TITLE = 8

/** The sentence behind a title with a colon, if it has something of its own. */
/** The thing that the request is about: the first that it names, if that is an input; else the first input that is one. */
function firstThing(asked: readonly Asked[], things: readonly Piece[]): Thing | null {
  const first = thingOf(things[0])
  return asked.some(({ thing }) => thing === first)
    ? first
    : (asked.find(({ thing }) => thing !== null)?.thing ?? first)
}

function withoutTitle(prompt: string, sentence: readonly Piece[]): readonly Piece[] {
  const at = sentence.findIndex(({ kind, start }) => kind === 'comma' && /[:：]/.test(prompt.charAt(start)))
  const body = sentence.slice(at + 1)
  const isOwn = body.some((piece) => thingOf(piece) !== null || has(piece, 'something', 'a'))
  return at >= 0 && at <= MOST_TITLE && isOwn ? body : sentence
}

function outside(sentence: readonly Piece[], { start, end }: Span): Piece[] {
  return sentence.filter((piece) => piece.end <= start || piece.start >= end)
}

function purposeOf(whole: readonly Piece[], span: Span | null): Purpose | null {
  const sentence = span === null ? whole : outside(whole, span)
  const tasks = new Set(sentence.flatMap(taskOf))
  const things = sentence.filter((piece) => thingOf(piece) !== null)
  const named = things.filter((piece) => thingOf(piece) !== 'page')
  const isOfReleases =
    tasks.has('changes') || tasks.has('since') || tasks.has('between') || (tasks.has('latest') && named.length === 0)
  const opening = sentence.find((piece) => thingOf(piece) !== null || taskOf(piece).some((task) => task !== 'version'))
  if (has(opening, 'task answer') && things.length === 0) return 'answer'
  const strong = STRONG.find((task) => (task === 'changes' ? isOfReleases || isWhen(sentence) : tasks.has(task)))
  if (strong !== undefined) return strong
  const isQuestion = sentence.some(
    (piece) => has(piece, 'something') && /question|frage|pregunt|pergunt|domand|问题|質問/.test(piece.key),
  )
  if (tasks.has('answer') && (isQuestion || things.length === 0)) return 'answer'
  if (span !== null && named.length === 0) return 'explain'
  const first = sentence.find((piece) => has(piece, 'task examples') || thingOf(piece) !== null)
  const isExample = has(first, 'task examples') && (!has(first, 'detail') || named.length === 0)
  const isText = sentence.some((piece) => has(piece, 'something') && !ANYTHING.test(piece.key))
  const isCode = sentence.some((piece) => valueOf(piece, 'language') !== null) && isText && named.length === 0
  if (isExample || isCode || (tasks.has('examples') && things.length === 0)) return 'examples'
  if (isList(sentence)) return 'list'
  if (named.length > 0) return 'look_up'
  if (tasks.has('pages') || things.length > 0) return 'pages'
  if (sentence.some((piece) => has(piece, 'howto'))) return 'steps'
  if (!isText) return sentence.some((piece) => has(piece, 'given')) && hasNoun(sentence) ? 'pages' : null
  return sentence.some(({ key }) => SEARCHES.test(key)) ? 'pages' : 'answer'
}

function hasNoun(sentence: readonly Piece[]): boolean {
  return sentence.some((piece, at) => has(piece, 'a', 'the') && sentence[at + 1]?.roles.size === 0)
}

const ANYTHING = /^(?:something|anything|etwas|quelque chose|algo|qualcosa|某事)$/
const SEARCHES =
  /^(?:search|find|such|finde|durchsuch|cherch|recherch|trouv|busc|encuentr|encontr|procur|pesquis|trov|cerc|查找|搜索|検索|探)/

/** `In which release was an option added?` */
function isWhen(sentence: readonly Piece[]): boolean {
  return (
    sentence.some((piece) => has(piece, 'task when')) &&
    sentence.some((piece) => has(piece, 'task version', 'task changes', 'task when'))
  )
}

/** Pieces between `all` or `list` and the thing. */
const NEAR = 4

function isAll(sentence: readonly Piece[], thing: Piece): boolean {
  const at = sentence.indexOf(thing)
  const isDense = /[\u3041-\u9fff]/.test(thing.key)
  return isDense
    ? sentence.some((piece) => has(piece, 'all', 'list'))
    : sentence.slice(Math.max(0, at - NEAR), at).some((piece) => has(piece, 'all'))
}

/** The thing to list: the one directly after `all`, else the first in the plural. */
function listedThing(sentence: readonly Piece[]): Piece | undefined {
  const things = sentence.filter((piece) => thingOf(piece) !== null)
  const behind = (role: 'all' | 'list') =>
    things.find((piece) => {
      const at = sentence.indexOf(piece)
      const mark = sentence.slice(0, at).findLastIndex((each) => has(each, role))
      return mark >= 0 && at - mark <= NEAR && !sentence.slice(mark, at).some((each) => thingOf(each) !== null)
    })
  const after = behind('all') ?? behind('list')
  const many = things.find((piece) => thingOf(piece, 'many') !== null)
  return after !== undefined && (isDenseKey(after.key) || thingOf(after, 'many') !== null || many === undefined)
    ? after
    : (many ?? things.at(-1))
}

const isDenseKey = (key: string) => /[\u3041-\u9fff]/.test(key)

function narrowingOf(prompt: string, sentence: readonly Piece[], listed: Piece): string[] {
  const at = sentence.indexOf(listed)
  const isPlain = (piece: Piece) => piece.roles.size === 0 && piece.kind === 'word'
  const first = sentence.slice(0, at).findLastIndex((piece) => !isPlain(piece)) + 1
  const about = sentence.findIndex((piece, index) => index > at && has(piece, 'about'))
  const after = about < 0 ? [] : sentence.slice(about + 1).filter(isPlain)
  return [...sentence.slice(first, at), ...after].map(({ start, end }) => prompt.slice(start, end))
}

/** The thing that the listed ones belong to, if the request names it: `of the Python client`. Empty without one. */
function fixedOwner(prompt: string, sentence: readonly Piece[], listed: Piece | undefined): string {
  const at = listed === undefined ? -1 : sentence.indexOf(listed)
  if (at < 0 || !has(sentence[at + 1], 'of') || has(sentence[at + 1], 'about')) return ''
  const rest = sentence.slice(at + 2)
  const stop = rest.findIndex(
    (piece) =>
      piece.kind === 'comma' ||
      has(piece, 'about', 'a', 'list', 'all', 'form') ||
      (has(piece, 'of') && !has(piece, 'the')) ||
      (has(piece, 'detail') && piece.roles.size === 1),
  )
  const noun = (stop < 0 ? rest : rest.slice(0, stop)).filter((piece) => !has(piece, 'the'))
  const last = noun.at(-1)
  const named = last !== undefined && thingOf(last) !== null ? noun.slice(0, -1) : noun
  const isNamed = named.some(
    (piece) => (piece.roles.size === 0 && piece.key !== 'one') || valueOf(piece, 'language') !== null,
  )
  return isNamed ? prompt.slice(named[0]?.start, named.at(-1)?.end) : ''
}

/** True if the sentence asks for all of some things: `every option of a command`, `list the settings about retries`. */
function isList(sentence: readonly Piece[]): boolean {
  const isCore = (piece: Piece) => thingOf(piece) !== null || taskOf(piece).length > 0
  return sentence.some((piece, at) => {
    if (thingOf(piece) === null) return false
    if (isAll(sentence, piece)) return thingOf(piece, 'many') !== null || isDenseKey(piece.key) || isEach(sentence, at)
    if (thingOf(piece, 'many') === null) return false
    const before = sentence.slice(0, at)
    const near = before.slice(-NEAR)
    const mark = near.findLastIndex((each) => has(each, 'list'))
    const isListed = mark >= 0 && !near.slice(mark + 1).some((each) => thingOf(each) !== null || each.kind === 'comma')
    return isListed || (!before.some(isCore) && has(sentence[at + 1], 'about', 'of', 'which'))
  })
}

/** `every option` is all of them, and `each error code` too. */
function isEach(sentence: readonly Piece[], at: number): boolean {
  return sentence
    .slice(Math.max(0, at - 2), at)
    .some((piece) => /^(?:every|each|jede[nrs]?|chaque|cada|ogni)\b/.test(piece.key))
}

function releasesOf(sentence: readonly Piece[], asked: readonly Asked[]): Request['releases'] {
  const any = (...tasks: Task[]) => sentence.some((piece) => tasks.some((task) => has(piece, `task ${task}`)))
  if (any('since')) return 'since'
  if (any('between')) return 'between'
  if (isWhen(sentence)) return 'when'
  if (any('latest')) return 'latest'
  return asked.some(({ name }) => /version|release|rilascio/.test(name)) ? 'version' : 'all'
}

/** `three examples`, `the top 5 pages`: a number before a thing or a task. */
function limitOf(sentence: readonly Piece[]): number | null {
  for (const [at, piece] of sentence.entries()) {
    const number = valueOf(piece, 'number')
    const next = sentence[at + 1]
    if (number !== null && (thingOf(next, 'many') !== null || has(next, 'task examples')))
      return Math.min(10, Number(number))
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

/** The part of the sentence between commas that has the listed thing; else the whole. */
function coreClause(sentence: readonly Piece[], listed: Piece | undefined): Piece[] {
  const at = listed === undefined ? -1 : sentence.indexOf(listed)
  if (at < 0) return [...sentence]
  const from = sentence.slice(0, at).findLastIndex(({ kind }) => kind === 'comma')
  const to = sentence.findIndex(({ kind }, index) => index > at && kind === 'comma')
  return sentence.slice(from + 1, to < 0 ? undefined : to)
}

/** Words that narrow the subject: those that no vocabulary has, outside of the inputs. */
function subjectOf(prompt: string, sentence: readonly Piece[], asked: readonly Asked[], owner: string): string {
  let isExample = false
  const words = sentence.flatMap((piece) => {
    if (piece.kind === 'comma') isExample = false
    else if (has(piece, 'like')) isExample = true
    const isInput = asked.some(({ start, end }) => start <= piece.start && piece.end <= end)
    const isOwn = piece.roles.size === 0 && piece.kind !== 'comma'
    return isOwn && !isInput && !isExample ? [prompt.slice(piece.start, piece.end)] : []
  })
  return [...new Set(words)].filter((word) => !owner.split(' ').includes(word)).join(' ')
}

const JOINT = /^(?:and|with|to|und|mit|et|avec|y|con|e|com|和|与|と)$/

/** The two things of `compare npm install with npm ci` and `Redis versus Memcached`. Empty if callers name them. */
function sidesOf(prompt: string, sentence: readonly Piece[]): string[] {
  const at = sentence.findIndex((piece) => has(piece, 'task compare'))
  const isBetween = /^(?:vs|versus)$/.test(sentence[at]?.key ?? '')
  const rest = sentence.slice(at + 1)
  const joint = isBetween ? 0 : rest.findIndex(({ key }) => JOINT.test(key))
  const right = rest.slice(isBetween ? 0 : joint + 1)
  const stop = right.findIndex((piece) => piece.kind === 'comma' || has(piece, 'of', 'about', 'form', 'task compare'))
  const sides = [isBetween ? sentence.slice(0, at) : rest.slice(0, joint), stop < 0 ? right : right.slice(0, stop)]
  const isFree = (piece: Piece) => has(piece, 'a', 'something', 'given') || valueOf(piece, 'number') !== null
  if (joint < 0 || sides.flat().some(isFree)) return []
  const names = sides.map((side) => {
    const from = side.findIndex((piece) => piece.roles.size === 0 && piece.kind === 'word')
    const to = side.findLastIndex((piece) => thingOf(piece) === null || piece.roles.size === 0)
    return from < 0 ? '' : prompt.slice(side[from]?.start, side[to]?.end)
  })
  return names.every(Boolean) ? names : []
}

/** The list after a colon, or after `by` and `in terms of`: `throughput, what they need, how many brokers`. */
function aspectsOf(prompt: string, sentence: readonly Piece[]): string[] {
  const last = sentence.at(-1)?.end ?? 0
  const colon = sentence.find(({ kind, start }) => kind === 'comma' && /[:：]/.test(prompt.charAt(start)))
  const by = /\b(?:in terms of|with regard to|regarding|by|on|for)\s+(?!its|their|name)/gi
  const marks = [...prompt.slice(sentence[0]?.start ?? 0, last).matchAll(by)]
  const mark = marks.findLast(
    ({ index, 0: text }) => prompt.slice(index + text.length, last).includes(',') || /terms|regard/.test(text),
  )
  const from = colon?.end ?? (mark === undefined ? null : (sentence[0]?.start ?? 0) + mark.index + mark[0].length)
  if (from === null) return []
  const listed = prompt.slice(from, last).split(/,|、|，|;|\band\b|\bund\b|\bet\b|\by\b|\be\b|和/)
  const plain = listed.map((each) =>
    each
      .replace(/^\s*(?:what (?:they|each|it)|how (?:many|much)|the|their|its|which|was sie|wie viele)\s+/i, '')
      .trim(),
  )
  return [...new Set(plain.filter((each) => each !== '' && each.length <= 60))].slice(0, 8)
}

function unreadOf(prompt: string, piece: Piece): Request['unread'] {
  // German writes every noun with a capital.
  const isCapital = languageOf(prompt) !== 'de'
  if (piece.roles.size > 0 || piece.kind !== 'word' || /^\d+$/.test(piece.key)) return []
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
