import type { Block, ExtractedPage } from '#extract/extracted-page.ts'
import type { HeadingAbove } from '#search/page.ts'
import { createHeadingTracker, type HeadingPath } from './heading-path.ts'
import { memberEnd } from './member-end.ts'
import { SIZES } from './sizes.ts'
import { type Span, splitBlock } from './split-block.ts'

/**
 * Passages per page after which only size splits them. The largest references have some 5,000 sections; a page of
 * headings alone would take six times its size in the index.
 */
const MOST_SECTIONS = 10_000

/** A passage: its span, and the heading path of its section. */
export type Passage = Span & HeadingPath & { above: HeadingAbove[] }

/** A passage under construction: one or more pieces of blocks. */
type Draft = HeadingPath & {
  pieces: Piece[]
  /** Leading headings without text, outermost first. */
  above: HeadingAbove[]
  /** It contains only headings so far, so a deeper heading may still join it. */
  opening: boolean
  /** Ordinal of the section in which it began. */
  section: number
  /** The API member that it documents, or null. */
  member: Member
}

/** End of a member, and whether all of it fits into one passage. */
type Member = { end: number; fits: boolean } | null

type Placed = { path: HeadingPath; section: number; member: Member }

type Piece = Span & {
  kind: Block['kind']
  /** It starts a section, or resumes one after a subsection. */
  begins: boolean
}

/**
 * Joins the pieces of a page's blocks into passages of the sizes in `SIZES`. Each belongs to one section, because
 * citations name one. There are two exceptions. Headings without text join the first section below them. The parts of
 * an API member stay together if all of it fits.
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
      // Each member gets a passage, however short, because users search for it by name.
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

/** Adds a piece to the last draft, or starts a new one. */
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

/** Returns whether a draft of headings takes in a section, which must be below the last of them. */
function isOpenFor(draft: Draft, piece: Piece, path: HeadingPath): boolean {
  return (
    draft.opening &&
    piece.kind === 'heading' &&
    path.headings.length > draft.headings.length &&
    draft.headings.every((heading, at) => heading === path.headings[at])
  )
}

/** Returns whether a piece belongs to the whole member in a draft, and is no member itself. */
function isOfMember(draft: Draft, piece: Piece, member: Member): boolean {
  return member === null && draft.member?.fits === true && piece.start < draft.member.end
}

/** Returns whether `piece` needs a new passage because of its size. */
function isFull(draft: Draft, piece: Piece): boolean {
  const { start, end } = extent(draft.pieces)
  const grown = piece.end - start
  if (draft.member?.fits && piece.start < draft.member.end) return false
  if (grown > SIZES.most) return true
  return !draft.opening && end - start >= SIZES.least && grown > SIZES.usual
}

/** Moves the line that introduces a code block or table (`Then run:`, a file name) with it. */
function takeLead(draft: Draft, piece: Piece): Piece | undefined {
  const lead = draft.pieces.at(-1)
  if (piece.kind !== 'code' && piece.kind !== 'table') return undefined
  if (lead?.kind !== 'text' || draft.pieces.length < 2 || draft.pieces.at(-2)?.kind === 'heading') return undefined
  if (lead.end - lead.start > SIZES.lead || piece.end - lead.start > SIZES.most) return undefined
  draft.pieces.pop()
  return lead
}

/** The rest of a section is often a line or two. Merges it into the previous passage rather than the next section. */
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
