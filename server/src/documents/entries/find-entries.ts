import { languageKey } from '#search/rank/page-filter.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Passage } from '#search/passage.ts'
import { entriesOn, kindOfPage, type OpenPage } from '../library-page.ts'
import type { Library, Scope, Search } from '../library.ts'
import { type EntryKind, ENTRY_KINDS } from '../model/document.ts'
import { codeIn } from '../model/read-block.ts'
import { findPlaces, type Place } from '../reference/find-places.ts'
import { stemsOf } from '../term-overlap.ts'
import { type EntryText, readEntry, readSection, readWholePage } from './read-entry.ts'

export type EntryDeps = { library: Library; search: Search }

export type Wanted = {
  /** A name, or what the thing is for. */
  name: string
  /** Empty: of any kind. */
  kinds: readonly EntryKind[]
  /** True: only things with the name, or a similar one. */
  isExact?: boolean
  /** Only things of these programming languages. Empty: of all. */
  languages: readonly string[]
  scope: Scope
}

/** `named`: they have the name. `similar`: a name like it. `about`: their texts fit. */
export type FoundEntries = { match: 'named' | 'similar' | 'about' | 'none'; entries: EntryText[] }

/** Finds things by their name, or else those of the kinds whose text fits, best first. */
export async function findEntries(deps: EntryDeps, wanted: Wanted, signal?: AbortSignal): Promise<FoundEntries> {
  const { name, kinds, scope } = wanted
  const { places, passages } = await findPlaces(deps, { name, scope, rather: kinds }, signal)
  const exact = fitting(places.filter(({ match }) => match === 'exact').map(entryOf), wanted)
  const named = wanted.isExact && kinds.length > 0 ? exact.filter((entry) => isOfKind(entry, kinds)) : exact
  if (named.length > 0) return { match: 'named', entries: withoutMentions(named) }
  const about = wanted.isExact ? [] : await entriesAbout(deps, wanted, passages, signal)
  if (about.length > 0) return { match: 'about', entries: about }
  const similar = fitting(places.map(entryOf), wanted)
  return similar.length > 0 ? { match: 'similar', entries: similar } : { match: 'none', entries: [] }
}

const GLOSSARY = /glossar|terminolog|\bterms\b|concepts?\b|definitions?\b/i

/** True if a thing is surely of one of the kinds. Most headings are terms by their form, those of a glossary by their place. */
export function isOfKind({ kind, page, span, text }: EntryText, kinds: readonly EntryKind[]): boolean {
  if (kind === 'page' || !kinds.includes(kind)) return false
  const isSection = page.sections.some(({ start, level }) => start === span.start && level > 0)
  return kind !== 'definition' || !isSection || GLOSSARY.test(`${page.title} ${page.url}`) || text === ''
}

function entryOf({ page, entry, section, form }: Place): EntryText | null {
  if (form === 'page') return readWholePage(page, kindOfPage(page) ?? 'page')
  return entry === undefined ? readSection(page, section) : readEntry(page, entry)
}

function fitting(entries: readonly (EntryText | null)[], { languages }: Wanted): EntryText[] {
  return entries.flatMap((each) => (each !== null && isOfLanguage(each, languages) ? each : []))
}

/** Lines of prose that begin with a name only mention it, if another place describes it. */
export function withoutMentions(entries: readonly EntryText[]): EntryText[] {
  const declared = entries.filter(({ isDeclared }) => isDeclared)
  return declared.length > 0 ? declared : [...entries]
}

const PASSAGES = { limit: 16, budget: 80_000 } as const
const MOST_PAGES = 8
/** Entries compared with a text, per page. */
const MOST_ENTRIES = 300
/** Characters of an entry that are compared. */
const COMPARED = 800
/** Least share of the words that an entry must have. */
const LEAST = 0.5
/** Weight of the rank of the page, and of words in the name. */
const RANK = 0.5
const NAME = 0.5

/** Things of the kinds on the pages that a search finds, by the words that they share with the text. */
async function entriesAbout(
  { library, search }: EntryDeps,
  wanted: Wanted,
  known: readonly Passage[],
  signal: AbortSignal | undefined,
): Promise<EntryText[]> {
  const { name, scope } = wanted
  const passages = known.length > 0 ? known : (await search({ query: name, ...PASSAGES, ...scope }, signal)).passages
  const urls = [...new Set(passages.map(({ url }) => withoutSection(url)))]
  const pages = await library.open(await library.pagesAt(urls.slice(0, MOST_PAGES), scope))
  const analyse = library.analyserOf('en')
  const asked = stemsOf(name, analyse)
  const rated = pages.flatMap((page, rank) =>
    fitting(entriesOf(page, wanted.kinds), wanted).map((entry) => {
      const share = (text: string) => asked.intersection(stemsOf(text, analyse)).size / Math.max(1, asked.size)
      const own = share(`${entry.name} ${entry.heading} ${entry.text.slice(0, COMPARED)}`)
      return { entry, own, worth: own + NAME * share(entry.name) + RANK * (1 - rank / pages.length) }
    }),
  )
  const good = rated.filter(({ own }) => own >= LEAST).toSorted((one, other) => other.worth - one.worth)
  return withoutInner(good.map(({ entry }) => entry))
}

/** Things of some kinds that a page names, in order. All kinds if none is given. */
export function entriesOf(page: OpenPage, kinds: readonly EntryKind[]): EntryText[] {
  const own = kindOfPage(page)
  if (own !== null) return kinds.length === 0 || kinds.includes(own) ? [readWholePage(page, own)] : []
  const wanted = kinds.length === 0 ? ENTRY_KINDS : kinds
  const entries = wanted.flatMap((kind) => entriesOn(page, kind)).toSorted((one, other) => one.start - other.start)
  const different = new Map(entries.map((entry) => [`${entry.start} ${entry.name.start}`, entry]))
  return [...different.values()].slice(0, MOST_ENTRIES).flatMap((entry) => readEntry(page, entry) ?? [])
}

/** A thing inside another one is shown with that. */
function withoutInner(entries: readonly EntryText[]): EntryText[] {
  const kept: EntryText[] = []
  for (const each of entries) {
    const isTold = kept.some(
      ({ page, span }) => page === each.page && span.start <= each.span.start && each.span.start < span.end,
    )
    if (!isTold) kept.push(each)
  }
  return kept
}

/** True if the thing is of one of the languages: by its code, or by the name of its page. */
function isOfLanguage({ page, span, text }: EntryText, languages: readonly string[]): boolean {
  if (languages.length === 0) return true
  const keys = languages.map(languageKey)
  const titled = `${page.title} ${page.url}`.toLowerCase().split(/[^\p{L}\p{N}#+]+/u)
  if (titled.some((word) => keys.includes(languageKey(word)))) return true
  const blocks = page.sections.flatMap(({ blocks: own }) =>
    own.filter(({ start }) => start >= span.start && start < span.end),
  )
  return text !== '' && codeIn(page.markdown, blocks).some(({ language }) => keys.includes(languageKey(language ?? '')))
}
