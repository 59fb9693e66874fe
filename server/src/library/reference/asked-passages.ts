import { sourceKind } from '@docent/contract/values/source-kinds'
import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Passage, SearchResult } from '#search/passage.ts'
import type { ServedServer } from '#store/servers/served.ts'
import type { Library, Search } from '../library.ts'
import { askedEndpoint, type Endpoint } from './asked-endpoint.ts'
import { chunksOf } from '../library-page.ts'
import { entriesNamed } from './entries-named.ts'
import { passageOfPage } from './passage-of-page.ts'
import { releasePassage } from './release-passage.ts'
import { subjectPassages } from './subject-passages.ts'
import { withWholeSection } from './whole-section.ts'

type Deps = { server: Pick<ServedServer, 'sources'>; library: Library; search: Search }

/** Candidate operations per question. */
const OPERATIONS = { limit: 20, budget: 40_000 } as const

/**
 * Adds to a search for a question the items that it names, the API operation that does what it asks, the release that
 * it asks about, the beginning of the page about its subject, and the rest of the best section.
 */
export async function withAskedPassages(
  deps: Deps,
  { question, subject, result }: { question: string; subject: string | null; result: SearchResult },
  signal: AbortSignal | undefined,
): Promise<SearchResult & { endpoint: Endpoint | null; release: Passage | null }> {
  const { passages } = result
  const score = passages[0]?.score ?? 0
  const members = await namedPassages(deps.library, question, score)
  const named = members.length > 0 ? members : await entryPassages(deps.library, question, passages)
  const endpoint = await endpointOf(deps, question, { passages, signal })
  const release = await releasePassage(deps.library, question, { score })
  const chosen = [endpoint?.first ?? null, release].filter((one) => one !== null)
  const first = [...chosen, ...named.filter(({ url }) => chosen.every((one) => one.url !== url))]
  const about = first.length > 0 || subject === null ? [] : await subjectPassages(deps.library, subject, passages)
  const all = withNamed([...first, ...about], passages)
  return { ...result, passages: first.length > 0 ? all : await withWholeSection(deps.library, all), endpoint, release }
}

/**
 * Finds the API operation that the question asks about. It can be in a separate description or among other files.
 */
async function endpointOf(
  { server, library, search }: Deps,
  question: string,
  { passages, signal }: { passages: readonly Passage[]; signal: AbortSignal | undefined },
): Promise<Endpoint | null> {
  const hasApi = server.sources.some(({ type }) => sourceKind(type).describesApi)
  const operations = hasApi ? (await search({ query: question, type: 'api', ...OPERATIONS }, signal)).passages : []
  // Scores of two searches are not comparable, and the operation is at least equal to the best passage.
  const score = passages[0]?.score ?? 0
  return askedEndpoint(library, question, { passages: [...operations, ...passages], score })
}

/** Puts the items named in the question first, in place of the last passages. */
function withNamed(named: readonly Passage[], passages: readonly Passage[]): Passage[] {
  const urls = new Set(named.map(({ url }) => url))
  const others = passages.filter(({ url }) => !urls.has(url))
  return [...named, ...others].slice(0, Math.max(passages.length, named.length))
}

/** Qualified names with at least two parts: `Thread.sleep`, `Vec::drain`, `rope->cut()`. */
const MEMBER = /(?<![\w$./:@-]|[\w$]#|->|[:.#>]~)[a-z_$][\w$]*(?:(?:\.|::|#|->)~?[\w$]+)+(?![\w$/@-])/gi
/** A question with more names is of another kind, and further overloads repeat the first. */
const MOST_NAMES = 2
const MOST_PLACES = 2

/**
 * Passages about the qualified members named in a question, if a reference has them. They are the topic, even if other
 * passages mention the member more often. Every passage gets `score`.
 */
async function namedPassages(library: Library, question: string, score: number): Promise<Passage[]> {
  const names = new Set([...question.matchAll(MEMBER)].map(([name]) => name))
  const passages: Passage[] = []
  for (const name of [...names].slice(0, MOST_NAMES)) {
    const last = name.split(/\.|::|#|->/).at(-1) ?? name
    const places = (await library.members(name)).slice(0, MOST_PLACES)
    const pages = await library.open(places.map(({ page }) => page))
    for (const [at, { offset }] of places.entries()) {
      const page = pages[at]
      const chunk = page && chunksOf(page).find(({ start }) => start === offset)
      // A page about `vec::Drain` does not describe `Vec::drain`.
      if (!page || !chunk?.headings.at(-1)?.includes(last)) continue
      passages.push(passageOfPage(page, chunk, { rank: passages.length + 1, score }))
    }
  }
  return passages
}

/** Options and words of a question. Words with a point or an underscore are variables and settings. */
const WORD = /(?<![\w$./:@-])(?:--?[a-z][\w-]{1,80}|[a-z][\w.]{1,80})(?![\w$/@-])/gi
/** Best pages read for entries. */
const MOST_PAGES = 3

/** Passages of the entries without headings about a setting in the question, on the best pages found. */
async function entryPassages(library: Library, question: string, found: readonly Passage[]): Promise<Passage[]> {
  const words = (question.match(WORD) ?? []).map((word) => word.replace(/\.$/, ''))
  const names = [...new Set(words.filter((word) => /^-|[_.]\w/.test(word)))].slice(0, MOST_NAMES)
  const [best] = found
  if (names.length === 0 || !best) return []
  const places = new Map(found.map(({ url, sourceId }) => [withoutSection(url), sourceId] as const))
  const pages = await Promise.all(
    [...places].slice(0, MOST_PAGES).map(([url, sourceId]) => library.pageAt(url, { sourceId })),
  )
  const opened = await library.open(pages.filter((page) => page !== null))
  return opened.flatMap((page) =>
    names.flatMap((name) =>
      entriesNamed(page, name)
        .slice(0, MOST_PLACES)
        .flatMap(({ start, close }, at): Passage[] => {
          const chunk = chunksOf(page).findLast((each) => each.start <= start)
          if (!chunk) return []
          // The name stands for the heading that the entry does not have.
          const entry = { ...chunk, start, end: close, headings: [...chunk.headings, name], code: [] }
          return [passageOfPage(page, entry, { rank: at + 1, score: best.score })]
        }),
    ),
  )
}
