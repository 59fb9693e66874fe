import type { Block, Section } from '#documents/model/document.ts'
import { joinHeadings, sectionsOf } from '#documents/model/sections.ts'
import { sectionAddress, withoutSection } from '#lib/addresses/page-address.ts'
import { addressInPassage } from '#search/passage-of-chunk.ts'
import type { Passage, PassageCode } from '#search/passage.ts'
import { oneLine } from './frame.ts'

/** Location of a code block within its passage. */
export type CodePlace = {
  heading: string
  url: string
  /**
   * Description of the block: the last line of prose between its heading and it. If the block comes first, as in pages
   * made from source code, the text after it, unless that introduces another block. Can be empty.
   */
  context: string
}

/** Locates a code block. A passage is cited by its first section, and can contain parts with headings. */
export function placeOfCode(found: Passage, { start: at }: Pick<PassageCode, 'start'>): CodePlace {
  const { passage, blocks, headings, turns } = found
  const url = addressInPassage(found, at)
  const sections = sectionsOf(blocks, passage.length)
  const own = sections.findLast(({ start }) => start < at)
  const context = own === undefined ? '' : contextOf(passage, own.blocks, at)
  if (own === undefined || own.level <= 1 || headings.length === 0 || own.heading === headings.at(-1))
    return { heading: joinHeadings(headings), url, context }
  const isExact = own.anchor !== null && turns.length === 0
  return {
    heading: joinHeadings(pathTo(own, headings, sections)),
    url: isExact ? sectionAddress(withoutSection(url), own.anchor) : url,
    context,
  }
}

/** Sections of one passage are siblings, or nested in one another. */
function pathTo(own: Section, path: readonly string[], sections: readonly Section[]): string[] {
  const first = sections.find(({ heading }) => heading === path.at(-1))
  return [...(first && own.level > first.level ? path : path.slice(0, -1)), own.heading]
}

function contextOf(passage: string, blocks: readonly Block[], at: number): string {
  const textOf = ({ start, end }: Block) => passage.slice(start, end)
  const before = blocks.findLast(({ kind, end }) => kind !== 'code' && end <= at)
  if (before) return oneLine(textOf(before).split('\n').at(-1) ?? '')
  const after = blocks.find(({ start }) => start > at)
  if (after === undefined || after.kind === 'code' || after.kind === 'table') return ''
  const text = textOf(after)
  return text.endsWith(':') ? '' : oneLine(text)
}
