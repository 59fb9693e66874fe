import { sourceKind } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'
import { sectionAddress, withoutSection } from '#lib/addresses/page-address.ts'
import { type Passage, passageOfChunk } from '#search/passage.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'
import type { Chunk } from '#search/page.ts'
import { clippedBlocks, joinedBlocks, joinHeadings } from './model/sections.ts'
import type { Block, Entry, EntryKind, HeadingBlock, Section, Span } from './model/document.ts'
import { type Catalogue, placesUnder } from '#search/catalogue/catalogue.ts'
import { pageOfChunk } from '#search/segment/postings-log.ts'
import { askedKeys, nameHash, nameKeys } from './model/name-key.ts'
import { plainInline } from './model/markdown-blocks.ts'

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

/** The kind of thing that a page of an API description is. Null for other pages. */
export function kindOfPage(page: Pick<LibraryPage, 'title' | 'type' | 'url'>): EntryKind | null {
  if (!isOfApi(page)) return null
  if (/: (?:GET|PUT|POST|DELETE|PATCH|HEAD|OPTIONS|TRACE|QUERY) \//.test(page.title)) return 'endpoint'
  return page.title.endsWith(' (schema)') ? 'schema' : null
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
function blocksBetween(page: LibraryPage & { markdown: string }, span: Span): Block[] {
  const chunks = chunksOf(page).filter(({ start, end }) => start < span.end && end > span.start)
  return clippedBlocks(page.markdown, joinedBlocks(chunks.flatMap(({ blocks }) => blocks)), span)
}

/** Addresses of a part of a page's text, each with the offset from which it applies. The first applies at `from`. */
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

/** Headings above a section and its own, without the page title. */
function headingsOf({ title }: OpenPage, { path, heading, level }: Section): readonly string[] {
  const headings = level === 0 ? path : [...path, heading]
  return headings[0] !== undefined && isTitle(headings[0], title) ? headings.slice(1) : headings
}

/** Headings above a section and its own, as citations show them, without the page title. */
export function headingPath(page: OpenPage, section: Section): string {
  return joinHeadings(headingsOf(page, section))
}

/** Same rule as in `chunk/chunk-page.ts`: the title may have a suffix with its purpose or kind. */
function isTitle(heading: string, title: string): boolean {
  const name = title.replace(/\s—\s.*$/s, '')
  return heading === title || heading === name || (name !== '' && heading.startsWith(`${name} `))
}

/** Page URL without fragment. Parts of an API description keep theirs, because the description is one document. */
export function pageAddress(page: LibraryPage): string {
  const anchor = isOfApi(page) ? chunksOf(page)[0]?.anchor : null
  return sectionAddress(page.url, anchor ?? null)
}

/** Maximum characters of a page that a tool reads: about 300,000 words, more than the longest single-page manuals. */
export const MAX_PAGE = 2_000_000

/** Truncates a page for tools, which have a deadline. Search uses the whole page. */
export function boundedPage(markdown: string): string {
  return markdown.length > MAX_PAGE ? markdown.slice(0, MAX_PAGE).toWellFormed() : markdown
}

/** A thing found by its name: an entry in a chunk of a page, or the page if its title has the name. */
export type Named = { page: LibraryPage; chunk: Chunk; entry: Entry | null }

/** The pages of a source that a scope allows. */
export type Shelf = { part: SourceSegment; catalogue: Catalogue; isWanted: (page: number) => boolean }

/** Only names such as `name` or `get` have more places, and the search ranks those better. */
const MOST_PLACES = 60
/** Places looked at for a page with the name as its title. */
const MOST_TITLES = 2_000

/** `isOwned`: only members (`sleep` of `Thread.sleep`), on pages whose title, or an entry of which, names the owner. */
export type Wanted = { name: string; isOwned?: true }

/** Entries and pages with a name, or else its last part. Compared by hash, so check them against the text. */
export function findNamed(shelves: readonly Shelf[], { name, isOwned }: Wanted): Named[] {
  const { whole, part, owner, isCommand } = askedKeys(name)
  const under = (some: readonly Shelf[], keys: readonly string[]) =>
    keys.flatMap((key) => some.flatMap((shelf) => namedPlaces(shelf, key)))
  const owned = shelves.flatMap((shelf) => {
    const owners = owner === null ? null : pagesNaming(shelf, owner)
    return owners === null ? [] : under([{ ...shelf, isWanted: (page) => owners.has(page) }], part)
  })
  if (isOwned) return owned
  // `Vec::drain` is a method and `vec::Drain` a type of a module; both are written alike, so try both.
  const places = [...under(shelves, whole), ...owned]
  const found = places.length > 0 || isCommand ? places : under(shelves, part)
  // Hundreds of pages can declare what one page is about.
  return found.toSorted((a, b) => Number(b.entry === null) - Number(a.entry === null)).slice(0, MOST_PLACES)
}

function namedPlaces({ part, catalogue, isWanted }: Shelf, key: string): Named[] {
  const { segment } = part
  const hash = nameHash(key)
  const found: Named[] = []
  const places = placesUnder(catalogue.names, hash)
  for (const [at, place] of places.slice(0, MOST_TITLES).entries()) {
    const page = pageOfChunk(segment.pageChunks, place)
    const isFirst = segment.pageChunks[page] === place
    // Bounds the lookups for a very common name, for which any place but its page will do.
    if (!isWanted(page) || (at >= MOST_PLACES * 4 && !isFirst)) continue
    if (at >= MOST_PLACES * 4 && !nameKeys(segment.head(page).title).includes(key)) continue
    const { title, chunk } = segment.passage(page, place)
    const own = pageOf(part, page)
    if (isFirst && nameKeys(title).includes(key)) found.push({ page: own, chunk, entry: null })
    for (const entry of chunk.entries ?? []) if (entry.keys.includes(hash)) found.push({ page: own, chunk, entry })
  }
  return found
}

/** Pages whose title or an entry of which is the owner of a member, or a longer or shorter form of its name. */
function pagesNaming({ part, catalogue, isWanted }: Shelf, owner: string): ReadonlySet<number> {
  const { segment } = part
  const forms = owner.split('.').map((_, at, parts) => parts.slice(at).join('.'))
  const hashes = forms.map(nameHash)
  const names = ([first, ...others]: readonly number[]) =>
    first !== undefined && (hashes.includes(first) || others.includes(hashes[0] ?? -1))
  const owners = new Set<number>()
  for (const place of placesUnder(catalogue.names, hashes.at(-1) ?? -1)) {
    if (owners.size >= MOST_PLACES) break
    const page = pageOfChunk(segment.pageChunks, place)
    if (owners.has(page) || !isWanted(page)) continue
    const { title, chunk } = segment.passage(page, place)
    const entries = (chunk.entries ?? []).map(({ keys }) => keys)
    if ([nameKeys(title).map(nameHash), ...entries].some(names)) owners.add(page)
  }
  return owners
}

/** The heading of an entry that is a section. Undefined for rows, items and other entries inside a section. */
export function headingOf({ chunk, entry }: Named): HeadingBlock | undefined {
  const block = entry === null ? undefined : chunk.blocks.find(({ start }) => start === entry.start)
  return block?.kind === 'heading' && (entry?.name.end ?? 0) <= block.end ? block : undefined
}

/** Characters of an entry inside a passage. */
const MOST = 2_000

/** Position among passages, and a score comparable with those of a search. */
export type Ranked = { rank?: number; score: number }

/** Makes a passage from a span of a looked-up page. `score` is comparable with the passages of a search. */
export function passageOfPage(
  page: OpenPage,
  given: Omit<Chunk, 'blocks' | 'entries'>,
  { rank = 1, score }: Ranked,
): Passage {
  const { title, sourceId, type, url, markdown } = page
  const chunk = { ...given, blocks: blocksBetween(page, given) }
  return { rank, score, title, sourceId, type, ...passageOfChunk({ url, markdown, chunk }) }
}

/** Characters of a section in a passage. */
const MOST_OF_SECTION = 4_000

/** Makes a passage from a section with its subsections, or a part of one. A long one ends after a block. */
export function passageOfSection(page: OpenPage, section: Section, ranked: Ranked): Passage {
  const { start, close, anchor, level } = section
  const own = chunksOf(page).filter((chunk) => chunk.start < close && chunk.end > start)
  const limit = start + MOST_OF_SECTION
  const blocks = close <= limit ? [] : own.flatMap((chunk) => chunk.blocks.map(({ end }) => end))
  const end = close <= limit ? close : Math.max(...blocks.filter((each) => each > start && each <= limit), 0) || limit
  const turns = own.flatMap((chunk) => chunk.turns ?? []).filter((turn) => turn.start > start && turn.start < end)
  const headings = [...headingsOf(page, section)]
  const place = { start, end, headings, anchor: level === 0 ? null : anchor }
  return passageOfPage(page, turns.length > 0 ? { ...place, turns } : place, ranked)
}

/** Makes a passage from an entry: the chunk that begins with its heading, or else its own text below its name. */
export function passageOfEntry(page: OpenPage, { chunk, entry, page: from }: Named, ranked: Ranked): Passage {
  const heading = headingOf({ chunk, entry, page: from })
  if (entry === null || (heading !== undefined && heading.text === chunk.headings.at(-1)))
    return passageOfPage(page, chunk, ranked)
  const { start, name } = entry
  const end = Math.min(entry.end, start + MOST)
  // The name stands for the heading that the entry does not have.
  const label = heading?.text ?? plainInline(page.markdown.slice(name.start, name.end))
  const headings = [...chunk.headings, label]
  const anchor = heading?.anchor ?? chunk.anchor
  return passageOfPage(page, { start, end, headings, anchor }, ranked)
}
