import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Passage } from '#search/passage.ts'
import { nameSimilarity, SIMILAR, type Match, scoreOf } from './place-score.ts'
import { type NamedText, readNamed, wholePage, wholeSection } from './read-named.ts'
import type { Section } from '../model/document.ts'
import { type AskedKeys, askedKeys, isSameName, nameKeys } from '../model/name-key.ts'
import { headingOf, type Named } from '../find-named.ts'
import type { Library, Scope, Search } from '../library.ts'
import { chunksOf, type LibraryPage } from '../library-page.ts'

/** A section, a row or another entry about a name. */
export type Place = NamedText & { match: Match; score: number }

/** Maximum pages opened for one name. */
const MOST_PAGES = 8

type Deps = { library: Library; search: Search }
type Wanted = { name: string; scope: Scope }
/** By URL: 1 for the best page of a search, less for others. */
type Ranks = ReadonlyMap<string, number>

const PASSAGES = { limit: 12, budget: 60_000 } as const

/**
 * Sections, rows and other entries with a name, best first. If there are none, those with the most similar names on the
 * pages that a search finds. `passages` are those of the search, which is needed only for names without entries and for
 * names with many.
 */
export async function findPlaces(
  { library, search }: Deps,
  { name, scope }: Wanted,
  signal: AbortSignal | undefined,
): Promise<{ places: Place[]; passages: Passage[] }> {
  const named = await library.named(name, scope)
  const headed = named.filter(isHeaded)
  const pages = new Map(named.map(({ page }) => [`${page.sourceId} ${page.url}`, page]))
  if (pages.size > 0 && pages.size <= MOST_PAGES) {
    const places = await placesNamed(library, { name, named, pages: [...pages.values()], ranks: new Map() })
    if (places.length > 0) return { places, passages: [] }
  }
  const { passages } = await search({ query: name, ...PASSAGES, ...scope }, signal)
  const ranks = new Map<string, number>()
  for (const [rank, { url }] of passages.entries()) {
    const address = withoutSection(url)
    if (!ranks.has(address)) ranks.set(address, 1 - rank / passages.length)
  }
  const about = new Set(headed.map(({ page }) => page.url))
  const worth = ({ url }: LibraryPage) => (ranks.get(url) ?? 0) + (about.has(url) ? 1 : 0)
  const ranked = [...pages.values()].toSorted((a, b) => worth(b) - worth(a))
  const places = await placesNamed(library, { name, named, pages: ranked.slice(0, MOST_PAGES), ranks })
  if (places.length > 0) return { places, passages }
  return { places: await placesLike(library, { name, scope }, ranks), passages }
}

/** True for a page, or a section with its own heading. */
function isHeaded(each: Named): boolean {
  return each.entry === null || headingOf(each) !== undefined
}

type Found = { name: string; named: readonly Named[]; pages: readonly LibraryPage[]; ranks: Ranks }

async function placesNamed(library: Library, { name, named, pages, ranks }: Found): Promise<Place[]> {
  const opened = await library.open(pages)
  const keys = askedKeys(name)
  const read = opened.flatMap((page) => {
    const own = named.filter((each) => each.page.url === page.url && each.page.sourceId === page.sourceId)
    return own.flatMap((each) => readNamed(page, each, { name, keys }) ?? [])
  })
  const sections = read.flatMap((each) => matched(each, keys) ?? [])
  const headed = sections.filter(({ match, form }) => match === 'exact' && (form === 'page' || form === 'section'))
  const isBelow = ({ page, section }: NamedText) =>
    headed.some((place) => place.page.url === page.url && isWithin(section, place.section))
  const bare = sections.filter((place) => place.form === 'bare' && !isBelow(place))
  const exact = [...headed, ...bare]
  // Options are rows of tables and lists, besides sections about a setting with a similar name.
  const isLiteral = exact.some(({ page, section }) => section.heading.includes(name) || page.title.includes(name))
  const hasRows = exact.length === 0 || (!isLiteral && /(?:^|\s)-/.test(name))
  const direct = [...sections.filter(({ form }) => form === 'row' && hasRows), ...exact]
  const declared = sections.filter(({ form }) => form === 'declared')
  const shown = direct.length > 0 ? direct : declared.length > 0 ? declared : sections
  const places = shown.map((each) => ({ ...each, score: scoreOf(each, name) + (ranks.get(each.page.url) ?? 0) }))
  return withoutInner(places.toSorted((a, b) => b.score - a.score))
}

/** How an entry matches the name. Null if it does not: other names can have the same hash. */
function matched(each: NamedText, keys: AskedKeys): (NamedText & { match: Match }) | null {
  const { page, section, form } = each
  if (form !== 'page' && form !== 'section') return { ...each, match: 'exact' }
  if (each.isOperation) return { ...each, match: 'exact' }
  const titled = nameKeys(page.title)
  const isOwner = (own: string | undefined) => own !== undefined && keys.owner !== null && isSameName(own, keys.owner)
  const match = matchOf(form === 'page' ? titled : nameKeys(section.heading), keys)
  if (match !== 'part') return match === null ? null : { ...each, match }
  const isWhole =
    form === 'page'
      ? isAtPath(page.url, keys)
      : isOwner(titled[0]) || section.path.some((heading) => isOwner(nameKeys(heading)[0]))
  return { ...each, match: isWhole ? 'exact' : 'part' }
}

function matchOf(own: readonly string[], { whole, part }: AskedKeys): Match | null {
  if (whole.some((key) => own.includes(key))) return 'exact'
  return part.some((key) => own.includes(key)) ? 'part' : null
}

/** True if the URL path contains the qualified name: `java.time.LocalDate` at `/java/time/LocalDate.html`. */
function isAtPath(url: string, { whole }: AskedKeys): boolean {
  const path = url
    .replace(/\.\w+$/, '')
    .replaceAll('/', '.')
    .toLowerCase()
  return whole.some((name) => path.endsWith(`.${name}`))
}

/** Sections and pages with a similar name, on the pages with these ranks. */
async function placesLike(library: Library, { name, scope }: Wanted, ranks: Ranks): Promise<Place[]> {
  const [whole = ''] = askedKeys(name).whole
  const isLike = (text: string) => nameKeys(text).some((key) => nameSimilarity(key, whole) >= SIMILAR)
  const pages = await Promise.all([...ranks.keys()].map((address) => library.pageAt(address, scope)))
  const like = pages.flatMap((page) => {
    const headings = page === null ? [] : chunksOf(page).flatMap(({ blocks }) => blocks)
    const starts = headings.flatMap((block) => (block.kind === 'heading' && isLike(block.text) ? block.start : []))
    return page !== null && (starts.length > 0 || isLike(page.title)) ? [{ page, starts: new Set(starts) }] : []
  })
  const opened = await library.open(like.map(({ page }) => page))
  const places = opened.flatMap((page) => {
    const { starts = new Set<number>() } = like.find((each) => each.page.url === page.url) ?? {}
    const sections = page.sections.filter(({ start, level }) => level > 0 && starts.has(start))
    const found = sections.map((section) => wholeSection(page, section))
    return (isLike(page.title) ? [wholePage(page), ...found] : found).map((each): Place => {
      const scored = { ...each, match: 'similar' as const }
      return { ...scored, score: scoreOf(scored, name) + (ranks.get(page.url) ?? 0) }
    })
  })
  return withoutInner(places.toSorted((a, b) => b.score - a.score))
}

function isWithin(inner: Section, outer: Section): boolean {
  return outer.start <= inner.start && inner.start < outer.close
}

/** Drops a place inside another place for the same name. */
function withoutInner(places: Place[]): Place[] {
  const kept: Place[] = []
  for (const place of places) {
    const isInner = kept.some(({ page, section }) => page.url === place.page.url && isWithin(place.section, section))
    if (!isInner) kept.push(place)
  }
  return kept
}
