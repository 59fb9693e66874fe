import { sourceKind } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'
import { sectionAddress, withoutSection } from '#lib/addresses/page-address.ts'
import type { Passage } from '#search/passage.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'
import type { Chunk } from '#search/page.ts'
import { clippedBlocks, joinedBlocks } from './model/clip-blocks.ts'
import type { Block, Entry, EntryKind, Section, Span } from './model/document.ts'
import { joinHeadings } from './model/sections.ts'

/** A page of a server's sources, without its text. */
export type LibraryPage = {
  sourceId: string
  type: SourceType
  /** Absolute URL without fragment. */
  url: string
  title: string
  textHash: string
  /** Location of the page in the index. */
  part: SourceSegment
  page: number
}

/** A page with its text and sections. */
export type OpenPage = LibraryPage & { markdown: string; sections: readonly Section[] }

/** A page of an index, by its number. */
export function pageOf(part: SourceSegment, page: number): LibraryPage {
  const { segment, sourceId, type } = part
  const { url, title, textHash } = segment.head(page)
  return { sourceId, type, url, title, textHash, part, page }
}

/** True if a page comes from an API description, such as an operation or a schema, in any type of source. */
export function isOfApi({ type, url }: Pick<LibraryPage, 'type' | 'url'>): boolean {
  return sourceKind(type).describesApi || /[?&]docent-(?:operation|webhook|schema|type|directive|problem)=/.test(url)
}

/** Indexed chunks of a page. */
export function chunksOf({ part, page }: LibraryPage): readonly Chunk[] {
  return part.segment.record(page).chunks
}

/** Things of one kind that a page names, in order. */
export function entriesOn(page: LibraryPage, kind: EntryKind): Entry[] {
  return chunksOf(page).flatMap(({ entries = [] }) => entries.filter((entry) => entry.kind === kind))
}

/** Blocks of a page. */
export function blocksOf(page: LibraryPage): Block[] {
  return joinedBlocks(chunksOf(page).flatMap(({ blocks }) => blocks))
}

/** Blocks of a part of a page, clipped to it. */
export function blocksBetween(page: LibraryPage & { markdown: string }, span: Span): Block[] {
  const chunks = chunksOf(page).filter(({ start, end }) => start < span.end && end > span.start)
  return clippedBlocks(page.markdown, joinedBlocks(chunks.flatMap(({ blocks }) => blocks)), span)
}

/**
 * Addresses of the text of a page from one offset to another, each with the offset from which it applies. The first one
 * applies at `from`.
 */
export function addressesBetween(page: LibraryPage, from: number, to: number): { start: number; url: string }[] {
  const marks = chunksOf(page).flatMap(({ start, anchor, turns = [] }) => [{ start, anchor }, ...turns])
  const first = marks.findLastIndex(({ start }) => start <= from)
  return marks
    .slice(Math.max(0, first))
    .filter(({ start }) => start < to)
    .map(({ start, anchor }) => ({ start, url: sectionAddress(page.url, anchor) }))
}

/** Pages of searches by URL, with 1 for the best page of each search and less for others. */
export function pageRanks(...searches: (readonly Passage[])[]): Map<string, number> {
  const ranks = new Map<string, number>()
  for (const passages of searches)
    for (const [at, { url }] of passages.entries()) {
      const address = withoutSection(url)
      if (!ranks.has(address)) ranks.set(address, 1 - at / passages.length)
    }
  return ranks
}

/** The most precise URL for a section. */
export function addressAt(page: LibraryPage, { anchor, level }: Section): string {
  return level === 0 ? page.url : sectionAddress(page.url, anchor)
}

/** The most precise URL for the text at an offset in a section. In a PDF it can be on a later page than the heading. */
export function addressOfText(page: OpenPage, section: Section, at: number): string {
  const isPdf = chunksOf(page)[0]?.anchor?.startsWith('page=') ?? false
  const [own] = isPdf ? addressesBetween(page, at, at + 1) : []
  return own?.url ?? addressAt(page, section)
}

/** Headings above a section and its own, as citations show them, without the page title. */
export function headingPath({ title }: OpenPage, { path, heading, level }: Section): string {
  const headings = level === 0 ? path : [...path, heading]
  return joinHeadings(headings[0] !== undefined && isTitle(headings[0], title) ? headings.slice(1) : headings)
}

/** Same rule as in `chunk/heading-path.ts`: the title may have a suffix with its purpose or kind. */
function isTitle(heading: string, title: string): boolean {
  const name = title.replace(/\s—\s.*$/s, '')
  return heading === title || heading === name || (name !== '' && heading.startsWith(`${name} `))
}

/** Page URL without fragment. Parts of an API description keep theirs, because the description is one document. */
export function pageAddress(page: LibraryPage): string {
  const anchor = isOfApi(page) ? chunksOf(page)[0]?.anchor : null
  return sectionAddress(page.url, anchor ?? null)
}

/**
 * Maximum characters for tools that read a whole page: about 300,000 words, more than the longest single-page manuals.
 */
export const MAX_PAGE = 2_000_000

/** Truncates a page for tools, which have a deadline. Search uses the whole page. */
export function boundedPage(markdown: string): string {
  return markdown.length > MAX_PAGE ? markdown.slice(0, MAX_PAGE).toWellFormed() : markdown
}
