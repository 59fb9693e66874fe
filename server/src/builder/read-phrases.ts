import type { Asked } from './read-arguments.ts'
import { has, type Item, numberOf } from '#grammar/item.ts'
import { codeOf, isPlain, splitAt, thingOf } from './read-words.ts'

const ARTICLE = /\b(?:an?|any|the|some|given|eine?[mnrs]?|une?|un[ao]?|uma?)\s+$/i

/** The sentence up to a comma, with its inputs in plain words as templates. Empty without such an input. */
export function questionOf(prompt: string, sentence: readonly Item[], asked: readonly Asked[]): string {
  const [first] = sentence
  const end = sentence.find((piece) => piece.isComma)?.start ?? sentence.at(-1)?.end ?? 0
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

export function narrowingOf(prompt: string, sentence: readonly Item[], listed: Item): string[] {
  const at = sentence.indexOf(listed)
  const first = sentence.slice(0, at).findLastIndex((piece) => !isPlain(piece)) + 1
  const about = sentence.findIndex((piece, index) => index > at && has(piece, 'about'))
  const after = about < 0 ? [] : sentence.slice(about + 1).filter(isPlain)
  return [...sentence.slice(first, at), ...after].map(({ start, end }) => prompt.slice(start, end))
}

/** The `of` behind the listed thing, or `does` in `what options does borg create have`; else -1. */
export function listMark(sentence: readonly Item[], listed: Item | undefined): number {
  const mark = listed === undefined ? 0 : sentence.indexOf(listed) + 1
  const isOf = has(sentence[mark], 'of') && !has(sentence[mark], 'about')
  const isHad = HAS.test(sentence[mark]?.key ?? '') && isPlain(sentence[mark + 1])
  return mark > 0 && (isOf || isHad) ? mark : -1
}

const HAS = /^(?:does|do|has|hat|a|tiene|tem|ha)$/

/** The named thing behind such a mark: `of the Python client`. Empty without one. */
export function fixedOwner(prompt: string, sentence: readonly Item[], mark: number): string {
  const rest = mark < 0 ? [] : sentence.slice(mark + 1)
  const stop = rest.findIndex(
    (piece, at) =>
      piece.isComma ||
      // `by its name` is a filler, `borg list` a command.
      (has(piece, 'about', 'a', 'list', 'all', 'form', ...(at > 0 ? (['filler'] as const) : [])) &&
        !(at === 1 && isPlain(rest[0]) && piece.key === 'list')) ||
      isVerb(piece, rest[at + 1]) ||
      (has(piece, 'of') && !has(piece, 'the')) ||
      (has(piece, 'detail') && piece.meaning.tags.length === 1),
  )
  const noun = (stop < 0 ? rest : rest.slice(0, stop)).filter((piece) => !has(piece, 'the'))
  const last = noun.at(-1)
  const named = last !== undefined && thingOf(last) !== null ? noun.slice(0, -1) : noun
  const isNamed = named.some((piece) => (isPlain(piece) && piece.key !== 'one') || codeOf(piece) !== undefined)
  return isNamed ? prompt.slice(named[0]?.start, named.at(-1)?.end) : ''
}

const AUXILIARY =
  /^(?:that|which|who|when|if|do|does|did|is|are|has|have|can|will|should|macht|tut|fait|hace|faz|fa)(?: |$)/

/** `do`, `that` and `and say`, unlike `push and pull`. */
const isVerb = ({ key }: Item, next: Item | undefined): boolean =>
  AUXILIARY.test(key) || (JOINT.test(key) && has(next, 'filler', 'form', 'detail') && !has(next, 'the', 'action'))

/** The part of the sentence between commas that has the listed thing; else the whole. */
export function coreClause(sentence: readonly Item[], listed: Item | undefined): Item[] {
  const at = listed === undefined ? -1 : sentence.indexOf(listed)
  if (at < 0) return [...sentence]
  const from = sentence.slice(0, at).findLastIndex(({ isComma }) => isComma)
  const to = sentence.findIndex(({ isComma }, index) => index > at && isComma)
  return sentence.slice(from + 1, to < 0 ? undefined : to)
}

/** Words that narrow the subject: those that no vocabulary has, outside of the inputs. */
export function subjectOf(sentence: readonly Item[], asked: readonly Asked[], owner: string): string {
  const isInput = (piece: Item) => asked.some(({ start, end }) => start <= piece.start && piece.end <= end)
  // `borg create` is a name, whose second word can be a verb.
  const isName = (piece: Item, at: number) => isPlain(sentence[at - 1]) && has(piece, 'make', 'action')
  const words = sentence.flatMap((piece, at) =>
    (isPlain(piece) || isName(piece, at)) && !isInput(piece) ? piece.text : [],
  )
  return [...new Set(words)].filter((word) => !owner.split(' ').includes(word)).join(' ')
}

const JOINT = /^(?:and|with|to|und|mit|et|avec|y|con|e|com|和|与|と)$/

/** The things of `compare npm install with npm ci`, `Redis versus Memcached` and `A, B and C`. Empty if callers name them. */
export function sidesOf(prompt: string, sentence: readonly Item[]): string[] {
  const at = sentence.findIndex((piece) => has(piece, 'task compare'))
  const isBetween = /^(?:vs|versus)$/.test(sentence[at]?.key ?? '')
  const rest = sentence.slice(at + 1)
  const joint = isBetween ? 0 : rest.findIndex(({ key }) => JOINT.test(key))
  const right = rest.slice(isBetween ? 0 : joint + 1)
  const stop = right.findIndex((piece) => piece.isComma || has(piece, 'of', 'about', 'form', 'task compare'))
  const left = splitAt(isBetween ? sentence.slice(0, at) : rest.slice(0, joint), ({ isComma }) => isComma)
  const sides = [...left, stop < 0 ? right : right.slice(0, stop)]
  const isFree = (piece: Item) => has(piece, 'a', 'something', 'given') || numberOf(piece) !== null
  if (joint < 0 || sides.flat().some(isFree)) return []
  const names = sides.map((side) => {
    const from = side.findIndex((piece) => isPlain(piece))
    const to = side.findLastIndex((piece) => thingOf(piece) === null || isPlain(piece))
    return from < 0 ? '' : prompt.slice(side[from]?.start, side[to]?.end)
  })
  return names.every(Boolean) && names.length <= MOST_SIDES ? names : []
}

/** Things that one comparison takes. */
const MOST_SIDES = 4

/** `by speed`, `by size and cost` */
const isShort = (text: string): boolean => /^[a-z-]+(?: (?:and|or)? ?[a-z-]+){0,3}[.?]?$/i.test(text.trim())

/** The list after a colon, or after `by` and `in terms of`: `throughput, what they need, how many brokers`. */
export function aspectsOf(prompt: string, sentence: readonly Item[]): string[] {
  const last = sentence.at(-1)?.end ?? 0
  const colon = sentence.find(({ isComma, start }) => isComma && /[:：]/.test(prompt.charAt(start)))
  const by = /\b(?:in terms of|with regard to|regarding|by|on|for)\s+(?!its|their|name)/gi
  const marks = [...prompt.slice(sentence[0]?.start ?? 0, last).matchAll(by)]
  const mark = marks.findLast(
    ({ index, 0: text }) =>
      prompt.slice(index + text.length, last).includes(',') ||
      /terms|regard/.test(text) ||
      (/^by/i.test(text) && isShort(prompt.slice(index + text.length, last))),
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
