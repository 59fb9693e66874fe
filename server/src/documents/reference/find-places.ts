import type { Passage } from '#search/passage.ts'
import { type NamedText, readNamed, wholePage, wholeSection } from './read-named.ts'
import type { Section } from '../model/document.ts'
import { askedKeys, type AskedKeys, isSameName, nameKeys } from '../model/name-key.ts'
import { chunksOf, headingOf, isOfApi, type LibraryPage, type Named, pageRanks } from '../library-page.ts'
import type { Library, Scope, Search } from '../library.ts'
import { elementAt } from '#lib/arrays.ts'

/** A section, a row or another entry about a name. */
export type Place = NamedText & { match: Match; score: number }

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
  const named = await library.named({ name }, scope)
  const pages = new Map(named.map(({ page }) => [`${page.sourceId} ${page.url}`, page]))
  if (pages.size > 0 && pages.size <= MOST_PAGES) {
    const places = await placesNamed(library, { name, named, pages: [...pages.values()], ranks: new Map() })
    if (places.length > 0) return { places, passages: [] }
  }
  const { passages } = await search({ query: name, ...PASSAGES, ...scope }, signal)
  const ranks = pageRanks(passages)
  const isHeaded = (each: Named) => each.entry === null || headingOf(each) !== undefined
  const headed = new Set(named.filter(isHeaded).map(({ page }) => page.url))
  const worth = ({ url }: LibraryPage) => (ranks.get(url) ?? 0) + (headed.has(url) ? 1 : 0)
  const ranked = [...pages.values()].toSorted((a, b) => worth(b) - worth(a)).slice(0, MOST_PAGES)
  const places = await placesNamed(library, { name, named, pages: ranked, ranks })
  return { places: places.length > 0 ? places : await placesLike(library, { name, scope }, ranks), passages }
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

async function placesLike(library: Library, { name, scope }: Wanted, ranks: Ranks): Promise<Place[]> {
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

/** Match on the whole name, on its last part only, or on a similar name. */
export type Match = 'exact' | 'part' | 'similar'

/** Score bonus of an `operationId`, which is unique in its description, over headings with the same name. */
const OPERATION = 4
/** Score bonus of the program that an option is for. Many programs have the same options. */
const PROGRAM = 2
/** Score bonus of a heading that says the kind of the name, above a heading that is the name. */
const KIND = 2.5
const KINDS = new Set(
  'command directive function macro method option pragma property statement type variable'.split(' '),
)
/** Characters at the start of a section in which its code declares the name. */
const HEAD = 1_500

const REFERENCE =
  /(?:^|[/._-])(?:api|apis|reference|references|ref|sdk|docs?-api|config|options|cli|commands)(?:$|[/._-])/i
const PROSE =
  /(?:^|[/._-])(?:blog|news|tutorials?|changelog|releases?|migrat\w*|upgrad\w*|faq|issues|pull|examples?|4x|3x|legacy)(?:$|[/._-])/i
const PARTS = /^(?:Parameters|Arguments|Returns|Options|Props|Reference|Responses)\b/i

/** Worth of a section as the description of a name. */
function scoreOf(place: NamedText & { match: Match }, name: string): number {
  const { page, section, match, isOperation } = place
  const heading = section.level === 0 ? page.title : section.heading
  const last = name.split(/\.|::|#|->|\s/).at(-1) ?? name
  const similarity = match === 'similar' ? nameSimilarity(heading.toLowerCase(), name.toLowerCase()) : 0
  // A section whose code says `c.json` describes it under any heading.
  const isSaid = match === 'part' && page.markdown.slice(section.start, section.close).includes(name)
  return (
    { exact: 3, part: 1, similar: similarity }[match] +
    worthIf(isOperation, OPERATION) +
    worthIf(section.start === 0, 0.5) +
    ofPage(page, name) +
    ofHeading(heading, name, last) +
    ofText(place, last) +
    (match === 'part' ? membership(section, name) : 0) +
    worthIf(isSaid, 1)
  )
}

function worthIf(fits: boolean | undefined, worth: number): number {
  return fits ? worth : 0
}

function ofPage(page: LibraryPage, name: string): number {
  const path = page.url.replace(/^[a-z]+:\/\/[^/]*/i, '')
  // `vite` of `vite --host`.
  const program = /^([\w.-]{2,60})\s.*(?<=\s)-/.exec(name)?.[1]?.toLowerCase() ?? ''
  const words = `${page.url} ${page.title}`.toLowerCase().split(/[^\w.-]+/)
  return (
    worthIf(isOfApi(page), 2) +
    worthIf(REFERENCE.test(path), 1) -
    worthIf(PROSE.test(path), 1.5) +
    worthIf(program !== '' && words.includes(program), PROGRAM)
  )
}

function ofHeading(heading: string, name: string, last: string): number {
  const lower = heading.toLowerCase()
  // `Vec::drain` and `vec::Drain` differ only in case.
  const spelling = heading.includes(last) ? 1 : lower.includes(last.toLowerCase()) ? -1 : 0
  const open = heading.indexOf('(')
  // `AllowOverride Directive` heads the reference, and `AllowOverride` alone can be a part of a guide.
  const words = lower.replaceAll('`', '').split(' ')
  const isOfKind = words.length === 2 && words[0] === last.toLowerCase() && KINDS.has(words[1] ?? '')
  return (
    worthIf(heading.includes(name), 0.5) +
    spelling +
    worthIf(lower === name.toLowerCase(), 1.5) +
    worthIf(open >= 0 && heading.includes(')', open), 0.4) +
    worthIf(isOfKind, KIND)
  )
}

/** Favours sections that begin with code about the name, and those with parameters. */
function ofText({ page: { markdown }, section: { start, close }, sections }: NamedText, last: string): number {
  const blocks = sections.flatMap((each) => each.blocks).filter((block) => block.end <= close)
  const code = blocks.find(({ kind }) => kind === 'code')
  const isDeclared =
    code !== undefined && code.start < start + HEAD && markdown.slice(code.start, code.start + 600).includes(last)
  const isTyped = ({ kind, ...block }: (typeof blocks)[number]) =>
    kind === 'table' && /\btype\b/i.test(markdown.slice(block.start, Math.min(block.end, block.start + 300)))
  const hasParts = sections.some((each) => each.start > start && PARTS.test(each.heading)) || blocks.some(isTyped)
  return worthIf(isDeclared, 1) + worthIf(hasParts, 0.5)
}

/** For `dict.get`: favours a `get` below a heading about `dict` over `Cookie.get`. */
function membership({ heading, path }: Section, name: string): number {
  const owner = /(?<![\w$])([\w$]+)(?:\.|::|#|->)[\w$]+$/.exec(name)?.[1]?.toLowerCase()
  if (owner === undefined) return 0
  const own = /(?<![\w$])([\w$]+)(?:\.|::|#|->)[\w$]+/.exec(heading)?.[1]?.toLowerCase()
  if (own !== undefined) return own === owner ? 1 : -1
  return worthIf(
    path.some((above) =>
      above
        .toLowerCase()
        .split(/[^\w$]+/)
        .includes(owner),
    ),
    1,
  )
}

/** Minimum similarity of suggested names: two of eight letters may differ. */
const SIMILAR = 0.75

/** Similarity of two texts, 0 to 1: one minus Levenshtein distance divided by the longer length. */
function nameSimilarity(a: string, b: string): number {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a]
  if (long.length === 0) return 1
  if (long.length > 60 || short.length < long.length * SIMILAR) return 0
  let before = Array.from({ length: short.length + 1 }, (_, index) => index)
  for (let i = 1; i <= long.length; i++) {
    const row = [i]
    for (let j = 1; j <= short.length; j++) {
      const change = elementAt(before, j - 1) + (long[i - 1] === short[j - 1] ? 0 : 1)
      row.push(Math.min(change, elementAt(before, j) + 1, elementAt(row, j - 1) + 1))
    }
    before = row
  }
  return 1 - elementAt(before, short.length) / long.length
}
