import { withoutSection } from '#lib/page-address.ts'
import { createTurnTaker } from '#lib/turn-taker.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import { nameKeys } from './name-key.ts'
import { type NameTable, NameTableWriter } from './name-table.ts'
import { kindsOf } from './page-kind.ts'
import { versionInUrl } from './page-version.ts'

/** What is known of a segment's pages besides their words: derived from titles, headings and addresses. */
export type Catalogue = {
  /** By page: bits of its kinds (`page-kind.ts`). */
  kinds: Uint8Array
  /** By page: number of the version in its address in `versions`. */
  pageVersions: Uint16Array
  /** `null`, which is number 0, for pages that name none. */
  versions: (string | null)[]
  /** Chunks by what their headings name, and the first one of a page by its title and address. */
  names: NameTable
}

const MOST_VERSIONS = 65_535
/** Headings whose keys are remembered while a catalogue is made: some 2 MB. */
const MOST_HEADINGS = 10_000

export type CatalogueOf = (segment: Segment) => Promise<Catalogue>

/** Gives the catalogue of a segment: made when it is first asked for, and kept as long as the segment is. */
export function createCatalogues(): CatalogueOf {
  const catalogues = new WeakMap<Segment, Promise<Catalogue>>()
  return (segment) => {
    let catalogue = catalogues.get(segment)
    if (catalogue === undefined) {
      catalogue = makeCatalogue(segment)
      catalogues.set(segment, catalogue)
      // A damaged record is found again, and told again, by the next one that asks.
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
  const turns = createTurnTaker()
  const keysOf = rememberKeys()
  for (let page = 0; page < pageCount; page++) {
    const { url, title, chunks } = segment.record(page)
    const first = pageChunks[page] ?? 0
    kinds[page] = kindsOf({ url, title })
    pageVersions[page] = numberOf(versions, versionInUrl(url))
    if (chunks.length > 0) for (const key of [urlKey(url), ...nameKeys(title)]) names.add(key, first)
    let before = ''
    for (const [index, { headings }] of chunks.entries()) {
      const heading = headings.at(-1) ?? ''
      if (heading !== '' && heading !== before) for (const key of keysOf(heading)) names.add(key, first + index)
      before = heading
    }
    if (turns.due()) await turns.turn()
  }
  return { kinds, pageVersions, versions: [...versions.keys()], names: await names.finish() }
}

/** Headings repeat: of a reference of 85,000 passages two in three were met before. */
function rememberKeys(): (heading: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return (heading) => {
    let keys = known.get(heading)
    if (keys === undefined) {
      keys = nameKeys(heading)
      if (known.size >= MOST_HEADINGS) known.clear()
      known.set(heading, keys)
    }
    return keys
  }
}

function numberOf(versions: Map<string | null, number>, version: string | null): number {
  const known = versions.get(version)
  if (known !== undefined) return known
  if (versions.size > MOST_VERSIONS) return 0
  versions.set(version, versions.size)
  return versions.size - 1
}

/** The key of a page's address: without scheme, section and a slash at the end. No name begins like it. */
export function urlKey(url: string): string {
  return `url ${withoutSection(url)
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/(?<!\/)\/+$/, '')}`
}
