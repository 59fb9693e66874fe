import type { Library, Scope, Search } from '../library.ts'
import { findPlaces } from '../reference/find-places.ts'
import { definitionsOn, FORMAT_ORDER, type FoundSchema, schemaUnder } from './read-schemas.ts'

const PASSAGES = 12
const PASSAGE_BYTES = 60_000
/** Pages whose code is searched. */
const MOST_PAGES = 10

type Deps = { library: Library; search: Search }
type Wanted = { name: string; scope: Scope }

/** Searches headings with the name first, then code that defines it. Repeated definitions appear once. */
export async function findSchemas(
  { library, search }: Deps,
  { name, scope }: Wanted,
  signal: AbortSignal | undefined,
): Promise<FoundSchema[]> {
  const plain = /^[\w.$@/-]+$/.test(name) ? (name.split('.').at(-1) ?? name) : name
  const request = { query: name, limit: PASSAGES, budget: PASSAGE_BYTES, ...scope }
  const { places } = await findPlaces({ library, search }, { name, scope }, signal)
  const under = places.filter(({ match }) => match !== 'similar').flatMap((place) => schemaUnder(place, plain) ?? [])
  // The defining code can be under any heading.
  const isKnown = under.some(({ format }) => format !== 'table')
  const coded = isKnown ? [] : (await search({ ...request, code: true }, signal)).passages
  const addresses = [...new Set(coded.map(({ url }) => url.replace(/#.*/s, '')))].slice(0, MOST_PAGES)
  const pages = await Promise.all(addresses.map((address) => library.pageAt(address, scope)))
  const opened = await library.open(pages.filter((page) => page !== null))
  const all = [...under, ...opened.flatMap((page) => definitionsOn(page, plain))]
  const different = new Map<string, FoundSchema>()
  for (const each of all) {
    const key = each.text.replaceAll(/\s+/g, ' ')
    if (!different.has(key)) different.set(key, each)
  }
  return [...different.values()].toSorted((a, b) => FORMAT_ORDER[a.format] - FORMAT_ORDER[b.format])
}
