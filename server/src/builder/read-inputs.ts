import { has, type Item, numberOf } from '#grammar/item.ts'
import type { Thing } from '#grammar/lexicon.ts'
import { fold } from '#grammar/tokenise.ts'
import { codeOf, isPlain, type Span, taskOf, thingOf } from './read-words.ts'

/** An input of the tool: a noun with an indefinite article, or one after `given`. */
export type Asked = Span & {
  /** Name for programs: `error_code`. */
  name: string
  thing: Thing | null
  /** True for a text in plain words, such as a task or a question. */
  isText: boolean
  /** True for the owner of the input before it: `of a client`. */
  isOwner: boolean
  /** Alternatives that the request lists in brackets. */
  choices: string[]
}

/** Words of a noun phrase. */
const MOST_WORDS = 5
/** Words of names that the vocabulary has as filler: `a Django REST framework setting`, `a new setting`. */
const TECHNICAL =
  /^(?:rest|http|api|cli|sdk|command line|command-line|code|code block|framework|product|project|type|name|key|value|language|status)$/
const ADJECTIVE =
  /^(?:strange|odd|unknown|obscure|cryptic|new|old|random|specific|common|confusing|tricky|unfamiliar|user-facing|related|given)$/
/** Words before a noun that is no input. */
const PLACES = /^(?:at|in|with|within|as|like|via|per|into|bei|im|mit|als|dans|avec|en|con|come|como)$/
const OR = /^(?:or|oder|ou|o|或|或者|か)$/

const isVersion = (item: Item | undefined) => has(item, 'task version')
const isAdjective = (item: Item) => has(item, 'filler') && ADJECTIVE.test(item.key)

/** The inputs of a tool. If no noun has an article, the first thing that is named is one. */
export function readInputs(prompt: string, sentence: readonly Item[], isComparison = false): Asked[] {
  const given = givenSpan(sentence)
  const found: Asked[] = []
  const named = new Set<Asked>()
  for (const [at, item] of sentence.entries()) {
    const isGiven = at > given.from && at <= given.to
    const isCounted = isComparison && numberOf(item) !== null
    const isBare =
      has(item, 'something') && !has(sentence[at - 1], 'the') && !found.some((each) => item.end <= each.end)
    const isMarked = has(item, 'a') || isCounted || (isGiven && has(item, 'the', 'which'))
    const noun = isMarked ? nounAfter(sentence, at, isGiven) : isBare ? [item] : []
    const asked = askedOf(prompt, noun, isGiven)
    if (asked === null) continue
    found.push(asked)
    if (noun.some((each) => thingOf(each) !== null)) named.add(asked)
  }
  // Nouns that the tool is given are all of its inputs. Nouns that no vocabulary has are inputs if nothing else is.
  const isIn = ({ start }: Asked) =>
    start >= (sentence[given.from]?.start ?? Infinity) && start < (sentence[given.to]?.start ?? Infinity)
  const explicit = found.filter(isIn)
  const known = found.filter((each) => named.has(each) || each.isText || each.name === 'version')
  const chosen = explicit.length > 0 ? explicit : known.length > 0 ? known : likeliest(found, sentence)
  const inputs = withOwners(chosen, sentence, explicit.length > 0)
  const choices = choicesOf(prompt)
  const [first] = inputs
  if (first && choices.length > 1) first.choices = choices
  // Two inputs need two names: `version`, `version` of `between a version and a version`.
  if (inputs.length > 0) return [...new Map(inputs.map((each) => [each.name, each])).values()]
  // `The isolation rules` are a subject.
  const isSubject = (item: Item, at: number) => thingOf(item, 'one') === null && isPlain(sentence[at - 1])
  const bare = sentence.find((item, at) => thingOf(item) !== null && thingOf(item) !== 'page' && !isSubject(item, at))
  return (bare && [askedOf(prompt, [bare], false) ?? []].flat()) ?? []
}

/** One of several nouns that no vocabulary has. `A cashier reads …` and `… to a curator` are people. */
function likeliest(found: readonly Asked[], sentence: readonly Item[]): Asked[] {
  const isPerson = ({ start }: Asked) => {
    const [to, article] = sentence.filter((item) => item.end <= start).slice(-2)
    return article === undefined || TOLD.test((to ?? article).key)
  }
  return [found.find((each) => !isPerson(each)) ?? found[0] ?? []].flat()
}

/** Words before the people whom a tool is for. */
const TOLD = /^(?:to|for|tell|tells|show|give|help|fur|pour|para|per)$/

/** `given the command and the flag`, up to a comma. Empty behind the sentence without it. */
function givenSpan(sentence: readonly Item[]): { from: number; to: number } {
  const from = sentence.findIndex((item) => has(item, 'given'))
  if (from < 0) return { from: sentence.length, to: sentence.length }
  const stop = sentence.findIndex((item, at) => at > from && item.isComma)
  return { from, to: stop < 0 ? sentence.length : stop }
}

/** The words of a noun phrase after an article. Empty if the noun is a form or a person, such as `a table`. */
function nounAfter(sentence: readonly Item[], at: number, isGiven: boolean): Item[] {
  const noun: Item[] = []
  const isNoun = (item: Item | undefined) => thingOf(item) !== null || has(item, 'something') || isVersion(item)
  for (const [index, item] of sentence.slice(at + 1, at + 1 + MOST_WORDS).entries()) {
    const next = sentence[at + 2 + index]
    // `one of the how-to articles`
    const isKind = taskOf(item).length > 0 && thingOf(next) !== null
    // `an admin setting`, `a message from the screen`
    const isOther = has(item, 'form')
      ? isNoun(next)
      : index === 0 && has(item, 'action') && !has(item, 'make', 'elsewhere')
    const isWord =
      isPlain(item) || codeOf(item) !== undefined || isAdjective(item) || TECHNICAL.test(item.key) || isOther
    if (!isNoun(item) && !isKind && !isWord) break
    noun.push(item)
    // `an error text` is one input.
    if (isNoun(item) && (!has(next, 'something') || has(next, 'a'))) break
  }
  const isTechnical = (item: Item | undefined) => TECHNICAL.test(item?.key ?? '') && thingOf(item) === null
  if (!isGiven) while (isTechnical(noun.at(-1))) noun.pop()
  const [last, next, behind] = [noun.at(-1), ...sentence.slice(at + 1 + noun.length, at + 3 + noun.length)]
  // `a borg create command` is a certain one.
  if (!isNoun(last) && has(next, 'make', 'action') && thingOf(behind) !== null) return []
  // `a pre-flight checklist` is the form of the answer, and `at a time` no input.
  const isForm = (has(next, 'form') || taskOf(next).some((task) => task !== 'version')) && thingOf(next) === null
  if (!isNoun(last) && !isGiven && (isForm || PLACES.test(sentence[at - 1]?.key ?? ''))) return []
  return last !== undefined && isAdjective(last) && thingOf(last) === null ? noun.slice(0, -1) : noun
}

function askedOf(prompt: string, noun: readonly Item[], isGiven: boolean): Asked | null {
  const head =
    noun.findLast((item) => thingOf(item) !== null || isVersion(item)) ??
    noun.findLast((item) => has(item, 'something')) ??
    noun.at(-1)
  const [first] = noun
  if (first === undefined || head === undefined) return null
  const own = thingOf(head)
  // `A payment method` is none of code.
  const isOrdinary = noun.some((item) => item.start < head.start && isPlain(item) && /^\p{Ll}/u.test(item.text))
  const thing = own !== null && CODE.has(own) && isOrdinary ? null : own
  const isText = thing === null && has(head, 'something')
  const isTask = taskOf(head).some((task) => task !== 'version' && task !== 'changes')
  if (thing === null && (has(head, 'form') || (isTask && !isText))) return null
  const name =
    thing ??
    (isVersion(head)
      ? 'version'
      : slug(isText ? textName(head) : prompt.slice(own === thing ? head.start : first.start, head.end)))
  if (name === '' || (isPlain(head) && !isGiven && /^\d/.test(head.key))) return null
  const end = noun.at(-1)?.end ?? head.end
  return { name, thing, isText, isOwner: false, choices: [], start: first.start, end }
}

/** Things of code whose names are ordinary words. */
const CODE: ReadonlySet<Thing> = new Set(['method', 'function', 'class_name'])

/** English names for arguments that other languages name. */
function textName({ key }: Item): string {
  if (/question|frage|pregunt|pergunt|domand|问题|質問/.test(key)) return 'question'
  if (/task|aufgab|tache|tarea|taref|compit|任务|タスク|作業|something|anything|etwas|algo|qualcosa/.test(key))
    return 'task'
  return /^[a-z ]+$/.test(key) && key.length <= 12 ? key.replace(/s$/, '') : 'topic'
}

/** `a class or a method` is one input with two names. One directly after `of`, behind another one, is its owner. */
function withOwners(found: readonly Asked[], sentence: readonly Item[], isGiven: boolean): Asked[] {
  return found.flatMap((each, index) => {
    const before = found[index - 1]
    if (before === undefined) return each
    const between = sentence.filter(({ start, end }) => start >= before.end && end <= each.start)
    if (between.some(({ key }) => OR.test(key))) return []
    const isInside = between.length > 0 && between.every((item) => has(item, 'of', 'a', 'the') && item.key !== 'for')
    return { ...each, isOwner: !isGiven && isInside && before.thing !== null && !each.isText }
  })
}

/** The names of the first list in brackets that has an "or". */
function choicesOf(prompt: string): string[] {
  for (const part of prompt.split('(').slice(1)) {
    const [inside = ''] = part.split(')')
    const names = inside.split(/,| or | oder | ou | o /).map((name) => name.trim().replace(/^or /, ''))
    const isList = / or | oder | ou | o /.test(inside) && names.length > 1
    if (isList && names.every((name) => name !== '' && name.length <= 40 && name.split(' ').length <= 3)) return names
  }
  return []
}

export function slug(text: string): string {
  const ascii = fold(text).replace(/[^a-z0-9]+/g, '_')
  return ascii.replace(/^[_0-9]+/, '').replace(/(?<!_)_+$/, '')
}
