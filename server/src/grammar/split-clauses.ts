import { has, type Item } from './annotate.ts'
import type { Tag } from './lexicon.ts'
import { isDense } from './tokenise.ts'

/** A part of a sentence with one predicate. */
export type Clause = {
  /** The condition before it: `When asked about X,`. It applies to all later clauses of the sentence. */
  lead: Item[]
  main: Item[]
  /** The condition at its end: `for X questions`. */
  condition: Item[]
}

type Piece = { items: Item[]; isContrast: boolean }

const VERBS: readonly Tag[] = 'up down exclude use only at_most treat refuse command answer also'.split(' ') as Tag[]
const PREDICATES: readonly Tag[] = [...VERBS.filter((tag) => tag !== 'treat' && tag !== 'also'), 'last', 'means']
/** Places in the order of results. */
const RANKS: readonly Tag[] = ['first', 'last', 'up', 'down']
/** Words that end a condition without a comma before the predicate. */
const TURNS: readonly Tag[] = ['up', 'exclude', 'down']

/** Splits a sentence at commas and conjunctions, where a new predicate begins. */
export function splitClauses(sentence: readonly Item[]): Clause[] {
  const clauses: Clause[] = []
  let lead: Item[] | null = null
  let current: Item[] = []
  const finish = () => {
    if (current.length > 0) clauses.push(clauseOf(current, lead))
  }
  const pieces = piecesOf(sentence).filter((piece, index) => index === 0 || !isReason(piece.items))
  for (const [index, { items, isContrast }] of pieces.entries()) {
    const isConditional = has(withoutJoints(items)[0], 'when')
    const isRanked = endsWithRank(current) && isRankList(pieces.slice(index))
    const startsClause =
      isContrast || startsWithVerb(items) || items.some((item) => has(item, 'must') || [...item.key].some(isDense))
    if (!isRanked && isCondition(current) && (startsWithVerb(items) || hasPredicate(items)) && !isConditional) {
      lead = current
      current = withoutJoints(items)
    } else if (isRanked || (hasPredicate(current) && hasPredicate(items) && !isConditional && startsClause)) {
      finish()
      current = withoutJoints(items)
    } else current = [...current, ...items]
  }
  finish()
  return clauses
}

/** `…, it is about version 1`: why, not what. */
function isReason(items: readonly Item[]): boolean {
  const [first] = withoutJoints(items)
  return has(first, 'reason') && !startsWithVerb(items) && !items.some((item) => has(item, ...TURNS, 'only', 'at_most'))
}

/** `Rank A first` and `B last`: a clause can end with a rank, and the next one leave out the verb. */
function endsWithRank(items: readonly Item[]): boolean {
  const last = items.findLast((item) => !isJoint(item) && !has(item, 'filler', 'generic', 'in'))
  return has(last, ...RANKS)
}

/** True if the pieces begin with names, and their rank follows without a verb: `B and C last`. */
function isRankList(pieces: readonly Piece[]): boolean {
  const at = pieces.findIndex(({ items }) => hasPredicate(items) || endsWithRank(items))
  const found = pieces[at]
  if (!found || !endsWithRank(found.items)) return false
  const isNamed = (item: Item) =>
    !isJoint(item) && !has(item, 'filler', 'generic', 'not', 'is', 'must', 'slightly', ...RANKS)
  return pieces
    .slice(0, at + 1)
    .every(({ items }) => !startsWithVerb(items) && items.some(isNamed) && !items.some((item) => has(item, 'when')))
}

/** Pieces between commas and conjunctions. Each keeps the joint before it. */
function piecesOf(sentence: readonly Item[]): Piece[] {
  const pieces: Piece[] = []
  let items: Item[] = []
  let isContrast = false
  const push = () => {
    if (items.every(isJoint)) return
    pieces.push({ items, isContrast })
    items = []
    isContrast = false
  }
  for (const [index, item] of sentence.entries()) {
    const refusesNext = item.key === 'without' && has(sentence[index + 1], 'refuse', 'command', 'cited', 'manner')
    if (isJoint(item) || refusesNext) {
      push()
      isContrast ||= has(item, 'but')
    }
    items.push(item)
  }
  push()
  return pieces
}

export function isJoint(item: Item): boolean {
  return item.isComma || (has(item, 'and', 'but') && item.sources.length === 0)
}

function withoutJoints(items: readonly Item[]): Item[] {
  const from = items.findIndex((item) => !isJoint(item))
  return from < 0 ? [] : items.slice(from)
}

function hasPredicate(items: readonly Item[]): boolean {
  return items.slice(0, conditionStart(items)).some((item) => has(item, ...PREDICATES))
}

/** True if the first word that carries a meaning is a verb, after words such as `always` and `please`. */
function startsWithVerb(items: readonly Item[]): boolean {
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
  if (!has(first, 'when', 'for') && !(first && has(items.at(-1), 'when_end'))) return false
  return !items.some((item) => has(item, ...TURNS))
}

/** Index of the first item of a condition after the predicate, or the length. */
function conditionStart(items: readonly Item[]): number {
  const at = items.findIndex((item) => has(item, 'when'))
  return at < 0 ? items.length : at
}

function clauseOf(given: readonly Item[], before: Item[] | null): Clause {
  const items = withoutJoints(given)
  const turn = before === null ? turnOf(items) : 0
  const rest = turn === 0 ? items : withoutJoints(items.slice(turn))
  const when = conditionStart(rest)
  const at = when < rest.length ? when : forCondition(rest)
  return { lead: before ?? items.slice(0, turn), main: rest.slice(0, at), condition: rest.slice(at) }
}

/** Where the predicate begins in `when asked about X prefer Y`, which has no comma. 0: it has no condition before. */
function turnOf(items: readonly Item[]): number {
  const end = items.findIndex((item) => has(item, 'when_end'))
  if (end >= 0 && !items.slice(0, end).some((item) => has(item, ...TURNS))) return end + 1
  if (!has(items[0], 'when', 'for')) return 0
  const strong = items.findIndex((item, index) => index > 1 && has(item, ...TURNS))
  if (strong >= 0) return strong
  const plain = items.findIndex(
    (item, index) => index > 1 && has(item, 'use', 'only') && !has(item, 'about', 'questions'),
  )
  return Math.max(0, plain)
}

/** Index of a `for` that begins a condition. `docs for v1` and `2 for each source` have none. */
function forCondition(items: readonly Item[]): number {
  const at = items.findIndex((item, index) => {
    if (index === 0 || !has(item, 'for')) return false
    const rest = items.slice(index + 1)
    if (rest.some((each) => has(each, 'questions') || each.meaning.tool !== undefined)) return true
    const isNamed = rest.some(
      ({ version, glob, sources, meaning, unknown }) =>
        version !== null || glob !== null || sources.length > 0 || unknown || meaning.kind || meaning.code,
    )
    return !isNamed && rest.some(({ meaning }) => meaning.tags.length === 0 || meaning.part !== undefined)
  })
  return at < 0 ? items.length : at
}
