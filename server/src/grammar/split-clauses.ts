import { has, isName, isUnread, type Item } from './item.ts'
import {
  endsWithRank,
  hasPredicate,
  isJoint,
  isNamed,
  RANKS,
  startsWithVerb,
  VERBS,
  withoutJoints,
} from './clause-words.ts'
import type { Tag } from './lexicon.ts'
import { isAside, type Place, type Role } from './piece-roles.ts'
import { type Piece, piecesOf } from './pieces.ts'
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
  /** `Use the wiki only for questions about tips`: without the condition, it is not used. */
  isReserved: boolean
}

/**
 * The clauses so far. `lead`: the conditions of the clauses to come. `before`: the role of the piece before, `lead` for
 * a condition whose request must follow.
 */
type State = { clauses: Clause[]; lead: Item[][]; before: Role | 'lead' | null }

/**
 * Splits a sentence into clauses and reasons: at commas and conjunctions, and where a condition begins. `lead`:
 * conditions of the sentence before without a request. `open`: those for the next one: `If it is about backups, they
 * mean Borg; so …`.
 */
export function splitClauses(
  sentence: readonly Item[],
  place: Place,
  lead: readonly Item[][] = [],
): { clauses: Clause[]; reasons: Item[][]; open: Item[][] } {
  const { kept, reasons } = withoutReasons(sentence)
  const pieces = piecesOf(kept, place)
  const state: State = { clauses: [], lead: [...lead], before: null }
  for (const [index, { items, role }] of pieces.entries()) {
    if (role === 'reason') reasons.push(withoutJoints(items))
    // `Thanks for your help`
    const isPolite = role === 'polite' || (has(items[0], 'for') && pieces[index - 1]?.role === 'polite')
    if (role === 'reason' || isPolite) continue
    state.before = role === 'condition' ? addCondition(state, pieces, index) : addPiece(state, pieces, index)
  }
  const isAlone = state.clauses.length === 1
  const clauses = state.clauses.map((clause) => withReserved(withTopic(isAlone ? withSubject(clause) : clause)))
  return { clauses, reasons, open: clauses.length === 0 ? state.lead : [] }
}

function startClause({ clauses, lead }: State, items: readonly Item[], more: Partial<Clause> = {}): void {
  const none = { isOtherwise: false, isElliptic: false, isReserved: false }
  clauses.push({ main: withoutJoints(items), conditions: [...lead], ...none, ...more })
}

/** Adds a condition to the open clause, or to the clauses to come. Returns the role for the next piece. */
function addCondition(state: State, pieces: readonly Piece[], index: number): State['before'] {
  const { clauses, lead } = state
  const [open, { items, isLead }] = [clauses.at(-1), pieces[index] as Piece]
  // `Use it for tips, and for nothing else`
  if (open !== undefined && open.conditions.length > 0 && has(withoutJoints(items)[0], 'for') && isRest(items)) {
    open.isReserved = true
    return 'condition'
  }
  // `KX-40、機器についての質問では`: the first names of a condition that ends with its particle.
  if (
    open !== undefined &&
    has(items.at(-1), 'when_end', 'unless') &&
    !hasPredicate(open.main) &&
    open.main.at(-1)?.key !== 'は' &&
    clauses.length === 1
  ) {
    lead.push([...open.main, ...items])
    clauses.pop()
    return 'condition'
  }
  const joints = items.slice(0, items.length - withoutJoints(items).length)
  const isInserted = joints.length > 1 && pieces[index + 1]?.role === 'names' && pieces.length === index + 2
  const next = isInserted ? pieces[index + 1] : pieces.slice(index + 1).find(({ role }) => role !== 'names' || isLead)
  if (open !== undefined && isLeadOfNext(pieces[index] as Piece, next, { open, before: state.before })) {
    state.lead = [[...items]]
    return 'lead'
  }
  const own = [...items]
  // `Hide A and hide B, unless …`: a condition behind a comma is that of all equal requests.
  const isLike = (clause: Clause) =>
    clause.conditions.length === 0 && open !== undefined && isOut(clause) === isOut(open)
  const isShared = joints.some(({ isComma }) => isComma)
  if (open === undefined) lead.push(own)
  for (const clause of clauses) if (clause === open || (isShared && isLike(clause))) clause.conditions.push(own)
  return 'condition'
}

const isOut = ({ main }: Clause): boolean => main.some((item) => has(item, 'exclude', 'not'))

/** `…, and for bundling use Vite`: a condition after a request can be that of the next one. */
function isLeadOfNext(
  { items, isLead }: Piece,
  next: Piece | undefined,
  { open, before }: { open: Clause; before: State['before'] },
): boolean {
  const joints = items.slice(0, items.length - withoutJoints(items).length)
  const isJoined = joints.some(({ isComma }) => !isComma)
  // `Prefer A and, for questions about X, B`
  if (isJoined && joints.length > 1 && next?.role === 'names') return hasPredicate(open.main)
  if (next === undefined || (next.role !== 'request' && !isLead)) return false
  if (before === 'aside') return joints.length > 0
  return hasPredicate(open.main) && (isJoined || (joints.length > 0 && open.conditions.length > 0))
}

/** Adds a piece to the open clause or its condition, or begins another clause. Returns the role for the next piece. */
function addPiece(state: State, pieces: readonly Piece[], index: number): State['before'] {
  const { clauses, lead, before } = state
  const { items, role, isOtherwise } = pieces[index] as Piece
  const open = clauses.at(-1)
  if (open === undefined) {
    // `Billing questions: the wiki`
    const isMore = role === 'names' && before === 'condition' && items[0]?.text !== ':'
    if (isMore) lead.at(-1)?.push(...items)
    else startClause(state, items, { isOtherwise })
    return isMore ? 'condition' : role
  }
  if (
    before === 'lead' &&
    role === 'names' &&
    pieces.slice(index).find((next) => next.role !== 'names')?.role === 'request'
  ) {
    // `…, and when asked how large, …`
    lead.at(-1)?.push(...items)
    return 'lead'
  }
  const isDenied = items.some((item) => has(item, 'not')) && open.conditions.length > 0
  if (isOtherwise && withoutJoints(items).every((item) => has(item, 'otherwise', 'filler', 'not')) && isDenied)
    open.isReserved = true
  else if (isOtherwise && withoutJoints(items).every((item) => has(item, 'otherwise', 'filler')))
    open.isOtherwise = true
  else if (isRest(items)) open.main.push(...items)
  else if (role === 'aside' || before === 'lead')
    startClause(state, items, { isOtherwise, isElliptic: role === 'names' })
  else if (role === 'request') {
    const isElliptic = isComparison(open.main) && isComparison(withoutJoints(items)) && !hasPredicate(items)
    if (isElliptic || beginsClause(pieces, index, { open, before }))
      startClause(state, items, { isOtherwise, isElliptic })
    else open.main.push(...items)
  } else return addNames(state, pieces, index)
  return role
}

/** `A before B`: of two comparisons each has its own clause. */
function isComparison(items: readonly Item[]): boolean {
  const at = items.findIndex((item) => has(item, 'flip') && !has(item, 'in'))
  return at > 0 && items.slice(0, at).some(isNamed) && items.slice(at).some(isNamed)
}

/** `and nothing else`: it makes the names before it the only ones. */
const isRest = (items: readonly Item[]): boolean =>
  items.some((item) => has(item, 'other') && has(item, 'only')) &&
  items.every((item) => isJoint(item) || has(item, 'other', 'generic', 'filler', 'for'))

/** Adds a piece without a predicate. */
function addNames(state: State, pieces: readonly Piece[], index: number): State['before'] {
  const { clauses, before } = state
  const { items, isOtherwise, isContrast } = pieces[index] as Piece
  const open = clauses.at(-1) as Clause
  const isTold = pieces[index + 1]?.role === 'condition'
  if (isOtherwise || (before === 'condition' && isTold)) startClause(state, items, { isOtherwise, isElliptic: true })
  else if (before === 'condition') {
    // `A, B or C` continues the condition, unless the verb before it still has no object.
    const isObject = hasPredicate(open.main) && !open.main.some(isNamed)
    if (isObject) open.main.push(...items)
    else open.conditions.at(-1)?.push(...items)
    return 'condition'
  } else if (before === 'aside' || isContrast || isSentence(items)) startClause(state, items)
  else if (endsWithRank(open.main) && isRankList(pieces.slice(index))) startClause(state, items)
  else open.main.push(...items)
  return 'names'
}

/** A statement of its own, which takes no predicate from the clause before. */
const isSentence = (items: readonly Item[]): boolean =>
  items.some((item, at) => has(item, 'must') || (has(item, 'is') && !has(item, 'filler') && !has(items[at + 1], 'in')))

/** `Never answer pricing questions from the forum`: the questions are a condition. */
function withTopic(clause: Clause): Clause {
  const { main, conditions } = clause
  const from = main.findIndex((item) => has(item, 'answer')) + 1
  const to = main.findIndex((item) => has(item, 'questions')) + 1
  const topic = main.slice(from, to)
  const isWord = (item: Item) => isUnread(item) || item.meaning.part !== undefined
  const isTopic = from > 0 && topic.length > 1 && topic.slice(0, -1).every(isWord)
  if (!isTopic || !has(main[to], 'in', 'filler') || conditions.length > 0) return clause
  return { ...clause, main: [...main.slice(0, from), ...main.slice(to)], conditions: [topic] }
}

/** `Never quote the blog about refunds`: of questions, unlike `hide the posts about refunds`. */
function withSubject(clause: Clause): Clause {
  const { main, conditions } = clause
  const at = main.findIndex((item, index) => {
    const before = main[index - 1]
    const isOf = before !== undefined && isName(before) && !has(before, 'generic', 'section', 'folder')
    return isOf && ABOUT.test(item.key) && main.slice(0, index).some(({ key }) => SAID.test(key))
  })
  const topic = main.slice(at)
  const isTopic = (item: Item) =>
    isUnread(item) || item.meaning.part !== undefined || has(item, 'article', 'filler', 'and', 'or', 'polite')
  const isWhole = at > 0 && conditions.length === 0 && topic.length > 1 && topic.slice(1).every(isTopic)
  return isWhole ? { ...clause, main: main.slice(0, at), conditions: [topic] } : clause
}

const ABOUT = /^(?:about|on|uber|zu|sur|sobre|su)$/
/** Verbs whose `on` is `about`. */
const SAID = /^(?:quot|trust|believ|consult|ask|rely|relies|zitier|vertrau|glaub|fais confiance|confi)/

const SOLE = /quelle|source|fuente|fonte|来源|情報源/
/** `only` right before a condition restricts the condition, not the names: `use the wiki only when …`. */
function withReserved(clause: Clause): Clause {
  const { main, conditions } = clause
  const start = conditions[0]?.[0]?.start
  if (start === undefined) return clause
  const end = conditions.at(-1)?.at(-1)?.end ?? 0
  const content = main.filter((item) => !item.isComma && !has(item, 'filler', 'polite'))
  const before = content.findLast((item) => item.start < start)
  const [first, last] = [content.find((item) => item.start >= end), content.at(-1)]
  // `… is for German questions only`, `…質問にだけ使って`
  const isAfter =
    first !== undefined && content[0] !== first && (first === last || (first.start === end && isDense(first.text)))
  // `Beta pages may only be used when …`
  const only = content.findLastIndex((item) => has(item, 'only') && item.start < start)
  const isVerbOnly = content.slice(only + 1).every((item) => item.start < start && has(item, 'use', 'is', 'must'))
  const isLate = only > 0 && isVerbOnly && content.slice(0, only).some(isNamed)
  // `X is the only source for Y`
  const isSole = content.some((item) => has(item, 'only') && SOLE.test(item.key))
  const isReserved =
    isLate ||
    has(before, 'only') ||
    (isAfter && has(first, 'only') && !isSole) ||
    main.some((item) => has(item, 'reserve'))
  return isReserved ? { ...clause, isReserved, main: main.filter((item) => !has(item, 'only', 'reserve')) } : clause
}

/** True if the request of a piece is a new one, and not the rest of the open clause. */
function beginsClause(
  pieces: readonly Piece[],
  index: number,
  { open, before }: { open: Clause; before: State['before'] },
): boolean {
  const { items, isContrast, isOtherwise } = pieces[index] as Piece
  const plain = withoutJoints(items)
  if (isRestOfSubject(open.main, plain)) return false
  const isComplete = open.main.some(isNamed) && isDecided(open.main)
  // `Search, when asked about X, only Y`, and `the wiki, when asked about X, comes first`
  if (before === 'condition' && !isComplete && !isAside(open.main)) return false
  if (before === 'aside' || before === 'condition' || isOtherwise) return true
  if (isRanking(pieces, index, open)) return true
  const isNegated = open.main.some((item) => has(item, 'not'))
  // `Not the blog, but the guides`, and `Never the forum, always the docs`
  if (isContrast && has(open.main[0], 'not') && open.main.some(isNamed)) return true
  if (has(plain[0], 'always', 'first') && isNegated && plain.some(isNamed)) return true
  // `…, and never the blog` leaves it out.
  if (NEVER.test(plain[0]?.key ?? '') && isComplete && plain.some(isName)) return true
  // `…, not the blog` contrasts.
  const hasVerb = plain.some((item) => has(item, 'must', ...VERBS) && !has(item, 'filler', 'not'))
  if (has(plain[0], 'not') && !hasVerb) return false
  return (isSeparate(items, isContrast) && isDecided(open.main)) || (isWhole(plain) && isFinished(open.main))
}

const NEVER = /^(?:never|nie|niemals|jamais|nunca|jamas|mai)$/

/** `Only A` and `B may be searched`: the verb is that of both. */
function isRestOfSubject(main: readonly Item[], plain: readonly Item[]): boolean {
  const rank: readonly Tag[] = ['up', 'down', 'exclude', 'only', 'not', ...RANKS]
  const verb = plain.findIndex((item) => has(item, 'must'))
  const isSubject =
    has(main[0], 'only') && !main.some((item) => has(item, 'use', 'must', 'is') && !has(item, 'filler', 'only'))
  return isSubject && verb > 0 && plain.slice(0, verb).some(isNamed) && !plain.some((item) => has(item, ...rank))
}

/** True for a piece that can be a clause by its first words. */
function isSeparate(items: readonly Item[], isContrast: boolean): boolean {
  if (isContrast || startsWithVerb(items)) return true
  const any = (tag: Tag) => items.some((item) => has(item, tag))
  return any('must') || (any('not') && any('use')) || items.some((item) => isDense(item.text))
}

/** Words that decide about an effect, besides a verb such as `show`. */
const DECISIVE: readonly Tag[] = ['up', 'down', 'exclude', 'only', 'first', 'last', 'then', 'always']

/** True for a clause with a predicate, a rank or a comparison. */
function isDecided(items: readonly Item[]): boolean {
  return (
    hasPredicate(items) || items.some((item) => has(item, 'not', 'flip', 'flip_after', ...DECISIVE) && !has(item, 'in'))
  )
}

/** True for a piece with a name before its predicate: `the PDF has priority`. */
function isWhole(items: readonly Item[]): boolean {
  const name = items.findIndex(isNamed)
  return name >= 0 && items.findIndex((item) => has(item, ...DECISIVE) && !has(item, 'in')) > name
}

/** True for a clause that no further name can belong to: it has a decisive word, or ends with its verb. */
function isFinished(items: readonly Item[]): boolean {
  const hasRank = items.some((item) => has(item, ...DECISIVE) && !has(item, 'in'))
  const last = items.findLast((item) => !item.isComma && !has(item, 'filler', 'polite'))
  return items.some(isNamed) && (hasRank || has(last, 'use'))
}

/** `Rank A first` and `B last`; `Prefer A over B` and `C last`: the piece has a rank of its own. */
function isRanking(pieces: readonly Piece[], index: number, open: Clause): boolean {
  const piece = pieces[index] as Piece
  if (endsWithRank(open.main) && isRankList(pieces.slice(index))) return true
  if (!open.main.some((item) => has(item, ...RANKS, 'flip') && !has(item, 'in'))) return false
  const rank = piece.items.findLast((item) => has(item, ...RANKS))
  if (isRankList([piece]) && has(rank, 'last', 'down', 'exclude')) return true
  return has(
    withoutJoints(piece.items).find((item) => !has(item, 'filler', 'in')),
    'last',
  )
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

/** Takes out reasons that a particle ends: `古いので`. They begin after the topic of the sentence. */
function withoutReasons(sentence: readonly Item[]): { kept: Item[]; reasons: Item[][] } {
  const end = sentence.findIndex((item) => has(item, 'reason_end'))
  if (end < 0) return { kept: [...sentence], reasons: [] }
  const from = sentence.slice(0, end).findLastIndex((item) => item.key === 'は' || item.isComma) + 1
  return { kept: [...sentence.slice(0, from), ...sentence.slice(end + 1)], reasons: [sentence.slice(from, end)] }
}
