import { has, isName, isUnread, type Item } from './item.ts'
import { endsWithRank, hasPredicate, isJoint, isNamed, OPENERS, startsWithVerb, withoutJoints } from './clause-words.ts'
import type { Tag } from './lexicon.ts'

/** `names` is a piece without a predicate. `aside` asks for something that no name is needed for: in a friendly tone. */
export type Role = 'request' | 'condition' | 'reason' | 'polite' | 'aside' | 'names'

/** The place of a sentence in the text. Another sentence can be the request that it gives a reason for. */
export type Place = { isFirst: boolean; isOnly: boolean }

type Pieces = readonly (readonly Item[])[]

/** Words of a request, unlike those of a reason. */
const TURNS: readonly Tag[] = ['up', 'exclude', 'down']

/** The role of a piece of a sentence among the others. */
export function roleOf(pieces: Pieces, index: number, place: Place): Role {
  const items = withoutJoints(pieces[index] ?? [])
  if (items.some((item) => has(item, 'polite')) && items.every((item) => has(item, 'polite', 'filler'))) return 'polite'
  if (isReason(pieces, index, place)) return 'reason'
  if (isCondition(items) || isException(pieces, index) || isTopic(pieces, index)) return 'condition'
  if (isAside(items)) return 'aside'
  return isRequest(items) ? 'request' : 'names'
}

function isRequest(items: readonly Item[]): boolean {
  const told = items.find((item) => !has(item, 'filler', 'polite') || has(item, 'first', 'always', 'not'))
  const isCompared = items.some((item) => has(item, 'flip', 'flip_after') && !has(item, 'in'))
  return hasPredicate(items) || isCompared || has(told, 'first', 'always', 'not') || endsWithRank(items)
}

/** `…, it is about version 1`, and `The manual is outdated, so …`: why, not what. */
function isReason(pieces: Pieces, index: number, place: Place): boolean {
  const whole = pieces[index] ?? []
  const items = withoutJoints(whole)
  if (has(items[0], 'reason')) return index > 0 || pieces.length > 1
  const joints = whole.slice(0, whole.length - items.length)
  const isAfter =
    index > 0 ? joints.length > 0 && joints.every(({ isComma }) => isComma) : !place.isFirst && pieces.length === 1
  // `For questions, which mention X, …`
  const isRelative =
    index > 0 && isCondition(withoutJoints(pieces[index - 1] ?? [])) && items.some((item) => has(item, 'ask'))
  if (isAfter && !isRelative && has(items[0], 'declares')) return isStatement(items)
  return index === 0 && !isCondition(items) && isPremise(items, pieces[1], place)
}

const asksFor = (item: Item) => has(item, ...TURNS) && !has(item, 'is', 'filler', 'in')

/** `it is about version 1`, `it only confuses people`. */
function isStatement(items: readonly Item[]): boolean {
  if (items.some((item) => has(item, 'must') || asksFor(item))) return false
  if (startsWithVerb(items.filter((item) => !has(item, 'declares', 'only')))) return false
  // `die Danksagungen` of a list states nothing.
  const said = items.filter((item) => !item.isComma && !has(item, 'article', 'and', 'filler'))
  if (said.length < 2 && !items.some((item) => has(item, 'is'))) return false
  const restricts = items.some((item) => has(item, 'only', 'at_most'))
  return !restricts || !items.some((item) => isNamed(item) && !isUnread(item) && !has(item, 'it'))
}

const SO = /^(?:so|therefore|thus|hence|daher|deshalb|darum|also|donc|alors|asi que|por eso|por isso|quindi|percio)$/

/** `The manual is outdated` before a request with `so`, or in a sentence of its own. */
function isPremise(items: readonly Item[], next: readonly Item[] | undefined, { isOnly }: Place): boolean {
  // `We retired X, please …`
  const isStated = items.some((item) => has(item, 'is')) || (has(items[0], 'declares') && items.length > 2)
  const isBefore =
    next === undefined
      ? !isOnly && isStated
      : next.some((item) => isJoint(item) && has(item, 'but')) || (isStated && startsWithVerb(next))
  const asks = items.some(
    (item) =>
      asksFor(item) ||
      has(item, 'must', 'only', 'at_most', 'use', 'up', 'first', 'last', 'means', 'same', 'refuse', 'not', 'flip'),
  )
  // `X is better than Y, so prefer it`
  const isSo = next?.some((item) => SO.test(item.key)) === true && items.some((item) => has(item, 'is'))
  const isBound = items.some((item) => has(item, 'must', 'only', 'at_most', 'means', 'same', 'refuse', 'not'))
  return isBefore && (!asks || (isSo && !isBound)) && !isAside(items)
}

/** `Hide X from people who ask about Y` */
export function isOfAskers([from, who, ...after]: readonly Item[]): boolean {
  return has(from, 'in', 'to') && has(who, 'person') && after.slice(0, 2).some((item) => has(item, 'ask'))
}

/** True if the items are a condition, which ends at the piece. */
function isCondition(items: readonly Item[]): boolean {
  const isNegated = has(items[0], 'not') && has(items[1], 'for', 'when', 'when_asked') && !hasPredicate(items.slice(1))
  return (
    isNegated ||
    isOfAskers(items) ||
    has(items[0], ...OPENERS) ||
    (has(items[0], 'for') && items.length > 1) ||
    has(items.at(-1), 'when_end', 'unless')
  )
}

/** `Billing questions: …` at the beginning, and `…, except for billing questions`. */
function isTopic(pieces: Pieces, index: number): boolean {
  const items = withoutJoints(pieces[index] ?? [])
  if (isHeading(items, pieces[index + 1]) && index === 0) return true
  // `Don't answer legal questions` asks for something.
  const isAsked = items.slice(0, 3).some((item) => has(item, 'not')) && items.some((item) => has(item, 'answer'))
  if (items.length < 2 || isAsked || !has(items.at(-1), 'questions')) return false
  return has(items[0], 'except') || (index === 0 && pieces.length > 1 && !hasPredicate(items))
}

/** Words of a topic before a colon. */
const MOST_HEADING = 3
/** Words before a colon that are about the rule. */
const META =
  /^(?:notes?|nb|rules?|hints?|tips?|important|reminder|todo|attention|warning|info|order|priority|ranking|sources?|search|retrieval|default|please|hinweis|regel|wichtig|achtung|reihenfolge|remarque|regle|nota|regla|importante|regra|regola|ordine|orden|ordem|ordre)$/

/** `Fees: /fees` */
function isHeading(items: readonly Item[], next: readonly Item[] | undefined): boolean {
  const isTold = next?.[0]?.text === ':' && next.some(isName)
  return isTold && items.length <= MOST_HEADING && items.every(isTopicWord) && !items.some(({ key }) => META.test(key))
}

const isTopicWord = (item: Item): boolean => isUnread(item) || item.meaning.part !== undefined

/** `When asked about X, but not about Y, …`, and `use the wiki for X, but not for Y`. */
function isException(pieces: Pieces, index: number): boolean {
  const items = withoutJoints(pieces[index] ?? [])
  if (!has(items[0], 'not') || items.length < 2 || hasPredicate(items.slice(1)) || index === 0) return false
  // `not about X`, unlike `not the blog`
  const isTopic = has(items[1], 'for', 'ask', 'when_asked') || (has(items[1], 'noise') && !has(items[1], 'article'))
  return isCondition(withoutJoints(pieces[index - 1] ?? [])) && (index === 1 || isTopic)
}

/** True for a piece that asks for something about the answer and names nothing: `in a friendly tone`. */
export function isAside(items: readonly Item[]): boolean {
  if (items.some((item) => isName(item) && !has(item, 'refuse', 'cited'))) return false
  const first = (...skipped: Tag[]) =>
    items.find((item) => !has(item, 'filler', 'polite', 'not', 'always', 'must', ...skipped))
  if (has(first('only'), 'command') || has(first(), 'answer')) return true
  const isSpoken =
    items.some(({ meaning }) => meaning.language !== undefined) && items.some((item) => has(item, 'answer'))
  const isHidden =
    items.some((item) => has(item, 'cited') && !has(item, 'per_source')) &&
    items.some((item) => has(item, 'exclude', 'not')) &&
    !items.some(isNamed)
  return isHidden || isSpoken || items.some((item) => has(item, 'refuse', 'length', 'manner'))
}
