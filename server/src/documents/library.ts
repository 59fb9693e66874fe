import { elementAt } from '#lib/arrays.ts'
import { createYielder } from '#lib/limits/yield-to-event-loop.ts'
import { ByteCache } from '#search/byte-cache.ts'
import { type Catalogue, type CatalogueOf, placesUnder, urlKey } from '#search/catalogue/catalogue.ts'
import { kindMask, type PageKind } from '#search/catalogue/page-kind.ts'
import {
  type PageMasks,
  hasPath,
  pathMatcherOf,
  pathOf,
  requestedAddress,
  typeFilter,
} from '#search/rank/page-filter.ts'
import type { SearchRequest, SearchResult } from '#search/passage.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import { pageOfChunk } from '#search/segment/postings-log.ts'
import type { ServedServer } from '#store/servers/served.ts'
import { outlineSource, type SourcePart } from './summary/outline-source.ts'
import { addressOfCopy, hasVersion, latestOf } from '#search/catalogue/page-version.ts'
import type { Section } from './model/document.ts'
import { clippedBlocks, sectionsOf } from './model/sections.ts'
import { nameHash } from './model/name-key.ts'
import { type AnalyserOf, ANSWER_WORDS, createAnalysers } from '#search/analyse/word-analyser.ts'
import {
  blocksOf,
  boundedPage,
  findNamed,
  type LibraryPage,
  type Named,
  type OpenPage,
  pageOf,
  type Shelf,
  type Wanted,
} from './library-page.ts'

export type LibraryDeps = {
  parts(server: Served, scope: Pick<Scope, 'sourceId' | 'type'>): Promise<SourceSegment[]>
  texts(wanted: readonly { sourceId: string; textHash: string }[]): Promise<Map<string, string>>
  catalogueOf: CatalogueOf
  /** Leaves out what retrieval rules exclude. Pages that a mask has as 0 are excluded. */
  restrict?(parts: readonly SourceSegment[], scope: Scope): { parts: readonly SourceSegment[]; masks: PageMasks | null }
}

/** Restricts an operation to some pages. */
export type Scope = Pick<SearchRequest, 'sourceId' | 'type' | 'path' | 'version' | 'within'>

/** A search of the passages of one server's sources. */
export type Search = (request: SearchRequest, signal?: AbortSignal) => Promise<SearchResult>

/** More than a reader of a summary needs. */
const MOST_PARTS = 60
/** Enough for several thousand pages of average size. `BYTES_A_SECTION` is the approximate size of one section. */
export const SECTION_CACHE_BYTES = 16_000_000
const BYTES_A_SECTION = 260

/** Caches of page sections and source outlines, shared by several libraries. */
type LibraryMemory = {
  outlines: ByteCache<Section[]>
  /** Holds a few pages of each source while its index is in memory. */
  sourceParts: WeakMap<Segment, SourcePart[]>
  analyserOf: AnalyserOf
}

export function createLibraryMemory(sectionBytes: number = SECTION_CACHE_BYTES): LibraryMemory {
  return {
    outlines: new ByteCache(sectionBytes),
    sourceParts: new WeakMap(),
    analyserOf: createAnalysers(ANSWER_WORDS),
  }
}

/** Access to whole pages of one server's sources: by kind, by name, by URL. */
export type Library = ReturnType<ReturnType<typeof createLibrary>>

type Served = Pick<ServedServer, 'sources'>

/** Creates a factory of libraries, one per server. */
export function createLibrary(deps: LibraryDeps, memory: LibraryMemory = createLibraryMemory()) {
  return (server: Served) => {
    const shelves = (scope: Scope) => shelvesOf(deps, server, scope, false)
    const pagesWhere = async (scope: Scope, test: PageTest): Promise<LibraryPage[]> => {
      const found: LibraryPage[][] = []
      for (const shelf of await shelves(scope)) found.push(await pagesOnShelf(shelf, test))
      const pages = withoutOldCopies(found.flat())
      if (scope.version === undefined && scope.path === undefined) return pages
      return pages.map((each) => ({ ...each, url: requestedAddress(each.part.segment, each.page, each.url, scope) }))
    }
    return {
      /** Analysers of the words of answers, which remember them for all libraries of a thread. */
      analyserOf: memory.analyserOf,
      /** True if any page has one of these kinds. */
      async has(kinds: readonly PageKind[], scope: Scope = {}): Promise<boolean> {
        const isKind = kindTest(kinds)
        return (await shelves(scope)).some(({ catalogue, isWanted }) =>
          catalogue.kinds.some((_, page) => isKind(catalogue, page) && isWanted(page)),
        )
      },
      /** Pages of these kinds, in the order of the sources and their indexes. */
      pagesOf: (kinds: readonly PageKind[], scope: Scope = {}) => pagesWhere(scope, kindTest(kinds)),
      all: (scope: Scope = {}) => pagesWhere(scope, () => true),
      /** Entries and pages with a name (`findNamed`). */
      async named(wanted: Wanted, scope: Scope = {}): Promise<Named[]> {
        return findNamed(await shelvesOf(deps, server, scope, true), wanted)
      },
      /** The pages at these URLs, with or without scheme and trailing slash. Omits URLs without a page. */
      async pagesAt(urls: readonly string[], scope: Scope = {}): Promise<LibraryPage[]> {
        const places = await shelves(scope)
        // A fragment can be a client-side route, or else a place in an API description.
        return urls.flatMap((url) => pageUnder(places, url) ?? pageUnder(places, url.replace(/#\/.*/s, '')) ?? [])
      },
      /** Parts of a source, largest first, at most `MOST_PARTS`. */
      async outline(sourceId: string): Promise<SourcePart[]> {
        const opened = await deps.parts(server, { sourceId })
        const whole = opened.length === 1 ? opened[0]?.segment : undefined
        const known = whole && memory.sourceParts.get(whole)
        if (known) return known
        const outline = await outlineSource(await pagesWhere({ sourceId }, () => true), MOST_PARTS)
        if (whole) memory.sourceParts.set(whole, outline)
        return outline
      },
      /** Where the pages of a version begin: the shortest of their addresses. Null if the sources have none. */
      async startOf(version: string, scope: Scope = {}): Promise<string | null> {
        const pages = await pagesWhere({ ...scope, version }, (...place) => !tellsChanges(...place))
        return pages.map(({ url }) => url).toSorted((a, b) => a.length - b.length)[0] ?? null
      },
      /** The latest version, as a filter. Null if pages name only branches in work. */
      async latest(scope: Scope = {}): Promise<string | null> {
        const pages = new Map<string | null, number>()
        for (const { catalogue } of await shelves(scope))
          for (const [at, versions] of catalogue.versions.entries())
            for (const version of catalogue.versionPages[at] === 0 ? [] : versions)
              pages.set(version, (pages.get(version) ?? 0) + (catalogue.versionPages[at] ?? 0))
        return latestOf(pages) ?? (hasVersion([...pages.keys()], 'latest') ? 'latest' : null)
      },
      /** Versions named in page URLs, in no particular order. */
      async versions(scope: Scope = {}): Promise<string[]> {
        const all = (await shelves(scope)).flatMap(({ catalogue }) => catalogue.versions.flat())
        return [...new Set(all)].filter((version) => version !== null)
      },
      /** Loads the texts of pages, in the same order. Omits pages whose text no longer exists. */
      async open(pages: readonly LibraryPage[]): Promise<OpenPage[]> {
        const texts = await deps.texts(pages)
        return pages.flatMap((page) => openPage(page, texts.get(page.textHash), memory) ?? [])
      },
    }
  }
}

/** `isSearch`: for a look-up of a name, which the rules of searches restrict. */
async function shelvesOf(deps: LibraryDeps, server: Served, scope: Scope, isSearch: boolean): Promise<Shelf[]> {
  const opened = await deps.parts(server, scope)
  const ruled = isSearch ? deps.restrict?.(opened, scope) : undefined
  return Promise.all(
    (ruled?.parts ?? opened).map(async (part) => {
      const catalogue = await deps.catalogueOf(part.segment)
      const mask = ruled?.masks?.get(part.segment)
      return { part, catalogue, isWanted: scopeFilter({ part, catalogue, mask }, scope) }
    }),
  )
}

function openPage(page: LibraryPage, text: string | undefined, { outlines }: LibraryMemory): OpenPage | null {
  if (text === undefined) return null
  const markdown = boundedPage(text)
  const known = outlines.get(page.textHash)
  if (known) return { ...page, markdown, sections: known }
  const blocks = clippedBlocks(markdown, blocksOf(page), { start: 0, end: markdown.length })
  const sections = sectionsOf(blocks, markdown.length)
  outlines.set(page.textHash, sections, sections.length * BYTES_A_SECTION)
  return { ...page, markdown, sections }
}

const tellsChanges = kindTest(['issue', 'release', 'changelog', 'migration'])

type PageTest = (catalogue: Catalogue, page: number) => boolean

function kindTest(kinds: readonly PageKind[]): PageTest {
  const mask = kindMask(kinds)
  return (catalogue, page) => (elementAt(catalogue.kinds, page) & mask) !== 0
}

function pageUnder(shelves: readonly Shelf[], url: string): LibraryPage | null {
  const key = urlKey(url)
  const found = shelves.flatMap(({ part, catalogue }) =>
    placesUnder(catalogue.names, nameHash(key)).flatMap((chunk) => {
      const page = pageOfChunk(part.segment.pageChunks, chunk)
      const own = pageOf(part, page)
      const address = [own.url, ...part.segment.copies(page).map((copy) => addressOfCopy(own.url, copy))]
      return address.filter((each) => urlKey(each) === key).map((each) => ({ ...own, url: each }))
    }),
  )
  return found.at(-1) ?? null
}

/** Yields to other requests between batches: a large source has many pages. */
async function pagesOnShelf({ part, catalogue, isWanted }: Shelf, test: PageTest): Promise<LibraryPage[]> {
  const turns = createYielder()
  const pages: LibraryPage[] = []
  for (let page = 0; page < part.segment.pageCount; page++) {
    if (test(catalogue, page) && isWanted(page)) pages.push(pageOf(part, page))
    if (turns.due()) await turns.turn()
  }
  return pages
}

/** During reindexing a changed page is in an old and a newer segment. The newer one wins. */
function withoutOldCopies(pages: LibraryPage[]): LibraryPage[] {
  // Fast path: usually a source has one segment, which contains each page once.
  const parts = new Set(pages.map(({ part }) => part))
  if (new Set([...parts].map(({ sourceId }) => sourceId)).size === parts.size) return pages
  const newest = new Map(pages.map((page) => [`${page.sourceId} ${page.url}`, page]))
  return newest.size === pages.length ? pages : [...newest.values()]
}

/** Tests the pages of a source against a scope. */
function scopeFilter(
  { part, catalogue, mask }: { part: SourceSegment; catalogue: Catalogue; mask: Uint8Array | undefined },
  { path, version, type, within }: Pick<Scope, 'path' | 'version' | 'type' | 'within'>,
): (page: number) => boolean {
  const matches = path === undefined ? null : pathMatcherOf(path)
  const allowed = catalogue.versions.map((each) => hasVersion(each, version))
  const hasType = typeFilter(part, type)
  return (page) =>
    mask?.[page] !== 0 &&
    allowed[elementAt(catalogue.pageVersions, page)] === true &&
    (hasType === null || hasType(page)) &&
    (matches === null || hasPath(part.segment, page, matches)) &&
    (within === undefined || within(part.sourceId, pathOf(part.segment.url(page))))
}
