import type { Block, Span } from '#documents/model/document.ts'
import { clippedBlock } from '#documents/model/sections.ts'
import { isDeclaredBelow } from '#documents/model/entries/declared-below.ts'
import { readEntries } from '#documents/model/entries/read-entries.ts'
import type { ExtractedPage } from '#extract/extracted-page.ts'
import { type Chunk, withEntries } from '#search/page.ts'
import { splitBlock } from './split-block.ts'

/**
 * Sizes of passages in UTF-16 units. An answer has five passages in at most 6 kB, so the usual passage must stay near 1
 * kB. Below some 300 characters a passage says little by itself, so only the end of a section makes one this short.
 * Passages over 2,000 would crowd others out of the answer.
 */
export const SIZES = {
  /** A shorter passage absorbs the following text of its section. */
  least: 350,
  /** A passage closes before it would grow beyond this. */
  usual: 1_000,
  /** The rest of a section may extend its last passage to this. */
  stretched: 1_400,
  /** Maximum length of a line that introduces the code or table right after it. */
  lead: 200,
  /** No passage is longer; larger code fences and tables are split. */
  most: 2_000,
} as const

/** Passages per page after which only size splits them. The largest references have some 5,000 sections. */
const MOST_SECTIONS = 10_000

/** A passage under construction: one or more pieces of blocks. */
type Draft = HeadingPath & {
  pieces: Piece[]
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
  block: Block
  /** It starts a section, or resumes one after a subsection. */
  begins: boolean
  /** It is a text that ends with a colon. */
  announces: boolean
}

/**
 * Splits a page into passages. A new one begins at each heading, or when the current one is full. Code fences and
 * tables are split only if one alone exceeds the maximum size. Each passage belongs to one section, however short,
 * because citations name one. There are two exceptions. Headings without text join the first section below them. The
 * parts of an API member stay together if all of it fits. Passages cover everything but blank lines, in order and
 * without overlap. A page without text gives none.
 */
export function chunkPage({ title, markdown, blocks }: Pick<ExtractedPage, 'title' | 'markdown' | 'blocks'>): Chunk[] {
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
      place(drafts, pieceOf(block, { ...span, begins: begins && part === 0 }, markdown), { path, section, member })
  }
  mergeRest(drafts)
  const chunks = drafts.map(({ pieces, headings, anchor }) => ({
    ...extent(pieces),
    headings,
    anchor,
    blocks: pieces.map(({ block }) => block),
  }))
  return withEntries(chunks, readEntries({ title, markdown, blocks }))
}

function pieceOf(whole: Block, { start, end, begins }: Span & { begins: boolean }, markdown: string): Piece {
  const { kind } = whole
  const announces = kind === 'paragraph' && markdown[end - 1] === ':'
  return { start, end, begins, kind, announces, block: clippedBlock(markdown, whole, { start, end }) }
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
    drafts.push({ pieces, ...path, opening, section, member })
    return
  }
  if (isBelow) {
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

/** Moves the line that introduces a code block or table with it. A list takes only a line with a colon. */
function takeLead(draft: Draft, piece: Piece): Piece | undefined {
  const lead = draft.pieces.at(-1)
  const takes = piece.kind === 'code' || piece.kind === 'table' || (piece.kind === 'list' && lead?.announces === true)
  if (!takes) return undefined
  if (lead?.kind !== 'paragraph' || draft.pieces.length < 2 || draft.pieces.at(-2)?.kind === 'heading') return undefined
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

/**
 * Returns the end of the API member at heading `index`: the next heading at its level or above, or the place where the
 * enclosing section resumes. Null if the heading is no member: a member heading declares it, or code with its name
 * follows at once. A heading without text before the next heading belongs to its enclosing section.
 */
function memberEnd(blocks: readonly Block[], index: number, markdown: string): number | null {
  const heading = blocks[index]
  const below = blocks[index + 1]
  if (heading?.kind !== 'heading' || below === undefined || below.kind === 'heading') return null
  if (!heading.declares && !isDeclaredBelow(heading.text, below, markdown)) return null
  for (let at = index + 1; at < blocks.length; at++) {
    const block = blocks[at]
    const level = block?.kind === 'heading' ? block.level : (block?.resumes ?? Infinity) + 1
    if (block && level <= heading.level) return block.start
  }
  return blocks.at(-1)?.end ?? null
}

/** The headings above a position in a page. */
type HeadingPath = { headings: string[]; anchor: string | null }

/**
 * Tracks a page's headings in order. `enter` takes the next heading and returns the path below it, outermost first. A
 * heading that repeats the title is not part of the path. It must be of level one or the first heading of the page, as
 * DocBook writes it. A first heading of level one that begins with the title counts too.
 */
function createHeadingTracker(title: string): {
  enter: (heading: Block & { kind: 'heading' }) => HeadingPath
  /** Returns the path of text that resumes below the last heading of this level or above. */
  leave: (level: number) => HeadingPath
} {
  const open: { level: number; text: string; anchor: string | null }[] = []
  let isFirst = true
  let titleAnchor: string | null = null
  // Reference pages append their purpose to the name.
  const name = plain(title.replace(/\s—\s.*$/s, ''))
  return {
    enter(heading) {
      while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop()
      const mayBeTitle = isFirst || heading.level === 1
      const text = plain(heading.text)
      // For example `git-log(1) Manual Page` on the page `git-log(1)`.
      const begins = isFirst && heading.level === 1 && name !== '' && text.startsWith(`${name} `)
      const isTitle = begins || (mayBeTitle && (text === plain(title) || text === name))
      isFirst = false
      if (isTitle) {
        titleAnchor = heading.anchor
        return { headings: [], anchor: titleAnchor }
      }
      // A heading without an anchor uses that of the nearest enclosing one.
      const anchor = heading.anchor ?? open.at(-1)?.anchor ?? null
      open.push({ level: heading.level, text: heading.text, anchor })
      return { headings: open.map(({ text }) => text), anchor }
    },
    leave(level) {
      while ((open.at(-1)?.level ?? 0) > level) open.pop()
      return {
        headings: open.map(({ text }) => text),
        anchor: open.length > 0 ? (open.at(-1)?.anchor ?? null) : titleAnchor,
      }
    },
  }
}

const plain = (text: string): string => text.trim().toLowerCase()
