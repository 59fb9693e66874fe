import { has, isName, isUnread, type Item } from './annotate.ts'
import type { Tag } from './lexicon.ts'
import { isDense } from './tokenise.ts'

/** A part of a sentence with one request. */
export type Clause = {
  main: Item[]
  /** The conditions before it, which apply to all later clauses of the sentence too, and those at its end. */
  conditions: Item[][]
  /** `otherwise`: it is for the questions that the condition of the clause before leaves out. */
  isOtherwise: boolean
  /** It has no predicate: that of the clause before applies. */
  isElliptic: boolean
}

/** `reasons`: why, not what. One before a request can name what `it` means there. */
export type Split = { clauses: Clause[]; reasons: Item[][] }

/** `names` is a piece without a predicate. `aside` asks for something that no name is needed for: in a friendly tone. */
type Role = 'request' | 'condition' | 'reason' | 'polite' | 'aside' | 'names'
type Piece = { items: Item[]; role: Role; isContrast: boolean; isOtherwise: boolean }

const VERBS: readonly Tag[] = 'up down exclude use only at_most treat refuse command answer also'.split(' ') as Tag[]
const PREDICATES: readonly Tag[] = 'up down exclude use only at_most refuse command last means same enough also'.split(
  ' ',
) as Tag[]
/** Places in the order of results. */
const RANKS: readonly Tag[] = ['first', 'last', 'up', 'down', 'exclude']
/** Words that end a condition without a comma before the predicate. */
const TURNS: readonly Tag[] = ['up', 'exclude', 'down']
const OPENERS: readonly Tag[] = ['when', 'when_asked', 'unless']

/**
 * Splits a sentence into clauses and reasons: at commas and conjunctions, and where a condition begins. `isFirst`: no
 * sentence is before it, of which it could be the reason.
 */
export function splitClauses(sentence: readonly Item[], isFirst = true): Split {
  const { kept, reasons } = withoutReasons(sentence)
  const pieces = piecesOf(kept, isFirst)
  const clauses: Clause[] = []
  const lead: Item[][] = []
  const start = (items: readonly Item[], more: Partial<Clause> = {}) =>
    clauses.push({ main: withoutJoints(items), conditions: [...lead], isOtherwise: false, isElliptic: false, ...more })
  let before: Role | null = null
  for (const [index, piece] of pieces.entries()) {
    const { items, role, isOtherwise } = piece
    const open = clauses.at(-1)
    if (role === 'reason') reasons.push(withoutJoints(items))
    if (role === 'reason' || role === 'polite') continue
    if (role === 'condition') {
      if (open === undefined) lead.push([...items])
      else open.conditions.push([...items])
    } else if (open === undefined) {
      if (role === 'names' && before === 'condition') lead.at(-1)?.push(...items)
      else start(items, { isOtherwise })
    } else if (isOtherwise && withoutJoints(items).every((item) => has(item, 'otherwise', 'filler')))
      open.isOtherwise = true
    else if (role === 'aside') start(items)
    else if (role === 'request') {
      if (beginsClause(pieces, index, { open, before })) start(items, { isOtherwise })
      else open.main.push(...items)
    } else if (isOtherwise || (before === 'condition' && pieces[index + 1]?.role === 'condition'))
      start(items, { isOtherwise, isElliptic: true })
    // `A, B or C` continues the condition.
    else if (before === 'condition') open.conditions.at(-1)?.push(...items)
    else if (endsWithRank(open.main) && isRankList(pieces.slice(index))) start(items)
    else if (before === 'aside') start(items)
    else open.main.push(...items)
    before = role === 'names' && before === 'condition' && !isOtherwise ? 'condition' : role
  }
  return { clauses, reasons }
}

/** True if the request of a piece is a new one, and not the rest of the open clause. */
function beginsClause(
  pieces: readonly Piece[],
  index: number,
  { open, before }: { open: Clause; before: Role | null },
) {
  const piece = pieces[index]
  if (piece === undefined) return false
  if (before === 'condition' && !open.main.some(isNamed) && !isAside(open.main)) return false
  if (before === 'aside' || before === 'condition' || piece.isOtherwise) return true
  if (endsWithRank(open.main) && isRankList(pieces.slice(index))) return true
  // `Prefer A over B, and C last`
  const isRanked = open.main.some((item) => has(item, ...RANKS) && !has(item, 'in'))
  const lastRank = piece.items.findLast((item) => has(item, ...RANKS))
  if (isRanked && isRankList([piece]) && has(lastRank, 'last', 'down', 'exclude')) return true
  if (
    isRanked &&
    has(
      withoutJoints(piece.items).find((item) => !has(item, 'filler', 'in')),
      'last',
    )
  )
    return true
  const { items, isContrast } = piece
  const plain = withoutJoints(items)
  // `…, not the blog` contrasts. `Never the forum, always the docs` does not.
  if (has(plain[0], 'not') && !plain.some((item) => has(item, 'must', ...VERBS) && !has(item, 'filler', 'not')))
    return false
  if (has(plain[0], 'always', 'first') && open.main.some((item) => has(item, 'not')) && plain.some(isNamed)) return true
  // `Search, when asked about X, only Y`
  if (!open.main.some((item) => isNamed(item) || has(item, 'per_source', 'results'))) return false
  const isSeparate =
    isContrast || startsWithVerb(items) || items.some((item) => has(item, 'must') || isDense(item.text))
  return isSeparate && hasPredicate(open.main)
}

/** Takes out reasons that a particle ends: `古いので`. They begin after the topic of the sentence. */
function withoutReasons(sentence: readonly Item[]): { kept: Item[]; reasons: Item[][] } {
  const end = sentence.findIndex((item) => has(item, 'reason_end'))
  if (end < 0) return { kept: [...sentence], reasons: [] }
  const from = sentence.slice(0, end).findLastIndex((item) => item.key === 'は' || item.isComma) + 1
  return { kept: [...sentence.slice(0, from), ...sentence.slice(end + 1)], reasons: [sentence.slice(from, end)] }
}

/** Pieces between commas, conjunctions, and the beginnings and ends of conditions. Each keeps the joint before it. */
function piecesOf(sentence: readonly Item[], isFirst: boolean): Piece[] {
  const runs: Item[][] = [[]]
  for (const [index, item] of sentence.entries()) {
    const run = runs.at(-1) ?? []
    const isStart = run.every(isJoint)
    const refusesNext = item.key === 'without' && has(sentence[index + 1], 'refuse', 'command', 'cited', 'manner')
    const isBound =
      (isJoint(item) && !isInCondition(run, sentence.slice(index + 1))) ||
      refusesNext ||
      (!isStart &&
        (has(item, ...OPENERS, 'otherwise', 'reason', 'except') || has(item, 'then')) &&
        !isInside(run, item)) ||
      (!isStart && beginsForCondition(sentence, index))
    if (isBound && !isStart) runs.push([item])
    else run.push(item)
    if (has(item, 'when_end') && !isLastOf(sentence, index)) runs.push([])
  }
  const whole = runs.filter((run) => !run.every(isJoint))
  const turned = whole.flatMap((run, index) => turn(run, index, { last: whole[index - 1], next: whole[index + 1] }))
  return turned.map((items, index) => {
    const joints = items.slice(0, items.length - withoutJoints(items).length)
    return {
      items,
      role: roleOf(turned, index, isFirst),
      isContrast: joints.some((item) => has(item, 'but')),
      isOtherwise: has(withoutJoints(items)[0], 'otherwise'),
    }
  })
}

const isLastOf = (sentence: readonly Item[], index: number) => index === sentence.length - 1

/** True for words that begin no piece where they are: `when` in `if it is about when …`, `as` after `treat`. */
function isInside(run: readonly Item[], item: Item): boolean {
  const [first] = withoutJoints(run)
  const isOpen = has(first, ...OPENERS) && !has(item, 'reason', 'otherwise', 'except')
  // `then` alone at the end, or after a condition, orders nothing.
  return has(item, 'then') ? !run.some(isNamed) || isOpen : isOpen && !run.some((each) => has(each, ...TURNS, 'only'))
}

/** True for a word that an effect can be about. */
const isNamed = (item: Item) =>
  isName(item) ||
  item.version !== null ||
  item.isQuoted ||
  isUnread(item) ||
  item.meaning.code !== undefined ||
  has(item, 'version', 'latest', 'recent', 'old', 'it', 'this_source', 'code')

/** `and` between two topics: `when asked about X and Y`. */
function isInCondition(run: readonly Item[], rest: readonly Item[]): boolean {
  const [first] = withoutJoints(run)
  if (!has(first, ...OPENERS, 'for')) return false
  const next = rest.find((item) => !isJoint(item))
  return has(next, 'ask') && !has(next, ...VERBS)
}

function roleOf(all: readonly (readonly Item[])[], index: number, isFirst: boolean): Role {
  const plain = withoutJoints(all[index] ?? [])
  const [first] = plain
  if (plain.some((item) => has(item, 'polite')) && plain.every((item) => has(item, 'polite', 'filler'))) return 'polite'
  if (isReason(all, index, isFirst)) return 'reason'
  if (isCondition(plain)) return 'condition'
  if (isAside(plain)) return 'aside'
  const told = plain.find((item) => !has(item, 'filler', 'polite') || has(item, 'first', 'always', 'not'))
  if (hasPredicate(plain) || has(first, 'not') || has(told, 'first', 'always', 'not') || endsWithRank(plain))
    return 'request'
  return 'names'
}

/** `…, it is about version 1`, and `The manual is outdated, so …`: why, not what. */
function isReason(all: readonly (readonly Item[])[], index: number, isFirst: boolean): boolean {
  const whole = all[index] ?? []
  const items = withoutJoints(whole)
  const [first] = items
  const asks = items.some(
    (item) => has(item, 'must', 'only', 'at_most') || (has(item, ...TURNS) && !has(item, 'is', 'filler', 'in')),
  )
  if (has(first, 'reason')) return index > 0 || all.length > 1
  const isAfter = index > 0 ? whole[0]?.isComma === true : !isFirst && all.length === 1
  // `For questions, which mention X, …`
  const isRelative =
    index > 0 && isCondition(withoutJoints(all[index - 1] ?? [])) && items.some((item) => has(item, 'ask'))
  if (isAfter && !isRelative && has(first, 'declares'))
    return !asks && !startsWithVerb(items.filter((item) => !has(item, 'declares')))
  if (index > 0) return false
  const next = all[1]
  const isBefore =
    next !== undefined && has(next.find(isJoint) && next.filter(isJoint).find((item) => has(item, 'but')), 'but')
  return isBefore && !asks && !items.some((item) => has(item, 'use', 'up', 'first', 'last', 'means', 'same'))
}

/** True if the items are a condition, which ends at the piece. */
function isCondition(items: readonly Item[]): boolean {
  return has(items[0], ...OPENERS) || (has(items[0], 'for') && items.length > 1) || has(items.at(-1), 'when_end')
}

/** True for a piece that asks for something about the answer and names nothing: `in a friendly tone`. */
function isAside(items: readonly Item[]): boolean {
  if (items.some((item) => isName(item) && !has(item, 'refuse', 'cited'))) return false
  const isCommand = has(
    items.find((item) => !has(item, 'filler', 'polite', 'not', 'always', 'must', 'only')),
    'command',
  )
  return isCommand || items.some((item) => has(item, 'refuse', 'length', 'manner'))
}

/** Splits a condition from the request after it without a comma: `when asked about X prefer Y`. */
function turn(
  run: readonly Item[],
  index: number,
  { last, next }: { last: readonly Item[] | undefined; next: readonly Item[] | undefined },
): Item[][] {
  const items = withoutJoints(run)
  const offset = run.length - items.length
  if (!has(items[0], ...OPENERS, 'for') || has(items.at(-1), 'when_end')) return [[...run]]
  // Only before the request, and not where a comma ends the condition.
  const isMiddle = index === 1 && last !== undefined && startsWithVerb(last) && !last.some(isNamed)
  if ((index > 0 && offset === 0 && !isMiddle) || (next !== undefined && startsWithVerb(withoutJoints(next))))
    return [[...run]]
  const must = items.findIndex((item, place) => place > 1 && has(item, 'must') && !has(item, 'ask', 'noise'))
  const verb = items.findIndex((item, place) => place > 1 && has(item, ...TURNS))
  const strong = must > 0 && must < verb ? must : verb
  const plain = items.findIndex(
    (item, place) =>
      place > 1 && has(item, 'use', 'only', 'must', 'first') && !has(item, 'ask', 'questions', 'is', 'filler'),
  )
  const isNameAt = (place: number) => {
    const next = items[place + 1]
    return has(items[place], 'article') && next !== undefined && isName(next)
  }
  const name = isMiddle ? items.findIndex((_, place) => place > 1 && isNameAt(place)) : -1
  const found = strong < 0 ? (plain < 0 || (name >= 0 && name < plain) ? name : plain) : strong
  // `When asked about prices the blog should …`: the request begins with its subject.
  const subject = has(items[found], 'must')
    ? items.findLastIndex(
        (_, place) => place < found && place > 2 && isNameAt(place) && isNamed(items[place - 1] as Item),
      )
    : -1
  const at = subject > 0 ? subject : found
  return at < 2 ? [[...run]] : [run.slice(0, at + offset), run.slice(at + offset)]
}

/** `Rank A first` and `B last`: a clause can end with a rank, and the next one leave out the verb. */
function endsWithRank(items: readonly Item[]): boolean {
  const last = items.findLast((item) => !isJoint(item) && !has(item, 'filler', 'generic', 'in', 'polite', 'neutral'))
  return has(last, ...RANKS)
}

/** True if the pieces begin with names, and their rank follows without a verb: `B and C last`. */
function isRankList(pieces: readonly Piece[]): boolean {
  const at = pieces.findIndex(({ items }) => hasPredicate(items) || endsWithRank(items))
  const found = pieces[at]
  if (!found || !endsWithRank(found.items)) return false
  const isMeant = (item: Item) =>
    !isJoint(item) && !has(item, 'filler', 'generic', 'not', 'is', 'must', 'slightly', 'then', ...RANKS)
  // `then B` belongs to what is before it.
  if (at > 0 && pieces.slice(0, at).some(({ items }) => has(withoutJoints(items)[0], 'then'))) return false
  return pieces
    .slice(0, at + 1)
    .every(({ items, role }) => !startsWithVerb(items) && items.some(isMeant) && role !== 'condition')
}

export function isJoint(item: Item): boolean {
  return item.isComma || (has(item, 'and', 'but') && item.sources.length === 0)
}

function withoutJoints(items: readonly Item[]): Item[] {
  const from = items.findIndex((item) => !isJoint(item))
  return from < 0 ? [] : items.slice(from)
}

function hasPredicate(items: readonly Item[]): boolean {
  return items.some((item) => has(item, ...PREDICATES))
}

/** True if the first word that carries a meaning is a verb, after words such as `always` and `please`. */
function startsWithVerb(items: readonly Item[]): boolean {
  let isNegated = false
  for (const item of items) {
    if (has(item, ...VERBS)) return true
    if (has(item, 'not')) isNegated = true
    else if (isNegated && has(item, 'filler')) return false
    else if (!isJoint(item) && !has(item, 'first', 'always', 'slightly', 'filler', 'must', 'is', 'polite', 'then'))
      return false
  }
  return false
}

/** True at a `for` that begins a condition. `docs for v1` and `2 for each source` have none. */
function beginsForCondition(sentence: readonly Item[], index: number): boolean {
  if (index === 0 || !has(sentence[index], 'for')) return false
  const after = sentence.slice(index + 1)
  const end = after.findIndex((item) => isJoint(item) || has(item, ...OPENERS, 'for'))
  const rest = end < 0 ? after : after.slice(0, end)
  if (rest.some((each) => has(each, 'questions', 'audience') || each.meaning.tool !== undefined)) return true
  const isNamed = rest.some(
    ({ version, glob, sources, meaning, unknown }) =>
      version !== null || glob !== null || sources.length > 0 || unknown || meaning.kind || meaning.code,
  )
  return !isNamed && rest.some((item) => isUnread(item) || item.meaning.part !== undefined)
}
