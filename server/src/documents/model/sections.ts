import type { Block, HeadingBlock, Section, Span } from './document.ts'

/** Maximum sections of a page. Text after the last one belongs to it, because tools compare neighbouring sections. */
export const MAX_SECTIONS = 4_000

type Draft = Section & { path: string[]; blocks: Exclude<Block, HeadingBlock>[] }

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
      else if (sections.length === 0) sections.push({ ...OUTSIDE, path: [], start: 0, end: -1, close: -1, blocks: [] })
      sections.at(-1)?.blocks.push(block)
    }
  }
  for (const [index, section] of sections.entries()) section.end = sections[index + 1]?.start ?? length
  for (const section of open) section.close = length
  for (const section of sections) if (section.close < 0) section.close = section.end
  return sections
}

const OUTSIDE = { level: 0, heading: '', anchor: null, body: 0 } as const

function enter(sections: Draft[], open: Draft[], heading: HeadingBlock, length: number): void {
  const { level, start, end } = heading
  closeTo(open, level, start)
  // A heading without an anchor uses that of the nearest enclosing one below the title.
  const enclosing = open.at(-1)
  const anchor = heading.anchor ?? (enclosing && enclosing.level > 1 ? enclosing.anchor : null)
  const path = open.map((section) => section.heading)
  const section: Draft = {
    level,
    heading: heading.text,
    anchor,
    path,
    start,
    body: Math.min(end + 1, length),
    end: -1,
    close: -1,
    blocks: [],
  }
  sections.push(section)
  open.push(section)
}

/** Continues the section of the innermost open heading at this level or above. */
function resume(sections: Draft[], open: Draft[], level: number, start: number): void {
  closeTo(open, level + 1, start)
  const owner = open.at(-1)
  const { heading, anchor, path } = owner ?? { heading: '', anchor: null, path: [] }
  sections.push({
    level: owner?.level ?? 0,
    heading,
    anchor,
    path,
    start,
    body: start,
    end: -1,
    close: -1,
    blocks: [],
    continues: true,
  })
}

function closeTo(open: Draft[], level: number, at: number): void {
  while ((open.at(-1)?.level ?? 0) >= level) {
    const section = open.pop()
    if (section) section.close = at
  }
}

/** A part of a section, such as a row of a table in it, with the heading and address of the section. */
export function partOfSection(outer: Section | undefined, { start, end }: Span): Section {
  const section = outer ?? { ...OUTSIDE, path: [] }
  return { ...section, start, body: start, end, close: end, blocks: [] }
}

/** True if a heading path begins with another, both outermost first. */
export const isUnder = (outer: readonly string[], path: readonly string[]): boolean =>
  outer.every((heading, level) => path[level] === heading)

/** Headings as citations show them, outermost first. */
export const joinHeadings = (headings: readonly string[]): string => headings.join(' › ')
