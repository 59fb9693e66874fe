import type { Passage } from '#search/passage.ts'
import { type NamedText, readNamed, wholePage, wholeSection } from './read-named.ts'
import type { EntryKind, Section } from '../model/document.ts'
import { askedKeys, type AskedKeys, isSameName, nameKeys } from '../model/name-key.ts'
import { chunksOf, headingOf, kindOfPage, type LibraryPage, type Named, pageRanks } from '../library-page.ts'
import type { Library, Scope, Search } from '../library.ts'
import { type Match, nameSimilarity, scoreOf, SIMILAR } from './score-places.ts'

/** A section, a row or another entry about a name. */
export type Place = NamedText & { match: Match; score: number }

const MOST_PAGES = 8

type Deps = { library: Library; search: Search }
type Wanted = {
  name: string
  kinds?: readonly EntryKind[]
  /** Entries of these kinds and pages, if any has the name. */
  rather?: readonly EntryKind[]
  scope?: Scope
  /** Passages of a search for the name, if there was one. Without them this searches, if the name has no or many entries. */
  passages?: readonly Passage[]
}
/** By URL: 1 for the best page of a search, less for others. */
type Ranks = ReadonlyMap<string, number>

const PASSAGES = { limit: 12, budget: 60_000 } as const

/**
 * Finds sections, rows and other entries with a name, best first, each with its page and section. If there are
 * none, and no kinds are wanted, gives those with the most similar names on the pages that a search finds. `passages` are those of the search.
 */
export async function findPlaces(
  { library, search }: Deps,
  { name, kinds, rather, scope = {}, passages: given }: Wanted,
  signal: AbortSignal | undefined,
): Promise<{ places: Place[]; passages: readonly Passage[] }> {
  const all = ofKinds(await library.named({ name }, scope), rather)
  const named = kinds ? all.filter(({ entry }) => entry !== null && kinds.includes(entry.kind)) : all
  const pages = new Map(named.map(({ page }) => [`${page.sourceId} ${page.url}`, page]))
  if (pages.size > 0 && pages.size <= MOST_PAGES) {
    const places = await placesNamed(library, { name, named, pages: [...pages.values()], ranks: new Map() })
    if (places.length > 0) return { places, passages: given ?? [] }
  }
  const passages = given ?? (await search({ query: name, ...PASSAGES, ...scope }, signal)).passages
  const ranks = pageRanks(passages)
  const isHeaded = (each: Named) => each.entry === null || headingOf(each) !== undefined
  const headed = new Set(named.filter(isHeaded).map(({ page }) => page.url))
  const worth = ({ url }: LibraryPage) => (ranks.get(url) ?? 0) + (headed.has(url) ? 1 : 0)
  const ranked = [...pages.values()].toSorted((a, b) => worth(b) - worth(a)).slice(0, MOST_PAGES)
  const places = await placesNamed(library, { name, named, pages: ranked, ranks })
  if (places.length > 0 || kinds) return { places, passages }
  return { places: await placesLike(library, { name, scope }, ranks), passages }
}

function ofKinds(named: readonly Named[], kinds: readonly EntryKind[] = []): readonly Named[] {
  if (kinds.length === 0) return named
  // A page that is called so is about the thing, unless an API description says that it is another kind.
  const isWanted = ({ entry, page }: Named) => {
    const kind = entry === null ? kindOfPage(page) : entry.kind
    return kind === null || kinds.includes(kind)
  }
  const wanted = named.filter(isWanted)
  return wanted.length > 0 ? wanted : named
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
  const shown = [direct, declared].find(({ length }) => length > 0) ?? sections
  return best(shown, name, ranks)
}

/** Places in the order of their scores, without those inside another one. */
function best(found: readonly (NamedText & { match: Match })[], name: string, ranks: Ranks): Place[] {
  const places = found.map((each) => ({ ...each, score: scoreOf(each, name) + (ranks.get(each.page.url) ?? 0) }))
  const kept: Place[] = []
  for (const place of places.toSorted((a, b) => b.score - a.score)) {
    const isInner = kept.some(({ page, section }) => page.url === place.page.url && isWithin(place.section, section))
    if (!isInner) kept.push(place)
  }
  return kept
}

function isWithin(inner: Section, outer: Section): boolean {
  return outer.start <= inner.start && inner.start < outer.close
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

async function placesLike(
  library: Library,
  { name, scope }: { name: string; scope: Scope },
  ranks: Ranks,
): Promise<Place[]> {
  const [whole = ''] = askedKeys(name).whole
  const isLike = (text: string) => nameKeys(text).some((key) => nameSimilarity(key, whole) >= SIMILAR)
  const headings = (page: LibraryPage) =>
    chunksOf(page).flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'heading' ? block.text : [])))
  const pages = await library.pagesAt([...ranks.keys()], scope)
  const opened = await library.open(pages.filter((page) => [page.title, ...headings(page)].some(isLike)))
  const like = opened.flatMap((page) => {
    const sections = page.sections.filter(({ level, heading }) => level > 0 && isLike(heading))
    const found = sections.map((section) => wholeSection(page, section))
    return isLike(page.title) ? [wholePage(page), ...found] : found
  })
  return best(
    like.map((each) => ({ ...each, match: 'similar' })),
    name,
    ranks,
  )
}
