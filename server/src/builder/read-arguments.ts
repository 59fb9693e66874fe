import { fold } from '#grammar/tokenise.ts'
import { has, type Item, numberOf } from '#grammar/item.ts'
import type { Thing } from '#grammar/lexicon.ts'
import { codeOf, isPlain, taskOf, thingOf } from './read-words.ts'

/** An input of the tool: a noun with an indefinite article, or one after `given`. */
export type Asked = {
  /** Name for programs: `error_code`. */
  name: string
  thing: Thing | null
  /** True for a text in plain words, such as a task or a question. */
  isText: boolean
  /** True for the owner of the input before it: `of a client`. */
  isOwner: boolean
  /** Alternatives that the request lists in brackets. */
  choices: string[]
  start: number
  end: number
}

/** Words of a noun phrase. */
const MOST_WORDS = 5
/** Words of names that the vocabulary has as filler: `a Django REST framework setting`. */
const TECHNICAL =
  /^(?:rest|http|api|cli|sdk|command line|command-line|code|code block|framework|product|project|type|name|key|value|language|status)$/

/** The inputs of a tool. If no noun has an article, the first thing that is named is one. */
export function readArguments(prompt: string, sentence: readonly Item[], isComparison = false): Asked[] {
  const found: Asked[] = []
  const given = givenSpan(sentence)
  for (const [at, piece] of sentence.entries()) {
    const isGiven = given !== null && at > given.from && at <= given.to
    const isCounted = isComparison && numberOf(piece) !== null
    const isMarked = has(piece, 'a') || isCounted || (isGiven && has(piece, 'the', 'which'))
    const noun = isMarked
      ? nounAfter(sentence, at, isGiven)
      : has(piece, 'something') && !isInside(found, piece) && !has(sentence[at - 1], 'the')
        ? [piece]
        : []
    const asked = noun.length === 0 ? null : askedOf(prompt, noun, isGiven)
    if (asked !== null) found.push(asked)
  }
  // Nouns that the tool is given are all of its inputs.
  const explicit = found.filter(
    ({ start }) =>
      start >= (sentence[given?.from ?? -1]?.start ?? Infinity) &&
      start < (sentence[given?.to ?? 0]?.start ?? Infinity),
  )
  const joined = withoutAlternatives(explicit.length > 0 ? explicit : likely(found), sentence)
  const choices = choicesOf(prompt)
  const [first] = joined
  if (first && choices.length > 1) first.choices = choices
  if (joined.length > 0) return different(withOwners(joined, sentence, explicit.length > 0))
  const bare = sentence.find((piece) => thingOf(piece) !== null && thingOf(piece) !== 'page')
  const only = bare ? askedOf(prompt, [bare], false) : null
  return only === null ? [] : [only]
}

/** Nouns that no vocabulary has are inputs if there is nothing better, and then the first of them is. */
function likely(found: readonly Asked[]): Asked[] {
  const known = found.filter(({ thing, isText, name }) => thing !== null || isText || name === 'version')
  return known.length > 0 ? known : found.slice(0, 1)
}

function isInside(found: readonly Asked[], { start, end }: Item): boolean {
  return found.some((each) => each.start <= start && end <= each.end)
}

/** `given the command and the flag`, up to a comma. */
function givenSpan(sentence: readonly Item[]): { from: number; to: number } | null {
  const from = sentence.findIndex((piece) => has(piece, 'given'))
  if (from < 0) return null
  const stop = sentence.findIndex((piece, at) => at > from && piece.isComma)
  return { from, to: stop < 0 ? sentence.length : stop }
}

/** Words before a noun that is no input. */
const PLACES = /^(?:at|in|with|within|as|like|via|per|into|bei|im|mit|als|dans|avec|en|con|come|como)$/

/** The words of a noun phrase after an article. Empty if the noun is a form or a person, such as `a table`. */
function nounAfter(sentence: readonly Item[], at: number, isGiven: boolean): Item[] {
  const noun: Item[] = []
  for (const piece of sentence.slice(at + 1, at + 1 + MOST_WORDS)) {
    const isNoun = thingOf(piece) !== null || has(piece, 'something') || isVersion(piece)
    const isLanguage = codeOf(piece) !== undefined
    // `one of the how-to articles`
    const isKind = taskOf(piece).length > 0 && thingOf(sentence[sentence.indexOf(piece) + 1]) !== null
    if (!isNoun && !isPlain(piece) && !isLanguage && !isKind && !isAdjective(piece) && !TECHNICAL.test(piece.key)) break
    noun.push(piece)
    const next = sentence[at + 1 + noun.length]
    // `an error text` is one input.
    if (isNoun && (!has(next, 'something') || has(next, 'a'))) break
  }
  const isTechnical = (piece: Item | undefined) => TECHNICAL.test(piece?.key ?? '') && thingOf(piece) === null
  if (!isGiven) while (isTechnical(noun.at(-1))) noun.pop()
  const last = noun.at(-1)
  const next = sentence[at + 1 + noun.length]
  const isKnown = last !== undefined && (thingOf(last) !== null || has(last, 'something') || isVersion(last))
  // `a pre-flight checklist` is the form of the answer, and `at a time` no input.
  const isForm = (has(next, 'form') || taskOf(next).some((task) => task !== 'version')) && thingOf(next) === null
  if (!isKnown && !isGiven && (isForm || PLACES.test(sentence[at - 1]?.key ?? ''))) return []
  return last !== undefined && isAdjective(last) && thingOf(last) === null ? noun.slice(0, -1) : noun
}

const isVersion = (piece: Item) => has(piece, 'task version')

/** `a new setting`: words that the vocabulary has as filler. */
const isAdjective = (piece: Item) =>
  has(piece, 'filler') &&
  /^(?:strange|odd|unknown|obscure|cryptic|new|old|random|specific|common|confusing|tricky|unfamiliar|user-facing|related|given)$/.test(
    piece.key,
  )

function askedOf(prompt: string, noun: readonly Item[], isGiven: boolean): Asked | null {
  const isHead = (piece: Item) => thingOf(piece) !== null || isVersion(piece)
  const head = noun.findLast(isHead) ?? noun.findLast((piece) => has(piece, 'something')) ?? noun.at(-1)
  const [first] = noun
  if (first === undefined || head === undefined) return null
  if (has(head, 'form') && thingOf(head) === null) return null
  if (
    taskOf(head).some((task) => task !== 'version' && task !== 'changes') &&
    thingOf(head) === null &&
    !has(head, 'something')
  )
    return null
  const thing = thingOf(head)
  const text = prompt.slice(head.start, head.end)
  const name = isVersion(head) && thing === null ? 'version' : (thing ?? slug(textName(head, text)))
  if (name === '' || (isPlain(head) && !isGiven && /^\d/.test(head.key))) return null
  return {
    name,
    thing,
    isText: thing === null && has(head, 'something'),
    isOwner: false,
    choices: [],
    start: first.start,
    end: noun.at(-1)?.end ?? head.end,
  }
}

/** English names for arguments that other languages name. */
function textName(head: Item, text: string): string {
  if (!has(head, 'something')) return text
  if (/question|frage|pregunt|pergunt|domand|质疑|問題|问题|質問/.test(head.key)) return 'question'
  if (/task|aufgab|tache|tarea|taref|compit|任务|タスク|作業|something|anything|etwas|algo|qualcosa/.test(head.key))
    return 'task'
  return /^[a-z ]+$/.test(head.key) && head.key.length <= 12 ? head.key.replace(/s$/, '') : 'topic'
}

/** `a class or a method` is one input with two names. */
function withoutAlternatives(found: readonly Asked[], sentence: readonly Item[]): Asked[] {
  return found.filter((each, index) => {
    const before = found[index - 1]
    const between = before && sentence.filter(({ start, end }) => start >= before.end && end <= each.start)
    return !between?.some(({ key }) => /^(?:or|oder|ou|o|或|或者|か)$/.test(key))
  })
}

/** An input directly after `of`, behind another one, is the owner of that. Nouns that the tool is given are none. */
function withOwners(found: readonly Asked[], sentence: readonly Item[], isGiven: boolean): Asked[] {
  return found.map((each, index) => {
    const before = found[index - 1]
    const between =
      before === undefined ? [] : sentence.filter(({ start, end }) => start >= before.end && end <= each.start)
    const isInside = between.length > 0 && between.every((piece) => has(piece, 'of', 'a', 'the') && piece.key !== 'for')
    const isOwner = !isGiven && isInside && before?.thing !== null && !each.isText
    return { ...each, isOwner }
  })
}

/** Two inputs need two names: `version`, `version` of `between a version and a version`. */
function different(found: readonly Asked[]): Asked[] {
  return [...new Map(found.map((each) => [each.name, each])).values()]
}

/** The names of the first list in brackets that has an "or". */
function choicesOf(prompt: string): string[] {
  for (const part of prompt.split('(').slice(1)) {
    const [inside = ''] = part.split(')')
    if (!/ or | oder | ou | o /.test(inside)) continue
    const names = inside
      .split(/,| or | oder | ou | o /)
      .map((name) => name.trim())
      .filter(Boolean)
    const isList = names.length > 1 && names.every((name) => name.length <= 40 && name.split(' ').length <= 3)
    if (isList) return names.map((name) => name.replace(/^or /, ''))
  }
  return []
}

export function slug(text: string): string {
  const ascii = fold(text).replace(/[^a-z0-9]+/g, '_')
  return ascii.replace(/^[_0-9]+/, '').replace(/(?<!_)_+$/, '')
}
