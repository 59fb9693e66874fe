import type { SourceType } from '@docent/contract/values/sources'
import { elementAt } from '#lib/element-at.ts'
import { createYielder } from '#lib/limits/yield-to-event-loop.ts'
import { ByteCache } from '#search/byte-cache.ts'
import { type CatalogueOf, urlKey, type Catalogue, placesUnder } from '#search/catalogue/catalogue.ts'
import { kindMask, type PageKind } from '#search/catalogue/page-kind.ts'
import { type PageMasks, typeFilter, pathMatcher } from '#search/rank/page-filter.ts'
import type { SearchRequest, SearchResult } from '#search/passage.ts'
import type { SourceSegment } from '#search/rank/corpus.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import { pageOfChunk } from '#search/segment/postings-log.ts'
import type { ServedServer } from '#store/servers/served.ts'
import { outlineSource, type SourcePart } from './summary/outline-source.ts'
import { isOfVersion } from '#search/catalogue/page-version.ts'
import type { Section } from './model/document.ts'
import { clippedBlocks } from './model/clip-blocks.ts'
import { sectionsOf } from './model/sections.ts'
import { nameHash } from './model/name-key.ts'
import { type AnalyserOf, ANSWER_WORDS, createAnalysers } from '#search/analyse/word-analyser.ts'
import { findNamed, type Named, type Shelf, type Wanted } from './find-named.ts'
import { boundedPage, blocksOf, type LibraryPage, pageOf, type OpenPage } from './library-page.ts'

export type LibraryDeps = {
  parts(server: Pick<ServedServer, 'sources'>, scope: Pick<Scope, 'sourceId' | 'type'>): Promise<SourceSegment[]>
  texts(wanted: readonly { sourceId: string; textHash: string }[]): Promise<Map<string, string>>
  catalogueOf: CatalogueOf
  /** Leaves out what retrieval rules exclude. Pages that a mask has as 0 are excluded. */
  restrict?(parts: readonly SourceSegment[], scope: Scope): { parts: readonly SourceSegment[]; masks: PageMasks | null }
}

/** Restricts an operation to some pages. */
export type Scope = { sourceId?: string; type?: SourceType; path?: string; version?: string }

/** A search of the passages of one server's sources. */
export type Search = (request: SearchRequest, signal?: AbortSignal) => Promise<SearchResult>

/** Access to whole pages of one server's sources: by kind, by name, by URL. */
export type Library = {
  /** Analysers of the words of answers, which remember them for all libraries of a thread. */
  readonly analyserOf: AnalyserOf
  /** True if any page has one of these kinds. */
  has(kinds: readonly PageKind[], scope?: Scope): Promise<boolean>
  /** Pages of these kinds, in the order of the sources and their indexes. */
  pagesOf(kinds: readonly PageKind[], scope?: Scope): Promise<LibraryPage[]>
  /** Entries and pages with a name (`findNamed`). */
  named(wanted: Wanted, scope?: Scope): Promise<Named[]>
  /** The pages at these URLs, with or without scheme and trailing slash. Omits URLs without a page. */
  pagesAt(urls: readonly string[], scope?: Scope): Promise<LibraryPage[]>
  /** All pages. */
  all(scope?: Scope): Promise<LibraryPage[]>
  /** Parts of a source, largest first, at most `MOST_PARTS`. */
  outline(sourceId: string): Promise<SourcePart[]>
  /** Versions named in page URLs, in no particular order. */
  versions(scope?: Scope): Promise<string[]>
  /** Loads the texts of pages, in the same order. Omits pages whose text no longer exists. */
  open(pages: readonly LibraryPage[]): Promise<OpenPage[]>
}

/** More than a reader of a summary needs. */
const MOST_PARTS = 60
/** Enough for several thousand pages of average size. `BYTES_A_SECTION` is the approximate size of one section. */
export const SECTION_CACHE_BYTES = 16_000_000
const BYTES_A_SECTION = 260

/** Caches of page sections and source outlines, shared by several libraries. */
export type LibraryMemory = {
  outlines: ByteCache<Section[]>
  /** Holds a few pages of each source while its index is in memory. */
  sourceParts: WeakMap<Segment, SourcePart[]>
  analyserOf: AnalyserOf
}

export function createLibraryMemory(sectionBytes: number = SECTION_CACHE_BYTES): LibraryMemory {
  const outlines = new ByteCache<Section[]>(sectionBytes)
  return { outlines, sourceParts: new WeakMap<Segment, SourcePart[]>(), analyserOf: createAnalysers(ANSWER_WORDS) }
}

/** Creates a factory of libraries, one per server. */
export function createLibrary(
  deps: LibraryDeps,
  memory: LibraryMemory = createLibraryMemory(),
): (server: Pick<ServedServer, 'sources'>) => Library {
  return (server) => new ServerLibrary(deps, memory, server)
}

class ServerLibrary implements Library {
  readonly analyserOf: AnalyserOf
  readonly #deps: LibraryDeps
  readonly #memory: LibraryMemory
  readonly #server: Pick<ServedServer, 'sources'>

  constructor(deps: LibraryDeps, memory: LibraryMemory, server: Pick<ServedServer, 'sources'>) {
    this.#deps = deps
    this.#memory = memory
    this.#server = server
    this.analyserOf = memory.analyserOf
  }

  async has(kinds: readonly PageKind[], scope: Scope = {}): Promise<boolean> {
    const mask = kindMask(kinds)
    return (await this.#shelves(scope)).some(({ catalogue, isWanted }) =>
      catalogue.kinds.some((each, page) => (each & mask) !== 0 && isWanted(page)),
    )
  }

  async pagesOf(kinds: readonly PageKind[], scope: Scope = {}): Promise<LibraryPage[]> {
    const mask = kindMask(kinds)
    const found: LibraryPage[][] = []
    for (const { part, catalogue, isWanted } of await this.#shelves(scope)) {
      const isKind = (page: number) => (elementAt(catalogue.kinds, page) & mask) !== 0
      found.push(await pagesWhere(part, (page) => isKind(page) && isWanted(page)))
    }
    return withoutOldCopies(found.flat())
  }

  async named(wanted: Wanted, scope: Scope = {}): Promise<Named[]> {
    return findNamed(await this.#shelves(scope, true), wanted)
  }

  async pagesAt(urls: readonly string[], scope: Scope = {}): Promise<LibraryPage[]> {
    const shelves = await this.#shelves(scope)
    // A fragment can be a client-side route, or else a place in an API description.
    return urls.flatMap((url) => pageUnder(shelves, url) ?? pageUnder(shelves, url.replace(/#\/.*/s, '')) ?? [])
  }

  async all(scope: Scope = {}): Promise<LibraryPage[]> {
    const found: LibraryPage[][] = []
    for (const { part, isWanted } of await this.#shelves(scope)) found.push(await pagesWhere(part, isWanted))
    return withoutOldCopies(found.flat())
  }

  async outline(sourceId: string): Promise<SourcePart[]> {
    const { sourceParts } = this.#memory
    const opened = await this.#deps.parts(this.#server, { sourceId })
    const whole = opened.length === 1 ? opened[0]?.segment : undefined
    const known = whole && sourceParts.get(whole)
    if (known) return known
    const outline = await outlineSource(await this.all({ sourceId }), MOST_PARTS)
    if (whole) sourceParts.set(whole, outline)
    return outline
  }

  async versions(scope: Scope = {}): Promise<string[]> {
    const all = (await this.#shelves(scope)).flatMap(({ catalogue }) => catalogue.versions)
    return [...new Set(all)].filter((version) => version !== null)
  }

  async open(pages: readonly LibraryPage[]): Promise<OpenPage[]> {
    const found = await this.#deps.texts(pages)
    return pages.flatMap((page) => {
      const text = found.get(page.textHash)
      if (text === undefined) return []
      const markdown = boundedPage(text)
      return [{ ...page, markdown, sections: this.#sectionsFor(page, markdown) }]
    })
  }

  /** `isSearch`: for a look-up of a name, which the rules of searches restrict. */
  async #shelves(scope: Scope, isSearch = false): Promise<Shelf[]> {
    const opened = await this.#deps.parts(this.#server, scope)
    const ruled = isSearch ? this.#deps.restrict?.(opened, scope) : undefined
    return Promise.all(
      (ruled?.parts ?? opened).map(async (part) => {
        const catalogue = await this.#deps.catalogueOf(part.segment)
        const mask = ruled?.masks?.get(part.segment)
        return { part, catalogue, isWanted: scopeFilter({ part, catalogue, mask }, scope) }
      }),
    )
  }

  #sectionsFor(page: LibraryPage, markdown: string): Section[] {
    const { outlines } = this.#memory
    const known = outlines.get(page.textHash)
    if (known) return known
    const blocks = clippedBlocks(markdown, blocksOf(page), { start: 0, end: markdown.length })
    const sections = sectionsOf(blocks, markdown.length)
    outlines.set(page.textHash, sections, sections.length * BYTES_A_SECTION)
    return sections
  }
}

function pageUnder(shelves: readonly Shelf[], url: string): LibraryPage | null {
  const key = urlKey(url)
  const found = shelves.flatMap(({ part, catalogue }) =>
    placesUnder(catalogue.names, nameHash(key)).flatMap((chunk) => {
      const page = pageOfChunk(part.segment.pageChunks, chunk)
      return urlKey(part.segment.url(page)) === key ? [pageOf(part, page)] : []
    }),
  )
  return found.at(-1) ?? null
}

/** Yields to other requests between batches: a large source has many pages. */
async function pagesWhere(part: SourceSegment, isWanted: (page: number) => boolean): Promise<LibraryPage[]> {
  const turns = createYielder()
  const pages: LibraryPage[] = []
  for (let page = 0; page < part.segment.pageCount; page++) {
    if (isWanted(page)) pages.push(pageOf(part, page))
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

/** Pages of a source. A page that the mask has as 0 is excluded. */
type Pages = { part: SourceSegment; catalogue: Catalogue; mask: Uint8Array | undefined }

/** Tests the pages of a source against a scope. */
function scopeFilter(
  { part, catalogue, mask }: Pages,
  { path, version, type }: Pick<Scope, 'path' | 'version' | 'type'>,
): (page: number) => boolean {
  const matches = path === undefined ? null : pathMatcher(path)
  const allowed = catalogue.versions.map((each) => version === undefined || isOfVersion(each, version))
  const hasType = typeFilter(part, type)
  return (page) =>
    mask?.[page] !== 0 &&
    allowed[elementAt(catalogue.pageVersions, page)] === true &&
    (hasType === null || hasType(page)) &&
    (matches === null || matches(part.segment.url(page)))
}
