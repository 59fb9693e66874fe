import { sourceKind } from '@docent/contract/values/source-kinds'
import { withoutSection } from '#lib/addresses/page-address.ts'
import { isLeftOut, type Passage, type SearchResult } from '#search/passage.ts'
import type { ServedServer } from '#store/servers/served.ts'
import { askedEndpoint, type Endpoint, releasePassage, subjectPassages } from './asked-pages.ts'
import type { Library, Search } from '../library.ts'
import { type Named, passageOfEntry } from '../library-page.ts'

const OPERATIONS = { limit: 20, budget: 40_000 } as const

/** Adds to a search what the question names: members, an API operation, a release, its subject, the whole section. */
export async function withAskedPassages(
  { server, library, search }: { server: Pick<ServedServer, 'sources'>; library: Library; search: Search },
  { question, subject, result }: { question: string; subject: string | null; result: SearchResult },
  signal: AbortSignal | undefined,
): Promise<SearchResult & { endpoint: Endpoint | null; release: Passage | null; named: number }> {
  const { passages } = result
  const score = passages[0]?.score ?? 0
  const isAllowed = (passage: Passage) => !isLeftOut(passage, result)
  const named = (await namedPassages(library, question, passages)).filter(isAllowed)
  // The operation can be in a separate description or among other files. Scores of two searches are not comparable.
  const hasApi = server.sources.some(({ type }) => sourceKind(type).describesApi)
  const operations = hasApi ? (await search({ query: question, type: 'api', ...OPERATIONS }, signal)).passages : []
  const asked = await askedEndpoint(library, question, { passages: [...operations, ...passages], score })
  const endpoint = asked && isAllowed(asked.first) ? asked : null
  const entry = await releasePassage(library, question, { score })
  const release = entry && isAllowed(entry) ? entry : null
  const chosen = [endpoint?.first ?? null, release].filter((one) => one !== null)
  const first = [...chosen, ...named.filter(({ url }) => chosen.every((one) => one.url !== url))]
  const about =
    first.length > 0 || subject === null ? [] : (await subjectPassages(library, subject, passages)).filter(isAllowed)
  const all = withNamed([...first, ...about], passages)
  return { ...result, passages: all, endpoint, release, named: first.length + about.length }
}

/** Puts the items named in the question first, in place of the last passages. */
function withNamed(named: readonly Passage[], passages: readonly Passage[]): Passage[] {
  const urls = new Set(named.map(({ url }) => url))
  const others = passages.filter(({ url }) => !urls.has(url))
  return [...named, ...others].slice(0, Math.max(passages.length, named.length))
}

/** Qualified names with at least two parts: `Thread.sleep`, `Vec::drain`, `rope->cut()`. */
const MEMBER = /(?<![\w$./:@-]|[\w$]#|->|[:.#>]~)[a-z_$][\w$]*(?:(?:\.|::|#|->)~?[\w$]+)+(?![\w$/@-])/gi
/** Options and words of a question. Words with a point or an underscore are variables and settings. */
const WORD = /(?<![\w$./:@-])(?:--?[a-z][\w-]{1,80}|[a-z][\w.]{1,80})(?![\w$/@-])/gi
/** A question with more names is of another kind, and further overloads repeat the first. */
const MOST_NAMES = 2
const MOST_PLACES = 2
/** Best pages read for entries without headings. */
const MOST_PAGES = 3

/** Passages about the members that a question names, or else the entries without headings about its settings. */
async function namedPassages(library: Library, question: string, found: readonly Passage[]): Promise<Passage[]> {
  const score = found[0]?.score ?? 0
  const members = firstNames(question.match(MEMBER) ?? [])
  const owned = await Promise.all(members.map((name) => library.named({ name, isOwned: true })))
  const places = owned.flatMap((each) => each.filter(({ entry }) => entry !== null).slice(0, MOST_PLACES))
  const lasts = members.map((name) => name.split(/\.|::|#|->/).at(-1) ?? name)
  const passages = await passagesOf(library, places, { names: lasts, score })
  if (passages.length > 0) return passages
  const words = (question.match(WORD) ?? []).map((word) => word.replace(/\.$/, ''))
  const settings = firstNames(words.filter((word) => /^-|[_.]\w/.test(word)))
  const urls = [...new Set(found.map(({ url }) => withoutSection(url)))].slice(0, MOST_PAGES)
  const named = await Promise.all(settings.map((name) => library.named({ name })))
  const bare = named.flatMap((each) =>
    urls.flatMap((url) => each.filter((place) => place.page.url === url && isBare(place)).slice(0, MOST_PLACES)),
  )
  return passagesOf(library, bare, { names: settings, score })
}

function firstNames(names: readonly string[]): string[] {
  return [...new Set(names)].slice(0, MOST_NAMES)
}

/** Passages of entries whose page writes one of the names: one about `vec::Drain` does not describe `Vec::drain`. */
async function passagesOf(
  library: Library,
  places: readonly Named[],
  { names, score }: { names: readonly string[]; score: number },
): Promise<Passage[]> {
  const opened = await library.open(places.map(({ page }) => page))
  return places.flatMap((place, at) => {
    const page = opened.find(({ url, sourceId }) => url === place.page.url && sourceId === place.page.sourceId)
    const written = place.entry && page?.markdown.slice(place.entry.name.start, place.entry.name.end)
    const isExact = page && names.some((name) => written?.includes(name))
    return isExact ? [passageOfEntry(page, place, { rank: at + 1, score })] : []
  })
}

/** True for an entry that is neither a section nor a row or item of a list. */
function isBare({ chunk, entry }: Named): boolean {
  const own = chunk.blocks.find(({ start, end }) => entry !== null && start <= entry.start && entry.start < end)
  return (
    entry !== null && own !== undefined && own.kind !== 'heading' && own.start === entry.start && own.end < entry.end
  )
}
