import type { Block, ExtractedPage } from '#ingest/extract/extracted-page.ts'
import type { HeadingAbove } from '#search/page.ts'
import { createHeadingTracker, type HeadingPath } from './heading-path.ts'
import { memberEnd } from './member-end.ts'
import { SIZES } from './sizes.ts'
import { type Span, splitBlock } from './split-block.ts'

/**
 * Passages of a page after which only their size divides them. The largest references have some 5,000 sections; a page
 * made of headings alone would take six times its size in the index.
 */
const MOST_SECTIONS = 10_000

/** A passage: where it is, and the path of the section that all of it belongs to. */
export type Passage = Span & HeadingPath & { above: HeadingAbove[] }

/** A passage in the making: the pieces of blocks it is made of, at least one. */
type Draft = HeadingPath & {
  pieces: Piece[]
  /** Headings without text of their own that it begins with, each above the next. */
  above: HeadingAbove[]
  /** It holds headings only, so that a heading below them may still be its own. */
  opening: boolean
  /** Ordinal of the section it began in. */
  section: number
  /** Where the member of an API ends that it is, or null. */
  member: Member
}

/** Where a member ends, and whether it fits into a passage as a whole. */
type Member = { end: number; fits: boolean } | null

type Placed = { path: HeadingPath; section: number; member: Member }

type Piece = Span & {
  kind: Block['kind']
  /** A section begins with it, or goes on after one that is below it. */
  begins: boolean
}

/**
 * Puts the pieces of a page's blocks together to passages of the sizes in `SIZES`. Each is of one section, since it is
 * cited by one: only headings without text of their own go with the first section below them, and the parts of a member
 * of an API, where all of it fits, with the member.
 */
export function draftPassages({
  title,
  markdown,
  blocks,
}: Pick<ExtractedPage, 'title' | 'markdown' | 'blocks'>): Passage[] {
  const drafts: Draft[] = []
  const tracker = createHeadingTracker(title)
  let path: HeadingPath = { headings: [], anchor: null }
  let section = 0
  for (const [index, block] of blocks.entries()) {
    let member: Member = null
    if (block.kind === 'heading') {
      mergeRest(drafts)
      path = tracker.enter(block)
      section++
      const end = memberEnd(blocks, index, markdown)
      // A member stands alone, however little is said of it: it is what people ask for by name.
      if (end !== null) member = { end, fits: end - block.start <= SIZES.stretched }
    } else if (block.resumes !== undefined) {
      mergeRest(drafts)
      path = tracker.leave(block.resumes)
      section++
    }
    const begins = block.kind === 'heading' || block.resumes !== undefined
    for (const [part, span] of splitBlock(markdown, block, SIZES.most).entries())
      place(drafts, { ...span, kind: block.kind, begins: begins && part === 0 }, { path, section, member })
  }
  mergeRest(drafts)
  return drafts.map(({ pieces, headings, anchor, above }) => ({ ...extent(pieces), headings, anchor, above }))
}

/** Adds a piece to the last draft, or begins a new one with it. */
function place(drafts: Draft[], piece: Piece, { path, section, member }: Placed): void {
  const last = drafts.at(-1)
  const opening = piece.kind === 'heading'
  const isBelow = last !== undefined && piece.begins && isOpenFor(last, piece, path)
  const begins = piece.begins && drafts.length < MOST_SECTIONS
  if (last === undefined || isFull(last, piece) || (begins && !isBelow && !isOfMember(last, piece, member))) {
    const lead = last === undefined || last.section !== section ? undefined : takeLead(last, piece)
    const pieces = lead === undefined ? [piece] : [lead, piece]
    drafts.push({ pieces, ...path, above: [], opening, section, member })
    return
  }
  if (isBelow) {
    last.above.push({ start: last.pieces.at(-1)?.start ?? piece.start, anchor: last.anchor })
    Object.assign(last, path, { section, member })
  }
  last.pieces.push(piece)
  last.opening &&= opening
}

/** Whether a draft of headings alone takes in a section: one that is below the last of them. */
function isOpenFor(draft: Draft, piece: Piece, path: HeadingPath): boolean {
  return (
    draft.opening &&
    piece.kind === 'heading' &&
    path.headings.length > draft.headings.length &&
    draft.headings.every((heading, at) => heading === path.headings[at])
  )
}

/** Whether a piece is a part of the member that a draft holds as a whole, and no member itself. */
function isOfMember(draft: Draft, piece: Piece, member: Member): boolean {
  return member === null && draft.member?.fits === true && piece.start < draft.member.end
}

/** Whether `piece` has to begin a new passage for its size. */
function isFull(draft: Draft, piece: Piece): boolean {
  const { start, end } = extent(draft.pieces)
  const grown = piece.end - start
  if (draft.member?.fits && piece.start < draft.member.end) return false
  if (grown > SIZES.most) return true
  return !draft.opening && end - start >= SIZES.least && grown > SIZES.usual
}

/** The line that introduces a code block or table (`Then run:`, a file's name) goes with it when that is moved on. */
function takeLead(draft: Draft, piece: Piece): Piece | undefined {
  const lead = draft.pieces.at(-1)
  if (piece.kind !== 'code' && piece.kind !== 'table') return undefined
  if (lead?.kind !== 'text' || draft.pieces.length < 2 || draft.pieces.at(-2)?.kind === 'heading') return undefined
  if (lead.end - lead.start > SIZES.lead || piece.end - lead.start > SIZES.most) return undefined
  draft.pieces.pop()
  return lead
}

/** What is left of a section is often a line or two: it goes with the passage before it rather than with the next section. */
function mergeRest(drafts: Draft[]): void {
  const rest = drafts.at(-1)
  const before = drafts.at(-2)
  if (rest === undefined || before === undefined || rest.section !== before.section) return
  const { start, end } = extent(rest.pieces)
  if (end - start >= SIZES.least || end - extent(before.pieces).start > SIZES.stretched) return
  before.pieces.push(...rest.pieces)
  drafts.pop()
}

function extent(pieces: Piece[]): Span {
  return { start: pieces[0]?.start ?? 0, end: pieces.at(-1)?.end ?? 0 }
}
