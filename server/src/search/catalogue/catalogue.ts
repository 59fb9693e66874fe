import { memoizeByObject } from '#lib/objects.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import { createYielder } from '#lib/limits/yield-to-event-loop.ts'
import type { Segment } from '#search/segment/open-segment.ts'
import { nameHash, nameKeys } from '#documents/model/name-key.ts'
import { kindsOf } from './page-kind.ts'
import { addressOfCopy, versionsOfPage } from './page-version.ts'

/** Index of chunks by name hash (`nameHash`): 8 bytes each, in one sorted array. */
type NameTable = Float64Array<ArrayBuffer>

/** Metadata of a segment's pages, derived from titles, entries and URLs. */
export type Catalogue = {
  /** By page: bit set of its kinds (`page-kind.ts`). */
  kinds: Uint8Array
  /** By page: index into `versions` of its versions (`versionsOfPage`). */
  pageVersions: Uint32Array
  /** Index 0 is for pages without a version. */
  versions: (string | null)[][]
  /** By index into `versions`: the number of pages. */
  versionPages: number[]
  /** Chunks by the names of their entries. The first chunk of a page is also listed under its title and URL. */
  names: NameTable
}

export type CatalogueOf = (segment: Segment) => Promise<Catalogue>

/** Creates a cached lookup of catalogues. Builds a catalogue on first use and keeps it as long as its segment. */
export function createCatalogues(): CatalogueOf {
  return memoizeByObject(makeCatalogue)
}

export class NameTableWriter {
  readonly #buckets: number[][] = Array.from({ length: BUCKETS }, () => [])

  add(hash: number, chunk: number): void {
    if (chunk < PLACES) this.#buckets[hash >>> 24]?.push(hash * PLACES + chunk)
  }

  /** Yields to other requests between buckets. */
  async finish(): Promise<NameTable> {
    const turns = createYielder(1)
    const sorted: Float64Array[] = []
    for (const bucket of this.#buckets) {
      sorted.push(Float64Array.from(new Set(bucket)).sort())
      if (turns.due()) await turns.turn()
    }
    const table = new Float64Array(sorted.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const part of sorted) {
      table.set(part, at)
      at += part.length
    }
    return table
  }
}

async function makeCatalogue(segment: Segment): Promise<Catalogue> {
  const { pageCount, pageChunks } = segment
  const kinds = new Uint8Array(pageCount)
  const pageVersions = new Uint32Array(pageCount)
  const versions: (string | null)[][] = [[null]]
  const numbers = new Map<string, number>([[' ', 0]])
  const versionPages = [0]
  const names = new NameTableWriter()
  const turns = createYielder()
  for (let page = 0; page < pageCount; page++) {
    const first = pageChunks[page]
    const { url, title, chunks } = segment.names(page, (hash, chunk) => names.add(hash, first + chunk))
    kinds[page] = kindsOf({ url, title })
    const own = versionsOfPage(segment, page, url)
    const key = ` ${own.join(' ')}`
    const number = numbers.get(key) ?? versions.push(own) - 1
    numbers.set(key, number)
    pageVersions[page] = number
    versionPages[number] = (versionPages[number] ?? 0) + 1
    const addresses = [url, ...segment.copies(page).map((copy) => addressOfCopy(url, copy))]
    if (chunks > 0) for (const name of [...addresses.map(urlKey), ...nameKeys(title)]) names.add(nameHash(name), first)
    if (turns.due()) await turns.turn()
  }
  return { kinds, pageVersions, versions, versionPages, names: await names.finish() }
}

/** Key of a page's URL, without scheme, fragment and trailing slash. Names never begin with its prefix. */
export function urlKey(url: string): string {
  return `url ${withoutSection(url)
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/(?<!\/)\/+$/, '')}`
}

/** Upper bound of chunk numbers, so that hash and number together fit exactly into a double. */
const PLACES = 2 ** 21
/** Buckets, by the first 8 bits of the hash. Each is sorted at once, with yields in between. */
const BUCKETS = 256

/** Chunks listed under a hash, in order. Hash collisions are included, so check the results. */
export function placesUnder(table: NameTable, hash: number): number[] {
  const first = hash * PLACES
  const places: number[] = []
  for (let at = lowerBound(table, first); at < table.length; at++) {
    const place = (table[at] ?? Number.POSITIVE_INFINITY) - first
    if (place >= PLACES) break
    places.push(place)
  }
  return places
}

function lowerBound(table: NameTable, value: number): number {
  let low = 0
  let high = table.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (table[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}
