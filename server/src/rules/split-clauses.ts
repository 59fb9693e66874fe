import { has, type Item, isComma, type Sentence } from './annotate.ts'

/** A part of a sentence with one predicate. */
export type Clause = {
  items: Item[]
  /** The condition before it: `When asked about X,`. It applies to all later clauses of the sentence. */
  condition: Item[] | null
}

type Piece = { items: Item[]; isContrast: boolean }

const PREDICATES = [
  'up',
  'down',
  'exclude',
  'last',
  'use',
  'only',
  'at_most',
  'means',
  'refuse',
  'command',
  'answer',
] as const
const VERBS = [
  'up',
  'down',
  'exclude',
  'use',
  'only',
  'at_most',
  'treat',
  'refuse',
  'command',
  'answer',
  'also',
] as const
/** Places in the order of results. */
const RANKS = ['first', 'last', 'up', 'down'] as const
/** Words that end a condition without a comma before the predicate. */
const TURNS = ['up', 'exclude', 'down'] as const
const DENSE = /[\u3000-\u9fff]/

/** Splits a sentence at commas and conjunctions, where a new predicate begins. */
export function splitClauses(sentence: Sentence): Clause[] {
  const clauses: Clause[] = []
  let condition: Item[] | null = null
  let current: Item[] = []
  const finish = () => {
    if (current.length > 0) clauses.push({ items: current, condition })
    current = []
  }
  const pieces = piecesOf(sentence)
  for (const [index, { items, isContrast }] of pieces.entries()) {
    const first = items.find((item) => !isJoint(item))
    if (current.length === 0) current = items
    else if (endsWithRank(current) && isRankList(pieces.slice(index))) {
      finish()
      current = withoutJoints(items)
    } else if (isCondition(current) && (startsWithVerb(items) || hasPredicate(items)) && !has(first, 'when')) {
      condition = current
      current = withoutJoints(items)
    } else if (has(first, 'when') || !hasPredicate(current) || !hasPredicate(items)) current = [...current, ...items]
    else if (isContrast || startsWithVerb(items) || items.some((item) => has(item, 'must')) || isDense(items)) {
      finish()
      current = withoutJoints(items)
    } else current = [...current, ...items]
  }
  finish()
  return clauses.map((clause) => withInnerCondition(clause))
}

/** `Rank A first` and `B last`: a clause can end with a rank, and the next one leave out the verb. */
function endsWithRank(items: readonly Item[]): boolean {
  return has(
    items.findLast((item) => !isJoint(item) && !has(item, 'filler', 'generic', 'in')),
    ...RANKS,
  )
}

/** True if the pieces begin with names, and their rank follows without a verb: `B and C last`. */
function isRankList(pieces: readonly Piece[]): boolean {
  const at = pieces.findIndex(({ items }) => hasPredicate(items) || endsWithRank(items))
  const found = pieces[at]
  if (!found || !endsWithRank(found.items) || pieces.slice(0, at + 1).some(({ items }) => startsWithVerb(items)))
    return false
  const isNamed = ({ items }: Piece) =>
    items.some((item) => !isJoint(item) && !has(item, 'filler', 'generic', 'not', 'is', 'must', 'slightly', ...RANKS))
  return pieces.slice(0, at + 1).every(isNamed) && !pieces.slice(0, at + 1).some(({ items }) => isConditional(items))
}

const isConditional = (items: readonly Item[]): boolean => items.some((item) => has(item, 'when'))

/** Pieces between commas and conjunctions. Each keeps the joint before it. */
function piecesOf(sentence: Sentence): Piece[] {
  const pieces: Piece[] = []
  let items: Item[] = []
  let isContrast = false
  const push = () => {
    if (items.some((item) => !isJoint(item))) pieces.push({ items, isContrast })
  }
  for (const [index, item] of sentence.entries()) {
    const refusedNext = item.key === 'without' && has(sentence[index + 1], 'refuse', 'command', 'cited', 'manner')
    if (isJoint(item) || refusedNext) {
      const isNew = items.some((each) => !isJoint(each))
      if (isNew) {
        push()
        items = []
        isContrast = false
      }
      isContrast ||= has(item, 'but')
    }
    items.push(item)
  }
  push()
  return pieces
}

export function isJoint(item: Item): boolean {
  if (isComma(item)) return true
  return has(item, 'and', 'but') && item.sources.length === 0
}

export function withoutJoints(items: readonly Item[]): Item[] {
  const from = items.findIndex((item) => !isJoint(item))
  return from < 0 ? [] : items.slice(from)
}

function hasPredicate(items: readonly Item[]): boolean {
  const until = conditionStart(items)
  return items.slice(0, until).some((item) => has(item, ...PREDICATES))
}

/** True if the first word that carries a meaning is a verb, after words such as `always` and `please`. */
export function startsWithVerb(items: readonly Item[]): boolean {
  let isNegated = false
  for (const item of items) {
    if (has(item, ...VERBS)) return true
    if (has(item, 'not')) isNegated = true
    else if (isNegated && has(item, 'filler')) return false
    else if (!isJoint(item) && !has(item, 'first', 'slightly', 'filler', 'must', 'is')) return false
  }
  return false
}

/** True if the items are nothing but a condition, which the next piece continues or follows. */
function isCondition(items: readonly Item[]): boolean {
  const [first] = withoutJoints(items)
  if (first === undefined) return false
  const isPostponed = has(items.at(-1), 'when_end')
  if (!has(first, 'when', 'for') && !isPostponed) return false
  return !items.some((item) => has(item, ...TURNS))
}

/** Index of the first item of a condition after the predicate, or the length. */
export function conditionStart(items: readonly Item[]): number {
  const at = items.findIndex((item) => has(item, 'when'))
  return at < 0 ? items.length : at
}

/** Splits `when asked about X prefer Y`, which has no comma. */
function withInnerCondition(clause: Clause): Clause {
  const items = withoutJoints(clause.items)
  if (clause.condition !== null) return { ...clause, items }
  const end = items.findIndex((item) => has(item, 'when_end'))
  if (end >= 0 && items.slice(0, end).every((item) => !has(item, ...TURNS)))
    return { condition: items.slice(0, end + 1), items: withoutJoints(items.slice(end + 1)) }
  if (!has(items[0], 'when', 'for')) return { ...clause, items }
  const strong = items.findIndex((item, index) => index > 1 && has(item, ...TURNS))
  const plain = items.findIndex(
    (item, index) => index > 1 && has(item, 'use', 'only') && !has(item, 'about', 'questions'),
  )
  const turn = strong < 0 ? plain : strong
  return turn < 0 ? { ...clause, items } : { condition: items.slice(0, turn), items: items.slice(turn) }
}

function isDense(items: readonly Item[]): boolean {
  return items.some(({ key }) => DENSE.test(key))
}
