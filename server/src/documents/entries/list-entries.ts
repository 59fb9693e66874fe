import { addressPath, withoutSection } from '#lib/addresses/page-address.ts'
import { entriesOn, kindOfPage, type LibraryPage, type OpenPage } from '../library-page.ts'
import type { EntryKind, Span } from '../model/document.ts'
import { askedKeys, nameKeys } from '../model/name-key.ts'
import { findPlaces } from '../reference/find-places.ts'
import { stemsOf } from '../term-overlap.ts'
import { entriesOf, type EntryDeps, findEntries, type FoundEntries, withoutMentions } from './find-entries.ts'
import { type EntryText, readWholePage } from './read-entry.ts'
import type { Scope } from '../library.ts'

export type Listing = {
  /** In the order of their pages. */
  entries: EntryText[]
  /** The thing that has them, as its place names it. Null if none was asked for. */
  owner: string | null
}

type Wanted = {
  kinds: readonly (EntryKind | 'page')[]
  /** Only things of this one: of a command, a class, a page. */
  owner?: string | undefined
  /** Words of which each thing must have all. */
  about?: string | undefined
  scope: Scope
}

const MOST_PAGES = 40
const MOST_ENTRIES = 400
const NONE: Listing = { entries: [], owner: null }

/** Lists the things of some kinds: of an owner, or of all pages in the scope. */
export async function listEntries(deps: EntryDeps, wanted: Wanted, signal?: AbortSignal): Promise<Listing> {
  const { kinds, owner, about, scope } = wanted
  const listing = kinds.includes('page')
    ? await listPages(deps, scope)
    : owner === undefined
      ? await listAll(deps, kinds as readonly EntryKind[], scope)
      : await listOwned(deps, { kinds: kinds as readonly EntryKind[], owner, scope }, signal)
  return about === undefined ? listing : { ...listing, entries: aboutWords(deps, listing.entries, about) }
}

/** The things of an owner with a name, or else those whose text has all words of it. */
export async function findOwned(
  deps: EntryDeps,
  { name, kinds, owner, scope }: Owned & { name: string },
  signal?: AbortSignal,
): Promise<FoundEntries> {
  const exact = await findEntries(deps, { name, kinds, languages: [], scope }, signal)
  const keys = askedKeys(name).whole
  for await (const { page, span } of placesOf(deps, owner, scope, signal)) {
    const listed = within(page, kinds, span)
    const own = listed.filter((entry) => nameKeys(entry.name).some((key) => keys.includes(key)))
    // A long page has more things than are listed.
    const inside = exact.match === 'named' ? exact.entries.filter((entry) => entry.page.url === page.url) : []
    const named = own.length > 0 ? own : inside.filter((entry) => isInside(entry, span))
    if (named.length > 0) return { match: 'named', entries: named }
    const about = aboutWords(deps, listed, name)
    if (about.length > 0) return { match: 'about', entries: about }
  }
  return { match: 'none', entries: [] }
}

type Owned = { kinds: readonly EntryKind[]; owner: string; scope: Scope }

/** The things inside the first place of an owner that has some. */
async function listOwned(deps: EntryDeps, { kinds, owner, scope }: Owned, signal?: AbortSignal): Promise<Listing> {
  for await (const { page, span, name } of placesOf(deps, owner, scope, signal)) {
    const entries = within(page, kinds, span)
    if (entries.length > 0) return { entries, owner: name }
  }
  return NONE
}

/** The places with the name of an owner, then the pages that a search finds whose title or a heading has all words. */
async function* placesOf(
  deps: EntryDeps,
  owner: string,
  scope: Scope,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ page: OpenPage; span: Span; name: string }> {
  const { places, passages } = await findPlaces(deps, { name: owner, scope }, signal)
  const named = places.filter(({ match, row }) => match === 'exact' && row === undefined)
  for (const { page, section, form } of named)
    yield form === 'page'
      ? { page, span: { start: 0, end: page.markdown.length }, name: page.title }
      : { page, span: { start: section.start, end: section.close }, name: section.heading }
  const found =
    passages.length > 0 ? passages : (await deps.search({ query: owner, limit: 8, ...scope }, signal)).passages
  const urls = [...new Set(found.map(({ url }) => withoutSection(url)))]
  const asked = stemsOf(owner)
  for (const page of await deps.library.open(await deps.library.pagesAt(urls, scope))) {
    const headed = page.sections.filter(({ heading }) => asked.isSubsetOf(stemsOf(heading)))
    const section = headed.toSorted((one, other) => one.heading.length - other.heading.length)[0]
    if (section) yield { page, span: { start: section.start, end: section.close }, name: section.heading }
    else if (asked.isSubsetOf(stemsOf(page.title)))
      yield { page, span: { start: 0, end: page.markdown.length }, name: page.title }
  }
}

const isInside = ({ span: own }: EntryText, { start, end }: Span): boolean => own.start >= start && own.start < end

function within(page: OpenPage, kinds: readonly EntryKind[], span: Span): EntryText[] {
  const inside = entriesOf(page, kinds).filter(
    (entry) => isInside(entry, span) && !(entry.span.start === span.start && entry.span.end >= span.end),
  )
  return withoutMentions(inside)
}

/** Pages that are no reference. */
const ASIDE = /(?:^|[/_-])(?:blog|news|changelog|changes|releases?|legacy|archive|examples?|tutorials?)(?:$|[/_.-])/i

/** All things of the kinds, from the pages that have most of them. */
async function listAll({ library }: EntryDeps, kinds: readonly EntryKind[], scope: Scope): Promise<Listing> {
  const pages = await library.all(scope)
  const counted = pages.flatMap((page) => {
    const own = kindOfPage(page)
    const count = own === null ? kinds.flatMap((kind) => entriesOn(page, kind)).length : Number(kinds.includes(own))
    return count === 0 ? [] : [{ page, count }]
  })
  const reference = counted.filter(({ page }) => !ASIDE.test(addressPath(page.url)))
  const chosen = (reference.length > 0 ? reference : counted).toSorted((one, other) => other.count - one.count)
  const opened = await library.open(chosen.slice(0, MOST_PAGES).map(({ page }) => page))
  const entries = withoutMentions(opened.flatMap((page) => entriesOf(page, kinds)))
  const different = new Map(entries.map((entry) => [`${entry.page.sourceId} ${entry.name.toLowerCase()}`, entry]))
  return { entries: [...different.values()].slice(0, MOST_ENTRIES), owner: null }
}

async function listPages({ library }: EntryDeps, scope: Scope): Promise<Listing> {
  const pages: LibraryPage[] = await library.all(scope)
  const opened = await library.open(pages.slice(0, MOST_ENTRIES))
  return { entries: opened.map((page) => readWholePage(page, 'page')), owner: null }
}

function aboutWords({ library }: EntryDeps, entries: readonly EntryText[], about: string): EntryText[] {
  const analyse = library.analyserOf('en')
  const asked = stemsOf(about.replaceAll(/[._-]/g, ' '), analyse)
  return entries.filter(({ name, heading, text, page }) =>
    asked.isSubsetOf(
      stemsOf(`${page.title} ${name} ${heading} ${text.slice(0, 2_000)}`.replaceAll(/[._-]/g, ' '), analyse),
    ),
  )
}
