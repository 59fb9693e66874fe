import { withoutSection } from '#lib/addresses/page-address.ts'
import { type AskedKeys, askedKeys, isSameName, nameKeys } from '#documents/model/name-key.ts'
import type { Passage } from '#search/passage.ts'
import { codeOf } from '#documents/model/text-parts.ts'
import type { Library, Scope } from '../library.ts'
import { isOfApi, type LibraryPage, type OpenPage } from '../library-page.ts'
import type { Section } from '#documents/model/document.ts'
import { entriesNamed } from './entries-named.ts'
import { type NamedRow, rowsNamed } from './rows-named.ts'
import { isOperationId } from './named-operation.ts'
import { nameSimilarity, SIMILAR } from './name-similarity.ts'

/** A section about a name. */
export type Place = {
  page: OpenPage
  section: Section
  /** Match on the whole name, on its last part only, or on a similar name. */
  match: 'exact' | 'part' | 'similar'
  score: number
  /** Of a row or an item about the name: its label, and its text with the header of its table. */
  row?: Pick<NamedRow, 'name' | 'text'>
}

/** Maximum pages opened for one name. */
const MOST_PAGES = 14
/** Maximum places compared for one name. */
const MOST_NAMED = 24
/** Characters at the start of a page searched for a declaration. */
const HEAD = 3_000
/** Headings of a declaration that the whole page is about. */
const SYNOPSIS = /^(?:synopsis|syntax|declaration|definition|prototype|signature|usage|function|method)s?\b/i
/** Sections of a page that declare one name: its overloads. */
const MOST_DECLARING = 2

/** Score bonus of an `operationId`, which is unique in its description, over headings with the same name. */
const OPERATION = 4

/** Score bonus of the program that an option is for. Many programs have the same options. */
const PROGRAM = 2

/** Score bonus of a heading that says the kind of the name, above a heading that is the name. */
const KIND = 2.5
const KINDS = new Set(
  'command directive function macro method option pragma property statement type variable'.split(' '),
)

const REFERENCE =
  /(?:^|[/._-])(?:api|apis|reference|references|ref|sdk|docs?-api|config|options|cli|commands)(?:$|[/._-])/i
const PROSE =
  /(?:^|[/._-])(?:blog|news|tutorials?|changelog|releases?|migrat\w*|upgrad\w*|faq|issues|pull|examples?|4x|3x|legacy)(?:$|[/._-])/i

/**
 * Sections whose heading or title is a name, best first. Candidates come from the name index and from the passages that
 * a search for the name found. If none matches, returns those with the most similar names.
 */
export async function findPlaces(
  library: Library,
  { name, scope, passages }: { name: string; scope: Scope; passages: readonly Passage[] },
): Promise<Place[]> {
  const named = (await library.named(name, scope)).slice(0, MOST_NAMED)
  const ranks = new Map<string, number>()
  for (const [rank, { url }] of passages.entries()) {
    const address = withoutSection(url)
    if (!ranks.has(address)) ranks.set(address, 1 - rank / passages.length)
  }
  const found = await Promise.all([...ranks.keys()].map((address) => library.pageAt(address, scope)))
  const pages = new Map<string, LibraryPage>()
  for (const { page } of named.toSorted((a, b) => (ranks.get(b.page.url) ?? 0) - (ranks.get(a.page.url) ?? 0)))
    pages.set(page.url, page)
  for (const page of found) if (page && pages.size < MOST_PAGES + MOST_NAMED / 2) pages.set(page.url, page)
  const opened = await library.open([...pages.values()].slice(0, MOST_PAGES))
  const onAll = (read: typeof placesNamed) =>
    opened.flatMap((page) => read(page, { name, rank: ranks.get(page.url) ?? 0 }))
  const places = onAll(placesNamed)
  const headed = places.filter(({ match }) => match === 'exact')
  const isBelow = ({ page, section }: Place) =>
    headed.some((place) => place.page.url === page.url && isWithin(section, place.section))
  const exact = [...headed, ...onAll(entriesOf).filter((entry) => !isBelow(entry))]
  // Options are rows of tables and lists, besides sections about a setting with a similar name.
  const isLiteral = exact.some(({ page, section }) => section.heading.includes(name) || page.title.includes(name))
  const rows = exact.length > 0 && (isLiteral || !/(?:^|\s)-/.test(name)) ? [] : onAll(rowsOf)
  const direct = [...rows, ...exact]
  const best = direct.length > 0 ? direct : onAll(sectionsDeclaring)
  // Edit distance is the slowest step, so compute it only if no name matches.
  const shown = best.length > 0 ? best : places.length > 0 ? places : onAll(placesLike)
  return withoutInner(shown.toSorted((a, b) => b.score - a.score))
}

type Asked = { name: string; rank: number }

function placesNamed(page: OpenPage, { name, rank }: Asked): Place[] {
  const keys = askedKeys(name)
  const titled = nameKeys(page.title)
  const isTitle = matchOf(titled, keys) === 'part' && isAtPath(page.url, keys) ? 'exact' : matchOf(titled, keys)
  const isOwner = (own: string | undefined) => own !== undefined && keys.owner !== null && isSameName(own, keys.owner)
  const places: Place[] = []
  const first = page.sections[0]
  if (first && isOfApi(page) && isOperationId(page.markdown.slice(0, HEAD), name)) {
    const place = placeOf({ page, section: wholePage(page, first), match: 'exact', name, rank })
    return [{ ...place, score: place.score + OPERATION }]
  }
  if (first && isTitle) places.push(placeOf({ page, section: wholePage(page, first), match: isTitle, name, rank }))
  for (const section of page.sections) {
    if (section.level === 0 || (isTitle && section.level === 1)) continue
    const found = matchOf(section.keys, keys)
    const isOwned = () =>
      isOwner(titled[0]) || page.sections.some((each) => isInside(section, each) && isOwner(each.keys[0]))
    const match = found === 'part' && isOwned() ? 'exact' : found
    if (match) places.push(placeOf({ page, section, match, name, rank }))
  }
  return places
}

/** Entries without a heading. */
function entriesOf(page: OpenPage, { name, rank }: Asked): Place[] {
  return entriesNamed(page, name).map((section) => placeOf({ page, section, match: 'exact', name, rank }))
}

/** Rows of tables, items of lists and definitions. Pages with the best rank usually introduce the name. */
function rowsOf(page: OpenPage, { name, rank }: Asked): Place[] {
  return rowsNamed(page, name).map(({ section, ...row }) => ({
    ...placeOf({ page, section, match: 'exact', name, rank }),
    row,
  }))
}

/**
 * Handles a page or a section with a prose heading that begins with the declaration of the name: `int name(char
 * *text);`.
 */
function sectionsDeclaring(page: OpenPage, { name, rank }: Asked): Place[] {
  const [first] = page.sections
  const bare = name.replace(/(?<!\s)\s*\(.*/s, '').trim()
  if (!first || !/^[\w$]+$/.test(bare) || !page.markdown.includes(bare)) return []
  const pattern = declaring(bare)
  const [code] = codeOf(page.markdown.slice(0, HEAD))
  const own = code && page.sections.findLast(({ start }) => start <= code.start)
  if (code && pattern.test(code.text) && (!own || own.level <= 1 || SYNOPSIS.test(own.heading)))
    return [placeOf({ page, section: wholePage(page, first), match: 'exact', name, rank })]
  const sections = page.sections.filter(({ body, end }) => {
    const text = page.markdown.slice(body, Math.min(end, body + HEAD))
    const declared = text.includes(bare) ? codeOf(text)[0] : undefined
    return declared !== undefined && pattern.test(declared.text)
  })
  return sections.slice(0, MOST_DECLARING).map((section) => placeOf({ page, section, match: 'exact', name, rank }))
}

/** Matches a line with a type before the name. Does not match a call. */
function declaring(name: string): RegExp {
  const escaped = name.replaceAll('$', String.raw`\$`)
  return new RegExp(
    String.raw`^(?![ \t]*(?:return|await|new|else|throw|yield)\b)[ \t]*\w[\w:<>,*& \t]*[\s*&]${escaped}\s*\(`,
    'm',
  )
}

function placesLike(page: OpenPage, { name, rank }: Asked): Place[] {
  const [whole = ''] = askedKeys(name).whole
  const isLike = (key: string) => nameSimilarity(key, whole) >= SIMILAR
  const like = page.sections.filter(({ level, keys }) => level > 0 && keys.some(isLike))
  const [first] = page.sections
  const title = first && nameKeys(page.title).some(isLike) ? [wholePage(page, first)] : []
  return [...title, ...like].map((section) => placeOf({ page, section, match: 'similar', name, rank }))
}

function wholePage({ markdown }: OpenPage, first: Section): Section {
  return { ...first, start: 0, close: markdown.length }
}

function matchOf(own: readonly string[], { whole, part }: AskedKeys): Place['match'] | null {
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

function isInside(inner: Section, outer: Section): boolean {
  return outer.level > 0 && outer.start < inner.start && inner.start < outer.close
}

type Found = Omit<Place, 'score'> & { name: string; rank: number }

function placeOf({ page, section, match, name, rank }: Found): Place {
  const path = page.url.replace(/^[a-z]+:\/\/[^/]*/i, '')
  const text = page.markdown.slice(section.start, section.close)
  const heading = section.level === 0 ? page.title : section.heading
  const last = name.split(/\.|::|#|->|\s/).at(-1) ?? name
  const isTitle = section.start === 0
  const score =
    (match === 'exact' ? 3 : match === 'part' ? 1 : nameSimilarity(heading.toLowerCase(), name.toLowerCase())) +
    (isOfApi(page) ? 2 : 0) +
    (REFERENCE.test(path) ? 1 : 0) -
    (PROSE.test(path) ? 1.5 : 0) +
    (heading.includes(name) ? 0.5 : 0) +
    // `Vec::drain` and `vec::Drain` differ only in case.
    (heading.includes(last) ? 1 : heading.toLowerCase().includes(last.toLowerCase()) ? -1 : 0) +
    (heading.toLowerCase() === name.toLowerCase() ? 1.5 : 0) +
    (isCall(heading) ? 0.4 : 0) +
    (isOfKind(heading, last) ? KIND : 0) +
    (isTitle ? 0.5 : 0) +
    (declares(text, last) ? 1 : 0) +
    (match === 'part' ? membership(page, section, name) : 0) +
    (isOfProgram(page, name) ? PROGRAM : 0) +
    // A section whose code says `c.json` describes it under any heading.
    (match === 'part' && text.includes(name) ? 1 : 0) +
    (/^#{2,6} (?:Parameters|Arguments|Returns|Options|Props|Reference|Responses)\b/im.test(text) || hasTypes(text)
      ? 0.5
      : 0) +
    rank
  return { page, section, match, score }
}

/** For `vite --host`: true for a page about the program. */
function isOfProgram({ url, title }: LibraryPage, name: string): boolean {
  const program = /^([\w.-]{2,60})\s.*(?<=\s)-/.exec(name)?.[1]?.toLowerCase()
  return (
    program !== undefined &&
    `${url} ${title}`
      .toLowerCase()
      .split(/[^\w.-]+/)
      .includes(program)
  )
}

/** True if a table row has a cell about types. */
function hasTypes(text: string): boolean {
  for (const { index, 0: start } of text.matchAll(/^\|.*?\btype\b/gim)) {
    const from = index + start.length
    const end = text.indexOf('\n', from)
    if (text.slice(from, end < 0 ? text.length : end).includes('|')) return true
  }
  return false
}

/** `AllowOverride Directive` heads the reference, and `AllowOverride` alone can be a part of a guide. */
function isOfKind(heading: string, name: string): boolean {
  const words = heading.toLowerCase().replaceAll('`', '').split(' ')
  return words.length === 2 && words[0] === name.toLowerCase() && KINDS.has(words[1] ?? '')
}

function isCall(heading: string): boolean {
  const open = heading.indexOf('(')
  return open >= 0 && heading.includes(')', open)
}

/** For `dict.get`: favours a `get` below a heading about `dict` over `Cookie.get`. */
function membership(page: OpenPage, section: Section, name: string): number {
  const owner = /(?<![\w$])([\w$]+)(?:\.|::|#|->)[\w$]+$/.exec(name)?.[1]?.toLowerCase()
  if (owner === undefined) return 0
  const own = /(?<![\w$])([\w$]+)(?:\.|::|#|->)[\w$]+/.exec(section.heading)?.[1]?.toLowerCase()
  if (own !== undefined) return own === owner ? 1 : -1
  const above = page.sections.filter(
    ({ level, start, close }) => level > 0 && start < section.start && section.start < close,
  )
  return above.some(({ heading }) =>
    heading
      .toLowerCase()
      .split(/[^\w$]+/)
      .includes(owner),
  )
    ? 1
    : 0
}

/** True if a text begins with code that calls or declares the name. */
function declares(text: string, name: string): boolean {
  const at = text.slice(0, 1_500).indexOf('```')
  return at >= 0 && text.slice(at, at + 600).includes(name)
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
