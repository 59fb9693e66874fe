import { withoutSection } from '#lib/addresses/page-address.ts'
import { type LibraryPage, isOfApi } from '../library-page.ts'
import type { Library, Scope, Search } from '../library.ts'
import { stemsOf } from '../term-overlap.ts'
import { agreement, namesIn } from './variant-names.ts'
import { worthOfGuide } from './rank-guides.ts'

/** Pages rated by title and address, besides search results. */
const MOST_GUIDES = 1_000
const PASSAGES = 20
const PASSAGE_BYTES = 100_000
/** Score bonus of a guide that is named like the topic, and of one that the search finds. */
const NAMED = 8
const FOUND = 3
/** Share of the topic that another name for it counts as: a guide to Expo is for React Native. */
const SYNONYM = 0.9

type Deps = { library: Library; search: Search }
type Wanted = { topic: string | undefined; scope: Scope }

/** Candidate start pages, best first. */
export async function findGuides(
  { library, search }: Deps,
  { topic, scope }: Wanted,
  signal: AbortSignal | undefined,
): Promise<LibraryPage[]> {
  const pages = (await library.pagesOf(['start'], scope)).slice(0, MOST_GUIDES)
  const query = `${topic ?? ''} getting started quickstart installation`.trim()
  const budget = { limit: PASSAGES, budget: PASSAGE_BYTES, ...scope }
  const { passages } = await search(
    pages.length > 0 ? { query, kinds: ['start'], ...budget } : { query: `${query} usage`, ...budget },
    signal,
  )
  // A page whose title begins with the topic need not be called a guide.
  const onTopic = topic === undefined ? [] : (await search({ query: `${topic} usage`, ...budget }, signal)).passages
  const ranks = new Map<string, number>()
  for (const list of [passages, onTopic]) {
    for (const [rank, { url }] of list.entries()) {
      const address = withoutSection(url)
      if (!ranks.has(address)) ranks.set(address, 1 - rank / list.length)
    }
  }
  const found = await Promise.all([...ranks.keys()].map((address) => library.pageAt(address, scope)))
  const guides = [...pages, ...found.filter((page) => page !== null)].filter((page) => !isOfApi(page))
  const all = new Map(guides.map((page) => [page.url, page]))
  const asked = topic === undefined ? null : stemsOf(topic)
  return (
    [...all.values()]
      .map((page) => {
        const share = asked === null ? 0 : named(page, asked) || (hasName(page, topic) ? SYNONYM : 0)
        return { page, share, worth: worthOfGuide(page) + FOUND * (ranks.get(page.url) ?? 0) + NAMED * share }
      })
      // A guide to another topic never qualifies, however good it is.
      .toSorted((a, b) => Number(b.share === 1) - Number(a.share === 1) || b.worth - a.worth)
      .map(({ page }) => page)
  )
}

/** Share of the topic's words in title and address. */
function named({ title, url }: LibraryPage, asked: ReadonlySet<string>): number {
  const words = stemsOf(`${title} ${url.replace(/^[a-z]+:\/\/[^/]*/i, '').replaceAll(/[/_.-]/g, ' ')}`)
  return asked.size === 0 ? 0 : asked.intersection(words).size / asked.size
}

/** True if the title has a name of the topic, or a synonym of it: `Red Hat` for `RHEL`. */
export function hasName({ title }: LibraryPage, topic = ''): boolean {
  return agreement(namesIn(title), namesIn(topic)) > 0
}

/** True if title and address contain the whole topic. */
export function isNamed(page: LibraryPage, topic: string | undefined): boolean {
  return topic !== undefined && named(page, stemsOf(topic)) === 1
}
