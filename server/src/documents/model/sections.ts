import type { Block, HeadingBlock, Section, Span } from './document.ts'
import { proseKind } from './read-block.ts'

/** Maximum sections of a page. Text after the last one belongs to it, because tools compare neighbouring sections. */
export const MAX_SECTIONS = 4_000

type Draft = Section & { blocks: Exclude<Block, HeadingBlock>[] }

/** Builds the sections of a page from its blocks, in order. */
export function sectionsOf(blocks: readonly Block[], length: number, most = MAX_SECTIONS): Section[] {
  const sections: Draft[] = []
  const open: Draft[] = []
  for (const block of blocks) {
    const isFull = sections.length >= most
    if (block.kind === 'heading') {
      if (!isFull) enter(sections, open, block, length)
    } else {
      if (block.resumes !== undefined && sections.length > 0 && !isFull)
        resume(sections, open, block.resumes, block.start)
      else if (sections.length === 0) sections.push(begun({ ...OUTSIDE, start: 0 }))
      sections.at(-1)?.blocks.push(block)
    }
  }
  for (const [index, section] of sections.entries()) section.end = sections[index + 1]?.start ?? length
  for (const section of open) section.close = length
  for (const section of sections) if (section.close < 0) section.close = section.end
  return sections
}

const OUTSIDE = { level: 0, heading: '', anchor: null, path: [], body: 0 }

/** A section whose ends are not known yet. */
function begun(known: Pick<Section, 'level' | 'heading' | 'anchor' | 'path' | 'start' | 'body'>): Draft {
  return { ...known, end: -1, close: -1, blocks: [] }
}

function enter(sections: Draft[], open: Draft[], heading: HeadingBlock, length: number): void {
  const { level, start, end } = heading
  closeTo(open, level, start)
  // A heading without an anchor uses that of the nearest enclosing one below the title.
  const enclosing = open.at(-1)
  const anchor = heading.anchor ?? (enclosing && enclosing.level > 1 ? enclosing.anchor : null)
  const path = open.map((section) => section.heading)
  const section = begun({ level, heading: heading.text, anchor, path, start, body: Math.min(end + 1, length) })
  sections.push(section)
  open.push(section)
}

/** Continues the section of the innermost open heading at this level or above. */
function resume(sections: Draft[], open: Draft[], level: number, start: number): void {
  closeTo(open, level + 1, start)
  const { level: own, heading, anchor, path } = open.at(-1) ?? OUTSIDE
  sections.push({ ...begun({ level: own, heading, anchor, path, start, body: start }), continues: true })
}

function closeTo(open: Draft[], level: number, at: number): void {
  while ((open.at(-1)?.level ?? 0) >= level) {
    const section = open.pop()
    if (section) section.close = at
  }
}

/** A part of a section, such as a row of a table in it, with the heading and address of the section. */
export function partOfSection(outer: Section | undefined, { start, end }: Span): Section {
  return { ...(outer ?? OUTSIDE), start, body: start, end, close: end, blocks: [] }
}

/** True if a heading path begins with another, both outermost first. */
export const isUnder = (outer: readonly string[], path: readonly string[]): boolean =>
  outer.every((heading, level) => path[level] === heading)

/** Headings as citations show them, outermost first. */
export const joinHeadings = (headings: readonly string[]): string => headings.join(' › ')

/** The part of a block inside a span, as a block. Its kind is told by the first lines of the whole. */
export function clippedBlock(text: string, whole: Block, span: Span): Block {
  const start = Math.max(whole.start, span.start)
  const end = Math.min(whole.end, span.end)
  if (start === whole.start && end === whole.end) return ofItsKind(text, whole)
  const { resumes, ...own } = { resumes: undefined, ...whole }
  const rest = start > whole.start ? ({ continues: true } as const) : resumes === undefined ? {} : { resumes }
  if (own.kind === 'heading') return { ...own, start, end, ...rest }
  if (own.kind !== 'code') return { ...ofItsKind(text, own), start, end, ...rest }
  const codeStart = Math.min(end, Math.max(start, own.codeStart))
  return { ...own, start, end, codeStart, codeEnd: Math.max(codeStart, Math.min(end, own.codeEnd)), ...rest }
}

/** A block of prose with the kind that its first lines tell. */
function ofItsKind<B extends Block>(text: string, block: B): B {
  if (block.kind === 'heading' || block.kind === 'code') return block
  const kind = proseKind(text, block)
  return kind === block.kind ? block : { ...block, kind }
}

/** The parts of blocks inside a span, in order. */
export function clippedBlocks(text: string, blocks: readonly Block[], span: Span): Block[] {
  return blocks
    .filter((block) => block.start < span.end && block.end > span.start)
    .map((block) => clippedBlock(text, block, span))
}

/** Joins the parts of divided blocks. `parts` are the blocks of adjacent passages of a page, in order. */
export function joinedBlocks(parts: Iterable<Block>): Block[] {
  const blocks: Block[] = []
  for (const part of parts) {
    const last = blocks.at(-1)
    if (!part.continues || last === undefined) blocks.push(part)
    else if (last.kind === 'code' && part.kind === 'code')
      // The last part can be the closing fence alone.
      blocks[blocks.length - 1] = {
        ...last,
        end: part.end,
        codeEnd: part.codeEnd > part.codeStart ? part.codeEnd : last.codeEnd,
      }
    else blocks[blocks.length - 1] = { ...last, end: part.end }
  }
  return blocks
}
