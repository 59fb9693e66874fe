import { withoutSection } from '#lib/addresses/page-address.ts'
import { createYielder } from '#lib/limits/yield-to-event-loop.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import { nameHash, nameKeys } from '#documents/model/name-key.ts'
import { type NameTable, NameTableWriter } from './name-table.ts'
import { kindsOf } from './page-kind.ts'
import { versionInUrl } from './page-version.ts'

/** Metadata of a segment's pages, derived from titles, entries and URLs. */
export type Catalogue = {
  /** By page: bit set of its kinds (`page-kind.ts`). */
  kinds: Uint8Array
  /** By page: index into `versions` of the version in its URL. */
  pageVersions: Uint16Array
  /** Index 0 is `null`, for pages without a version. */
  versions: (string | null)[]
  /** Chunks by the names of their entries. The first chunk of a page is also listed under its title and URL. */
  names: NameTable
}

const MOST_VERSIONS = 65_535

export type CatalogueOf = (segment: Segment) => Promise<Catalogue>

/** Creates a cached lookup of catalogues. Builds a catalogue on first use and keeps it as long as its segment. */
export function createCatalogues(): CatalogueOf {
  const catalogues = new WeakMap<Segment, Promise<Catalogue>>()
  return (segment) => {
    let catalogue = catalogues.get(segment)
    if (catalogue === undefined) {
      catalogue = makeCatalogue(segment)
      catalogues.set(segment, catalogue)
      // Do not cache failures, so that the next caller sees the error too.
      catalogue.catch(() => catalogues.delete(segment))
    }
    return catalogue
  }
}

async function makeCatalogue(segment: Segment): Promise<Catalogue> {
  const { pageCount, pageChunks } = segment
  const kinds = new Uint8Array(pageCount)
  const pageVersions = new Uint16Array(pageCount)
  const versions = new Map<string | null, number>([[null, 0]])
  const names = new NameTableWriter()
  const turns = createYielder()
  for (let page = 0; page < pageCount; page++) {
    const first = pageChunks[page]
    const { url, title, chunks } = segment.names(page, (hash, chunk) => names.add(hash, first + chunk))
    kinds[page] = kindsOf({ url, title })
    pageVersions[page] = numberOf(versions, versionInUrl(url))
    if (chunks > 0) for (const key of [urlKey(url), ...nameKeys(title)]) names.add(nameHash(key), first)
    if (turns.due()) await turns.turn()
  }
  return { kinds, pageVersions, versions: [...versions.keys()], names: await names.finish() }
}

function numberOf(versions: Map<string | null, number>, version: string | null): number {
  const known = versions.get(version)
  if (known !== undefined) return known
  if (versions.size > MOST_VERSIONS) return 0
  versions.set(version, versions.size)
  return versions.size - 1
}

/** Key of a page's URL, without scheme, fragment and trailing slash. Names never begin with its prefix. */
export function urlKey(url: string): string {
  return `url ${withoutSection(url)
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/(?<!\/)\/+$/, '')}`
}
