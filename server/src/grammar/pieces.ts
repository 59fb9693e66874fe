import { has, isName, isUnread, type Item } from './item.ts'
import { hasPredicate, isJoint, isNamed, OPENERS, startsWithVerb, withoutJoints } from './clause-words.ts'
import type { Tag } from './lexicon.ts'
import { isOfAskers, type Place, type Role, roleOf } from './piece-roles.ts'

/**
 * A part of a sentence between commas, conjunctions, and the beginnings and ends of conditions, with the joint before
 * it. `isLead`: a condition whose request follows without a comma.
 */
export type Piece = { items: Item[]; role: Role; isContrast: boolean; isOtherwise: boolean; isLead: boolean }

/** Words that end a condition without a comma before the predicate. */
const TURNS: readonly Tag[] = ['up', 'exclude', 'down']

/** Splits a sentence into pieces. */
export function piecesOf(sentence: readonly Item[], place: Place): Piece[] {
  const whole = runsOf(sentence).filter((run) => !run.every(isJoint))
  const leads = new Set<readonly Item[]>()
  const turned = whole.flatMap((run, index) => {
    const parts = turn(run, index, { last: whole[index - 1], next: whole[index + 1] })
    if (parts.length > 1 && parts[0] && parts[0].at(-1)?.key !== 'は') leads.add(parts[0])
    return parts
  })
  const hasTopic = turned.some((_, index) => roleOf(turned, index, place) === 'condition')
  return turned.map((piece, index) => {
    const items = index > 0 && (hasTopic || leads.size > 0) ? withOtherwise(piece) : piece
    const joints = items.slice(0, items.length - withoutJoints(items).length)
    return {
      items,
      role: leads.has(piece) ? 'condition' : roleOf(turned, index, place),
      isContrast: joints.some((item) => has(item, 'but')),
      isOtherwise: has(withoutJoints(items)[0], 'otherwise'),
      isLead: leads.has(piece),
    }
  })
}

/** `X questions use A, everything else B`: other questions, not other sources. */
function withOtherwise(piece: readonly Item[]): Item[] {
  const at = piece.length - withoutJoints(piece).length
  const [first, next] = piece.slice(at)
  const isOther = has(first, 'other') && has(next, 'in', 'to', 'use', 'is', 'must') && piece.slice(at + 1).some(isNamed)
  const meaning: Item['meaning'] = { tags: ['otherwise'] }
  return isOther ? piece.map((item) => (item === first ? { ...item, meaning } : item)) : [...piece]
}

function runsOf(sentence: readonly Item[]): Item[][] {
  const runs: Item[][] = [[]]
  for (const [index, item] of sentence.entries()) {
    const run = runs.at(-1) ?? []
    if (!run.every(isJoint) && isBound(sentence, index, run)) runs.push([item])
    else run.push(item)
    // `如果问题不涉及 …`: without a topic before it, the word is no end.
    const isEnd =
      endsCondition(item) && runs.at(-1)?.some((each) => each !== item && (isNamed(each) || isLanguage(each)))
    if (isEnd && index < sentence.length - 1) runs.push([])
  }
  return runs
}

const isLanguage = ({ meaning }: Item): boolean => meaning.language !== undefined

/** True for a word with which a condition ends. Japanese has all of them there. */
const endsCondition = (item: Item): boolean => has(item, 'when_end') || (has(item, 'unless') && item.language === 'ja')

/** True if a piece begins at this item. */
function isBound(sentence: readonly Item[], index: number, run: readonly Item[]): boolean {
  const [item, next] = [sentence[index], sentence[index + 1]]
  if (item === undefined) return false
  // `…, but not for X`: the negation is that of the condition.
  const isNegatedCondition = has(run.at(-1), 'not') && withoutJoints(run).length === 1
  if (isNegatedCondition && has(item, 'for', 'when', 'when_asked')) return false
  if (isJoint(item)) return !has(item, 'joins')
  if (item.key === 'without' && has(next, 'refuse', 'command', 'cited', 'manner')) return true
  if (has(item, ...OPENERS, 'otherwise', 'reason', 'except', 'then') && !isInside(run, item) && !endsCondition(item))
    return true
  return beginsForCondition(sentence, index) || isOfAskers(sentence.slice(index))
}

/** True for words that begin no piece where they are: `when` in `if it is about when …`, `as` after `treat`. */
function isInside(run: readonly Item[], item: Item): boolean {
  const [first] = withoutJoints(run)
  const isOpen = has(first, ...OPENERS) && !has(item, 'reason', 'otherwise', 'except')
  // `then` alone at the end, or after a condition, orders nothing.
  return has(item, 'then') ? !run.some(isNamed) || isOpen : isOpen && !run.some((each) => has(each, ...TURNS, 'only'))
}

type Around = { last: readonly Item[] | undefined; next: readonly Item[] | undefined }

/** Splits a condition from the request after it without a comma: `when asked about X prefer Y`. */
function turn(run: readonly Item[], index: number, { last, next }: Around): Item[][] {
  const items = withoutJoints(run)
  const offset = run.length - items.length
  const end = items.at(-1)
  // `PDFはXの質問に…`: the topic of the sentence is not that of the question.
  const topic = end && endsCondition(end) ? items.findIndex(({ key }) => key === 'は') : -1
  if (topic > 0 && items.slice(0, topic).some(isName))
    return [run.slice(0, topic + 1 + offset), run.slice(topic + 1 + offset)]
  const told = audienceEnd(items)
  if (told > 0) return [run.slice(0, told + offset), run.slice(told + offset)]
  if (index === 0 && offset === 0 && !has(items[0], ...OPENERS, 'for')) return turnSubject(items)
  if (!has(items[0], ...OPENERS, 'for') || (end && endsCondition(end))) return [[...run]]
  // Only before the request, and not where a comma ends the condition.
  const isMiddle =
    index === 1 && last !== undefined && (startsWithVerb(last) ? !last.some(isNamed) : !hasPredicate(last))
  if ((index > 0 && offset === 0 && !isMiddle) || (next !== undefined && startsWithVerb(next))) return [[...run]]
  const at = requestStart(items, isMiddle)
  return at < 2 ? [[...run]] : [run.slice(0, at + offset), run.slice(at + offset)]
}

/** Where the request begins after people whom no question tells: `Java developers should see X`; or -1. */
function audienceEnd(items: readonly Item[]): number {
  const must = items.findIndex((item) => has(item, 'must'))
  const subject = items.slice(0, Math.max(0, must)).filter((item) => !has(item, 'filler', 'declares'))
  const isPlain = subject.every((item) => !has(item, ...OPENERS, 'for', 'not', 'ask') && !isName(item))
  const isTold = has(subject[0], 'audience') || (subject.length > 1 && has(subject.at(-1), 'person', 'audience'))
  return isPlain && isTold ? must : -1
}

/** Splits a subject that asks from its request: `anyone asking about X should get Y`, `questions in German use Y`. */
function turnSubject(items: readonly Item[]): Item[][] {
  const start = requestStart(items, false)
  // `Billing questions are answered from X`
  const at = start > 1 && has(items[start - 1], 'is') ? start - 1 : start
  const subject = items.slice(0, Math.max(0, at)).filter((item) => !has(item, 'filler'))
  const [first, second] = subject
  const isAsker = has(first, 'person') && has(second, 'ask')
  const isQuestion = has(first, 'questions') ? has(second, 'in', 'ask') : has(subject.at(-1), 'questions')
  // `Fault codes must come from X`
  const isSaid = has(items[at], 'must') && COME.test(items[at + 1]?.key ?? '') && subject.every(isUnread)
  const isSubject = (isSaid || (subject.length > 1 && (isAsker || isQuestion))) && !startsWithVerb(items)
  return isSubject ? [items.slice(0, at), items.slice(at)] : [[...items]]
}

const COME = /^(?:come|be answered|be taken|be explained|kommen|venir|proceder|vir|venire)$/

/** Where the request begins after a condition, or -1. `isMiddle`: its verb is before the condition. */
function requestStart(items: readonly Item[], isMiddle: boolean): number {
  const after = (test: (item: Item) => boolean) => items.findIndex((item, place) => place > 1 && test(item))
  const isNameAt = (place: number) => {
    const next = items[place + 1]
    return has(items[place], 'article') && next !== undefined && isName(next)
  }
  const must = after((item) => has(item, 'must') && !has(item, 'ask', 'noise'))
  const verb = after((item) => has(item, ...TURNS))
  const strong = must > 0 && must < verb ? must : verb
  const plain = after(
    (item) => has(item, 'use', 'only', 'must', 'first') && !has(item, 'ask', 'questions', 'is', 'filler'),
  )
  const name = isMiddle ? items.findIndex((_, place) => place > 1 && isNameAt(place)) : -1
  const found = strong >= 0 ? strong : plain < 0 || (name >= 0 && name < plain) ? name : plain
  if (has(items[found], 'must')) {
    // `When asked about prices the blog should …`: the request begins with its subject.
    const isAfterTopic = (place: number) => items.slice(place - 1, place).some(isNamed)
    const subject = items.findLastIndex(
      (_, place) => place < found && place > 2 && isNameAt(place) && isAfterTopic(place),
    )
    return subject > 0 ? subject : found
  }
  // `… answer only from the FAQ`: the verb before `only`.
  const isVerb = has(items[found], 'only') && found > 2 && has(items[found - 1], 'use', 'command', 'answer')
  return isVerb ? found - 1 : found
}

/** True at a `for` that begins a condition. `docs for v1` and `2 for each source` have none. */
function beginsForCondition(sentence: readonly Item[], index: number): boolean {
  if (index === 0 || !has(sentence[index], 'for')) return false
  const after = sentence.slice(index + 1)
  const end = after.findIndex((item) => isJoint(item) || has(item, ...OPENERS, 'for'))
  const rest = end < 0 ? after : after.slice(0, end)
  if (rest.some((each) => has(each, 'questions', 'audience') || each.meaning.tool !== undefined)) return true
  const isKnown = rest.some(
    ({ version, glob, sources, meaning, unknown }) =>
      version !== null || glob !== null || sources.length > 0 || unknown || meaning.kind || meaning.code,
  )
  return !isKnown && rest.some((item) => isUnread(item) || item.meaning.part !== undefined)
}
