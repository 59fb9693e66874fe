import { has, type Item, numberOf, splitAt } from '#grammar/item.ts'
import type { Part, Task, Thing } from '#grammar/lexicon.ts'
import { aspectsOf, sidesOf } from './read-comparison.ts'
import { type Asked, readInputs } from './read-inputs.ts'
import { isBetween, isWhen, listedThing, outside, type Purpose, purposeOf, questionSpan } from './read-purpose.ts'
import {
  codeOf,
  isColon,
  isContent,
  isDenseWord,
  isNamedContent,
  isPlain,
  lexiconOf,
  partOf,
  taskOf,
  thingOf,
} from './read-words.ts'

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
  /** The things to compare, if the request names them, and their properties. */
  sides: string[]
  aspects: string[]
  /** Languages of code that the request names, and those that it leaves out. */
  languages: string[]
  avoided: string[]
  /** Releases: the newest, between two versions, since a day, from a version on, of one version, or all. */
  releases: 'latest' | 'between' | 'since' | 'from' | 'version' | 'when' | 'all'
  part: Part | null
  /** Number of results that the request names. */
  limit: number | null
  /** Other things to add for each result. */
  extras: ('examples' | 'issues')[]
  /** Name that the request gives the tool, as `explain_rule(name)` or `explain_rule: …`. */
  givenName: string | null
  /** Words that no vocabulary has, with those that can be proper names. */
  unread: { key: string; text: string; isName: boolean }[]
}

type Sentence = readonly Item[]

const NO =
  /^(?:not|no|never|nothing|none|without|except|avoid|skip|nicht|nie|kein[ens]?|ohne|sans|pas|jamais|sin|nunca|sem|nem|nao|senza|mai|non|不要|不|ない)$/
const IF = /^(?:if|wenn|falls|si|se)$/

/** The languages of code: `only Python, nothing in Java`. */
function languagesOf(items: Sentence): Pick<Request, 'languages' | 'avoided'> {
  const found = splitAt(items, (item) => item.isComma || item.key === 'but').flatMap((part) => {
    const no = part.some(({ key }) => IF.test(key)) ? -1 : part.findIndex(({ key }) => NO.test(key))
    return part.flatMap((item, at) => {
      const code = codeOf(item)
      return code === undefined ? [] : { code, isOut: no >= 0 && no < at }
    })
  })
  const of = (isOut: boolean) => [...new Set(found.flatMap((each) => (each.isOut === isOut ? each.code : [])))]
  return { languages: of(false), avoided: of(true) }
}

/** Reads the sentence with the purpose of the tool. Null if no sentence has one. Restrictions are left out before. */
export function readRequest(prompt: string, sentences: readonly Sentence[]): Request | null {
  const spanOf = (items: Sentence) => questionSpan(items, 'howto')
  const at = sentences.findIndex((items) => purposeOf(items, spanOf(items)) !== null)
  const sentence = sentences[at]
  const purpose = sentence === undefined ? null : purposeOf(sentence, spanOf(sentence))
  if (sentence === undefined || purpose === null) return null
  const span = spanOf(sentence)
  const whole = span === null ? sentence : outside(sentence, span)
  const free = purpose === 'compare' ? whole : withoutTitle(prompt, whole)
  const asked = inputsOf(prompt, { free, purpose, others: sentences.toSpliced(at, 1) })
  const isOrdinary = (item: Item) => asked.some((each) => each.thing === null && !each.isText && isWithin(item, each))
  const things = free.filter((item) => thingOf(item) !== null && !isOrdinary(item))
  const listed = purpose === 'list' ? listedThing(sentence) : undefined
  const thing = listed ? (thingOf(listed, 'many') ?? thingOf(listed)) : firstThing(asked, things)
  const inputs = listed ? asked.filter((each) => each.thing === null || each.thing !== thing) : asked
  const looked = purpose === 'look_up' ? things.find((item) => thingOf(item) === thing) : listed
  const owner = ownerOf(prompt, sentence, looked, listed !== undefined)
  const noun = listed ?? things[0]
  const tasks = new Set(sentence.flatMap(taskOf))
  const all = sentences.flat()
  const isNamed = purpose === 'look_up' && thing !== 'endpoint' && thing !== 'object'
  return {
    purpose,
    thing,
    asked: inputs,
    subject: subjectOf(clauseOf(sentence, listed), inputs, owner) || nounOf(sentence, purpose, inputs),
    owner,
    narrowing: listed === undefined ? [] : narrowingOf(prompt, sentence, listed),
    noun: prompt.slice(noun?.start ?? 0, noun?.end ?? 0),
    question: questionOf(prompt, sentence, { purpose, asked: inputs, tasks }),
    sides: purpose === 'compare' ? sidesOf(prompt, sentence) : [],
    aspects: purpose === 'compare' ? aspectsOf(prompt, sentence) : [],
    ...languagesOf(all),
    releases: releasesOf(sentence, inputs),
    part: sentence.flatMap(partOf)[0] ?? null,
    limit: limitOf(sentence),
    extras: isNamed ? (['examples', 'issues'] as const).filter((extra) => tasks.has(extra)) : [],
    givenName: givenNameOf(prompt),
    unread: all.flatMap((item) => unreadOf(prompt, item)),
  }
}

type Given = { free: Sentence; purpose: Purpose; others: readonly Sentence[] }

/** The inputs of the request. Another sentence can name them: `The caller says which command and which switch.` */
function inputsOf(prompt: string, { free, purpose, others }: Given): Asked[] {
  const told = others.find((items) => items.some((item) => has(item, 'given')))
  const read = readInputs(prompt, free, purpose === 'compare')
  const more = told === undefined ? [] : readInputs(prompt, told).filter(({ thing }) => thing !== null)
  const asked = more.length > read.length ? more : read
  // `steps for a backup that fails`: a noun that no vocabulary has is what the guide is about.
  const isOfGuide = (purpose === 'steps' || purpose === 'checklist') && told === undefined
  const isGuide = ({ thing, isText, name }: Asked) =>
    (thing === null && !isText && name !== 'version') || thing === 'page'
  return isOfGuide ? asked.filter((each) => !isGuide(each)) : asked
}

const isWithin = (item: Item, { start, end }: Asked): boolean => start <= item.start && item.end <= end

/** The thing that the request is about: the first that it names, if that is an input; else the first input that is one. */
function firstThing(asked: readonly Asked[], things: readonly Item[]): Thing | null {
  const first = thingOf(things[0])
  return asked.some(({ thing }) => thing === first)
    ? first
    : (asked.find(({ thing }) => thing !== null)?.thing ?? first)
}

/** Words of a title: `A glossary tool: …`, unlike `Tell me everything about a command: …`. */
const MOST_TITLE = 8
const TOLD = /^(?:tell|give|show|explain|describe|list|find|look up|get|return|summari[sz]e|compare)\b/

/** The sentence behind a title with a colon, if it has something of its own. */
function withoutTitle(prompt: string, sentence: Sentence): Sentence {
  const at = sentence.findIndex((item) => isColon(prompt, item))
  const body = sentence.slice(at + 1)
  const isAsked = sentence.slice(0, at).some((item) => has(item, 'given'))
  const isOwn = !isAsked && body.some((item) => thingOf(item) !== null || has(item, 'something', 'a'))
  return at >= 0 && at <= MOST_TITLE && isOwn && !TOLD.test(sentence[0]?.key ?? '') ? body : sentence
}

const WITH = /^(?:with|together with|along with|including|mit|avec|con|com)$/
const HAS = /^(?:does|do|has|hat|a|tiene|tem|ha)$/
const GENITIVE = /^(?:of|von|vom|des|der|de|du|d'|del|do|da|di|della|dello|dell')$/
const INSIDE = /^(?:in|en|em|dans)$/

/**
 * The thing to which a listed one or a looked-up one belongs: `options of borg create`, `what options does borg create
 * have`, `an option exists in borg create`. Empty without one, as in `a code in the log` and `a setting of the broker`.
 */
function ownerOf(prompt: string, sentence: Sentence, thing: Item | undefined, isListed: boolean): string {
  const at = thing === undefined || isDenseWord(thing) ? -1 : sentence.indexOf(thing)
  if (at < 0) return ''
  const key = (index: number) => sentence[index]?.key ?? ''
  const [next, behind] = [sentence[at + 1], sentence[at + 2]]
  const isOf = isListed
    ? has(next, 'of') && !has(next, 'about')
    : GENITIVE.test(key(at + 1)) && !has(behind, 'the', 'a')
  const isHad = HAS.test(key(at + 1)) && isPlain(behind)
  const inside = [at + 1, at + 2].find((index) => INSIDE.test(key(index)) && isPlain(sentence[index + 1]))
  const isInside = inside !== undefined && sentence[inside + 2] !== undefined && isContent(sentence[inside + 2] as Item)
  const from = isOf || isHad ? at + 2 : isInside ? inside + 1 : -1
  return from < 0
    ? ''
    : runAt(
        prompt,
        sentence.slice(from).filter((item) => !has(item, 'the')),
      )
}

/** The words of the content with which items begin. A verb can be the second one: `borg list`. */
function runAt(prompt: string, items: Sentence): string {
  const end = items.findIndex(
    (item, at) => !isContent(item) && codeOf(item) === undefined && !(at === 1 && item.key === 'list'),
  )
  const run = end < 0 ? items : items.slice(0, end)
  return run.some((item) => (isPlain(item) && item.key !== 'one') || codeOf(item))
    ? prompt.slice(run[0]?.start, run.at(-1)?.end)
    : ''
}

function narrowingOf(prompt: string, sentence: Sentence, listed: Item): string[] {
  const at = sentence.indexOf(listed)
  const first = sentence.slice(0, at).findLastIndex((item) => !isPlain(item)) + 1
  const about = sentence.findIndex((item, index) => index > at && has(item, 'about'))
  const after = about < 0 ? [] : sentence.slice(about + 1).filter(isPlain)
  return [...sentence.slice(first, at), ...after].map(({ start, end }) => prompt.slice(start, end))
}

/** The part of the sentence between commas that has the listed thing; else the whole. */
function clauseOf(sentence: Sentence, listed: Item | undefined): Sentence {
  const clause = splitAt(sentence, ({ isComma }) => isComma).find((part) => part.some((item) => item === listed))
  if (listed === undefined || clause === undefined) return sentence
  // `with method and path` are columns, `with retries` is none.
  const at = clause.findIndex((item, index) => index > clause.indexOf(listed) && WITH.test(item.key))
  const isColumns =
    at >= 0 && clause.slice(at + 1).some((item) => thingOf(item) !== null || has(item, 'detail', 'form'))
  return isColumns ? clause.slice(0, at) : clause
}

/** Words that narrow the subject: those that no vocabulary has, outside of the inputs and the owner. */
function subjectOf(sentence: Sentence, asked: readonly Asked[], owner: string): string {
  const isInput = (item: Item) => asked.some((each) => isWithin(item, each))
  // `borg create` is a name, whose second word can be a verb.
  const isWord = (item: Item, at: number) =>
    isPlain(item) ||
    isNamedContent(item, sentence[at - 1]) ||
    (isPlain(sentence[at - 1]) && has(item, 'make', 'action'))
  const words = sentence.flatMap((item, at) => (isWord(item, at) && !isInput(item) ? item.text : []))
  return [...new Set(words)].filter((word) => !owner.split(' ').includes(word)).join(' ')
}

/** The noun of `summarise the quickstart`, which is a task too. */
function nounOf(sentence: Sentence, purpose: Purpose, asked: readonly Asked[]): string {
  const isOpen = (purpose !== 'summary' && purpose !== 'pages') || asked.length > 0
  const [clause = []] = splitAt(sentence, ({ isComma }) => isComma)
  const [first, ...more] = isOpen ? [] : clause.slice(clause.findIndex((item) => has(item, 'the')) + 1)
  return first && more.length === 0 ? first.text : ''
}

const ARTICLE = /\b(?:an?|any|the|some|given|eine?[mnrs]?|une?|un[ao]?|uma?)\s+$/i

/** The question of the request, with its inputs in plain words as templates. Empty if callers ask it. */
function questionOf(
  prompt: string,
  sentence: Sentence,
  { purpose, asked, tasks }: Pick<Request, 'purpose' | 'asked'> & { tasks: ReadonlySet<Task> },
): string {
  if (purpose !== 'explain' && (purpose !== 'answer' || tasks.has('answer'))) return ''
  const own = (['howto', 'ask', 'advise'] as const)
    .map((role) => questionSpan(sentence, role))
    .find((span) => span !== null)
  const inputs = asked.filter(({ isText }) => isText)
  if (purpose === 'answer' && inputs.length === 0) return ''
  const first = sentence[0]?.start ?? 0
  const last = sentence.at(-1)?.end ?? 0
  // `What limits are there, and how do I raise them?` is one question.
  const isWhole = own && outside(sentence, own).some(isContent)
  const comma = sentence.find(({ isComma }) => isComma)?.start ?? last
  const { start, end } =
    purpose === 'answer' || !own ? { start: first, end: comma } : isWhole ? { start: first, end: last } : own
  let at = start
  const parts = inputs.flatMap((input) => {
    if (input.start < at || input.end > end) return []
    const before = prompt.slice(at, input.start).replace(ARTICLE, '')
    at = input.end
    return `${before}{${input.name}}`
  })
  return (parts.join('') + prompt.slice(at, end)).trim()
}

const NEWEST = /^(?:newest|latest|neueste[nrs]?|derniere?|ultim[ao])$/

function releasesOf(sentence: Sentence, asked: readonly Asked[]): Request['releases'] {
  const any = (task: Task) => sentence.some((item) => has(item, `task ${task}`))
  if (any('since')) return 'since'
  if (any('between') || isBetween(sentence)) return 'between'
  if (any('from')) return 'from'
  if (isWhen(sentence)) return 'when'
  if (any('latest') || sentence.some(({ key }) => NEWEST.test(key))) return 'latest'
  return asked.some(({ name }) => /version|release|rilascio/.test(name)) ? 'version' : 'all'
}

/** `three examples`, `the top 5 pages`: a number before a thing or a task. */
function limitOf(sentence: Sentence): number | null {
  const at = sentence.findIndex((item, index) => {
    const next = sentence[index + 1]
    return numberOf(item) !== null && (thingOf(next, 'many') !== null || has(next, 'task examples'))
  })
  const number = numberOf(sentence[at])
  return number === null ? null : Math.min(10, number)
}

function unreadOf(prompt: string, item: Item): Request['unread'] {
  if (!isPlain(item)) return []
  const { key, text, start } = item
  // German writes every noun with a capital.
  const isCapital = lexiconOf(prompt).language !== 'de' && /^\p{Lu}/u.test(text)
  const before = prompt.slice(0, start).trimEnd().at(-1) ?? '.'
  return [{ key, text, isName: /\p{Ll}\p{Lu}|^\p{Lu}\p{Lu}/u.test(text) || (isCapital && !'.!?:“"('.includes(before)) }]
}

/** `explain_rule(name)` or `explain_rule: …` at the start. */
function givenNameOf(prompt: string): string | null {
  const [, name = ''] = /^\s?([a-z][a-z0-9_]{2,40}) ?[(:]/.exec(prompt) ?? []
  return name.includes('_') ? name.replaceAll(/__+/g, '_').replace(/(?<!_)_$/, '') : null
}
