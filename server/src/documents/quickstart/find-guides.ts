import { sourceKind } from '@docent/contract/values/source-kinds'
import { addressPath, withoutSection } from '#lib/addresses/page-address.ts'
import type { WordAnalyser } from '#search/analyse/word-analyser.ts'
import type { Passage } from '#search/passage.ts'
import type { Library, Scope, Search } from '../library.ts'
import { isOfApi, type LibraryPage, pageRanks } from '../library-page.ts'
import { createStemmer, stemsOf } from '../term-overlap.ts'
import { agreement, namesIn, namesOnlyVariants } from './variants.ts'

/** Pages rated by title and address, besides search results. */
const MOST_GUIDES = 1_000
const PASSAGES = 20
const PASSAGE_BYTES = 100_000
/** Score bonus of a guide that is named like the topic, and of one that the search finds. */
const NAMED = 8
const FOUND = 3
/** Share of the topic that another name for it counts as: a guide to Expo is for React Native. */
const SYNONYM = 0.9
/** Share for a page with a section about the topic. */
const IN_SECTION = 0.95
/** Least worth of a page that is about beginning. An introduction alone is less. */
const LEAST_WORTH = 5

export type GuideDeps = { library: Library; search: Search }
export type WantedGuide = {
  /** What to begin with. Undefined for whatever the sources are about. */
  topic?: string | undefined
  scope?: Scope | undefined
  /** Passages of a search for the topic, if there was one. Without them this searches. */
  passages?: readonly Passage[] | undefined
}

/** A guide to begin with: a page, or the section of one at this heading path. */
export type Guide = LibraryPage & { within?: readonly string[] }

/** Candidate guides, best first. */
export async function findGuides(
  { library, search }: GuideDeps,
  { topic, scope = {}, passages }: WantedGuide,
  signal: AbortSignal | undefined,
): Promise<Guide[]> {
  const pages = (await library.pagesOf(['start'], scope)).slice(0, MOST_GUIDES)
  const hasGuides = pages.some((page) => worthOfGuide(page) >= LEAST_WORTH)
  const searches = passages ? [passages] : await searchGuides(search, { topic, scope, hasGuides }, signal)
  const ranks = pageRanks(...searches)
  const found = await library.pagesAt([...ranks.keys()], scope)
  const guides = new Map([...pages, ...found].filter((page) => !isOfApi(page)).map((page) => [page.url, page]))
  const analyse = library.analyserOf('en')
  const asked = topic === undefined ? null : stemsOf(topic, analyse)
  // A variant chooses among the steps of a guide.
  const isPart = asked !== null && !namesOnlyVariants(topic ?? '')
  const parts = isPart ? sectionsAbout(searches.flat(), asked, analyse) : new Map<string, string[]>()
  const rated = [...guides.values()].map((page) => {
    const share = asked === null ? 0 : named(page, asked, analyse) || (hasName(page, topic) ? SYNONYM : 0)
    const within = share < 1 ? parts.get(page.url) : undefined
    const own = within === undefined ? share : IN_SECTION
    const worth = worthOfGuide(page) + FOUND * (ranks.get(page.url) ?? 0) + NAMED * own
    return { guide: within === undefined ? page : { ...page, within }, own, worth }
  })
  // A guide to another topic never qualifies, however good it is.
  const isWhole = ({ own }: (typeof rated)[number]) => Number(own >= IN_SECTION)
  return rated.toSorted((a, b) => isWhole(b) - isWhole(a) || b.worth - a.worth).map(({ guide }) => guide)
}

/** Heading paths of the outermost sections that are about a topic, with the titles of their pages, by page. */
function sectionsAbout(passages: readonly Passage[], asked: ReadonlySet<string>, analyse: WordAnalyser) {
  const found = new Map<string, string[]>()
  for (const { title, url, headings } of passages) {
    const page = withoutSection(url)
    const words = stemsOf(title, analyse)
    const at = headings.findIndex((heading) => {
      for (const stem of stemsOf(heading, analyse)) words.add(stem)
      return asked.isSubsetOf(words)
    })
    if (at >= 0 && at + 1 < (found.get(page)?.length ?? Infinity)) found.set(page, headings.slice(0, at + 1))
  }
  return found
}

type Asked = { topic: string | undefined; scope: Scope; hasGuides: boolean }

async function searchGuides(search: Search, { topic, scope, hasGuides }: Asked, signal: AbortSignal | undefined) {
  const query = `${topic ?? ''} getting started quickstart installation`.trim()
  const budget = { limit: PASSAGES, budget: PASSAGE_BYTES, ...scope }
  const { passages } = await search(
    hasGuides ? { query, kinds: ['start'], ...budget } : { query: `${query} usage`, ...budget },
    signal,
  )
  // A page whose title begins with the topic need not be called a guide.
  const onTopic = topic === undefined ? [] : (await search({ query: `${topic} usage`, ...budget }, signal)).passages
  return [passages, onTopic]
}

/** Share of the topic's words in title and address. */
function named({ title, url }: LibraryPage, asked: ReadonlySet<string>, analyse: WordAnalyser): number {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replaceAll(/[/_.-]/g, ' ')
  const words = stemsOf(`${title} ${path}`, analyse)
  return asked.size === 0 ? 0 : asked.intersection(words).size / asked.size
}

/** True if the title has a name of the topic, or a synonym of it: `Red Hat` for `RHEL`. */
export function hasName({ title }: LibraryPage, topic = ''): boolean {
  return agreement(namesIn(title), namesIn(topic)) > 0
}

/** True if title and address contain the whole topic. */
export function isNamed(page: LibraryPage, topic: string | undefined): boolean {
  if (topic === undefined) return false
  const analyse = createStemmer()
  return named(page, stemsOf(topic, analyse), analyse) === 1
}

const WORTH: readonly [RegExp, number][] = [
  [/quick[\s_-]?start/i, 10],
  [/get(?:ting)?[\s_-]?started/i, 9],
  [/first[\s_-]steps|hello[\s_,-]*world/i, 7],
  [/install(?:ation|ing)?\b|set[\s_-]?up/i, 6],
  // `TLS_README` is one part of many.
  [/^readme/i, 8],
  [/basic[\s_-](?:configuration|setup|usage)/i, 9],
  [/\btutorial introduction\b|\bintroductory tutorial\b|\bbeginner/i, 7],
  [/tutorial/i, 3],
  [/introduction(?! to\b)|usage|^(?:\d+\.? )?building\b/i, 3],
  [/introduction to\b/i, 2],
]
/** Poor starting points: parts of a product, old versions, blog posts. */
const ASIDE =
  /\/(?:blog|news|reference|api|examples?|recipes|migrat\w*|upgrade\w*|contributing|internals?|legacy|[0-3]x)\b|uninstall|editor|troubleshoot/i
const DEPTH = 0.8

/** Score of a page as a starting guide, from its title and URL alone. */
export function worthOfGuide({ title, url, type }: Pick<LibraryPage, 'title' | 'url' | 'type'>): number {
  const path = addressPath(url)
  const parts = path.split('/').filter(Boolean)
  const file = parts.at(-1) ?? ''
  const best = Math.max(
    0,
    ...WORTH.map(([words, worth]) =>
      words.test(title) ? worth : words.test(file) ? worth - 1 : words.test(path) ? worth - 4 : 0,
    ),
  )
  // Paths of a repository begin with its owner and name, mostly followed by a tree marker and a branch.
  const above = url.includes('?') ? 2 : 4
  const depth = sourceKind(type).isRepository ? parts.length - above : parts.length
  return best - DEPTH * Math.max(0, depth) - (ASIDE.test(path) ? 5 : 0)
}
