import type { Block, Entry, HeadingBlock } from '../document.ts'
import { definitionsOf, proseKind } from '../read-block.ts'
import { sectionsOf } from '../sections.ts'
import { bareEntries } from './bare-entries.ts'
import { headingEntry, releaseSections } from './heading-entry.ts'
import { itemEntries, rowEntries } from './row-entries.ts'
import { labelEntry } from './label.ts'

/** More than the largest references have. Bounds what a damaged page adds to the index. */
const MOST_ENTRIES = 10_000

type Prose = Exclude<Block, HeadingBlock>

/** The things that a page names, in order. Linear in the length of the text. */
export function readEntries({
  title,
  markdown,
  blocks,
}: {
  title: string
  markdown: string
  blocks: readonly Block[]
}): Entry[] {
  const sections = sectionsOf(blocks, markdown.length, MOST_ENTRIES)
  const releases = releaseSections(title, sections)
  const hasDefinitions = markdown.includes('\n: ')
  const entries: Entry[] = []
  for (const section of sections) {
    if (entries.length >= MOST_ENTRIES) break
    // A changelog without a title has that of its first release.
    const isRelease = releases.has(section)
    const isTitle = section.heading === title && (section.level === 1 || !isRelease)
    const own = isTitle ? null : headingEntry(markdown, section, isRelease)
    if (own !== null) entries.push(own)
    for (const block of section.blocks) entries.push(...blockEntries(markdown, block, hasDefinitions))
    entries.push(...bareEntries(markdown, section))
  }
  return inOrder(entries).slice(0, MOST_ENTRIES)
}

function blockEntries(text: string, block: Prose, hasDefinitions: boolean): Entry[] {
  if (block.kind === 'table') return rowEntries(text, block)
  if (block.kind === 'list') return itemEntries(text, block)
  if (block.kind === 'code' || block.kind === 'image') return []
  if (block.kind === 'definition' || (hasDefinitions && proseKind(text, block) === 'definition'))
    return definitionsOf(text, block).flatMap(({ start, end, term }) => labelEntry(text, { start, end }, term) ?? [])
  return itemEntries(text, block)
}

/** By start. Entries are found section by section, so few are out of place. */
function inOrder(entries: Entry[]): Entry[] {
  const isSorted = entries.every((entry, at) => entry.start >= (entries[at - 1]?.start ?? 0))
  return isSorted ? entries : entries.toSorted((a, b) => a.start - b.start)
}
