import { type Catalogue, placesUnder } from '#search/catalogue/catalogue.ts'
import type { Chunk } from '#search/page.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'
import { pageOfChunk } from '#search/segment/postings-log.ts'
import { type LibraryPage, pageOf, blocksBetween, type OpenPage } from './library-page.ts'
import { passageOfChunk, type Passage } from '#search/passage.ts'
import type { Entry, HeadingBlock } from './model/document.ts'
import { askedKeys, nameHash, nameKeys } from './model/name-key.ts'
import { plainInline } from './model/plain-inline.ts'

/** A thing found by its name: an entry in a chunk of a page, or the page if its title has the name. */
export type Named = { page: LibraryPage; chunk: Chunk; entry: Entry | null }

/** The pages of a source that a scope allows. */
export type Shelf = { part: SourceSegment; catalogue: Catalogue; isWanted: (page: number) => boolean }

/** Only names such as `name` or `get` have more places, and the search ranks those better. */
const MOST_PLACES = 60

/** `isOwned`: only members (`sleep` of `Thread.sleep`), on pages whose title, or an entry of which, names the owner. */
export type Wanted = { name: string; isOwned?: true }

/**
 * Entries and pages with a name, at most `MOST_PLACES`. Looks up the last part of the name if the whole is unknown. Names
 * are compared by hash, so check them against the text of the page.
 */
export function findNamed(shelves: readonly Shelf[], { name, isOwned }: Wanted): Named[] {
  const { whole, part, owner } = askedKeys(name)
  const under = (some: readonly Shelf[], keys: readonly string[]) =>
    keys.flatMap((key) => some.flatMap((shelf) => namedPlaces(shelf, key)))
  const owned = shelves.flatMap((shelf) => {
    const owners = owner === null ? null : pagesNaming(shelf, owner)
    return owners === null ? [] : under([{ ...shelf, isWanted: (page) => owners.has(page) }], part)
  })
  if (isOwned) return owned
  // `Vec::drain` is a method and `vec::Drain` a type of a module; both are written alike, so try both.
  const places = [...under(shelves, whole), ...owned]
  return (places.length > 0 ? places : under(shelves, part)).slice(0, MOST_PLACES)
}

function namedPlaces({ part, catalogue, isWanted }: Shelf, key: string): Named[] {
  const { segment } = part
  const hash = nameHash(key)
  const found: Named[] = []
  // Bounds the lookups for a very common name, for which any place will do.
  for (const place of placesUnder(catalogue.names, hash).slice(0, MOST_PLACES * 4)) {
    const page = pageOfChunk(segment.pageChunks, place)
    if (!isWanted(page)) continue
    const { title, chunk } = segment.passage(page, place)
    const own = pageOf(part, page)
    if (segment.pageChunks[page] === place && nameKeys(title).includes(key))
      found.push({ page: own, chunk, entry: null })
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

type Ranked = { rank?: number; score: number }

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
