import type { SourceType } from '@docent/contract/values/sources'
import type { Scope } from '#crawl/scope.ts'
import { createYielder } from '#lib/limits/yield-to-event-loop.ts'
import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { PageReader } from '#processes/page-reader.ts'
import type { ListKind, ListTask, SiteList } from '#processes/read-list.ts'

type Deps = { net: Pick<NetClient, 'fetch'>; pages: PageReader; signal: AbortSignal }

/** Page lists of a site with their pages of the source; null if there is none. */
export type SiteLists = {
  llmsTxt: { pages: number } | null
  sitemap: { pages: number; sitemaps: number } | null
}

/** A larger list would take too long to wait for. */
const MAX_BYTES = 8 * 1024 * 1024

/** Looks for the page lists of a site, without following them. A list that cannot be fetched counts as missing. */
export async function lookForLists(deps: Deps, scope: Scope, sitemaps: readonly string[]): Promise<SiteLists> {
  const { origin } = scope
  const [llms, sitemap] = await Promise.all([
    tryFetch(deps, new URL('/llms.txt', origin).href),
    tryFetch(deps, sitemaps[0] ?? new URL('/sitemap.xml', origin).href),
  ])
  const [links, listed] = await Promise.all([
    llms && tryRead(deps, { list: 'llmsTxt', ...llms }),
    sitemap && tryRead(deps, { list: 'sitemap', ...sitemap }),
  ])
  const found = {
    links: await countWithin(scope, links?.links ?? []),
    pages: await countWithin(scope, listed?.pages ?? []),
  }
  const further = (listed?.sitemaps.length ?? 0) + Math.max(0, sitemaps.length - 1)
  return {
    llmsTxt: found.links > 0 ? { pages: found.links } : null,
    sitemap: found.pages + further > 0 ? { pages: found.pages, sitemaps: further } : null,
  }
}

/** Number of listed pages that belong to the source. A list can have 50,000 entries. */
async function countWithin(scope: Scope, listed: readonly { url: string }[]): Promise<number> {
  const turns = createYielder()
  let found = 0
  for (const { url } of listed) {
    const parsed = URL.parse(url)
    if (parsed !== null && scope.includes(scope.atHome(parsed))) found += 1
    if (turns.due()) await turns.turn()
  }
  return found
}

async function tryRead<K extends ListKind>({ pages, signal }: Deps, task: ListTask<K>): Promise<SiteList<K> | null> {
  try {
    return await pages.readList(task, signal)
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

async function tryFetch({ net, signal }: Deps, url: string): Promise<{ url: string; bytes: Uint8Array } | null> {
  try {
    const response = await net.fetch(url, { maxBytes: MAX_BYTES, signal })
    const isList = response.status === 200 && !/html/i.test(response.headers['content-type'] ?? '')
    return isList ? { url: response.url, bytes: response.bytes } : null
  } catch (error) {
    if (error instanceof NetError) return null
    throw error
  }
}

/** Documentation generators, by their name in `<meta name="generator">`. */
const DOCS_GENERATORS =
  /docusaurus|vitepress|vuepress|starlight|mkdocs|sphinx|gitbook|mintlify|nextra|antora|javadoc|rustdoc|doxygen|docsify|typedoc|mdbook|readthedocs|redocly|fumadocs/i

const count = new Intl.NumberFormat('en')

/** Returns the type of site, and the reason as a sentence: `Website: llms.txt with 214 pages, sitemap with 403.` */
export function describeSite(seen: { guess: SourceType; generator: string | null; lists: SiteLists }): {
  type: SourceType
  reason: string
} {
  const { guess, generator, lists } = seen
  const madeWith = generator !== null && DOCS_GENERATORS.test(generator) ? ` made with ${generator.slice(0, 60)}` : ''
  const isDocs = guess === 'docs' || madeWith !== '' || lists.llmsTxt !== null
  const found = [...describeLlmsTxt(lists), ...describeSitemap(lists)].join(', ')
  const how = found === '' ? 'no list of its pages, so that its links are followed' : found
  return { type: isDocs ? 'docs' : 'website', reason: `${isDocs ? 'Documentation' : 'Website'}${madeWith}: ${how}.` }
}

function describeLlmsTxt({ llmsTxt }: SiteLists): string[] {
  return llmsTxt === null ? [] : [`llms.txt with ${pages(llmsTxt.pages)}`]
}

function describeSitemap({ llmsTxt, sitemap }: SiteLists): string[] {
  if (sitemap === null) return []
  const further = sitemap.sitemaps > 0 ? `${count.format(sitemap.sitemaps)} further sitemaps` : ''
  if (sitemap.pages === 0) return [`a sitemap that leads to ${further}`]
  const number = llmsTxt === null ? pages(sitemap.pages) : count.format(sitemap.pages)
  return [`sitemap with ${number}${further === '' ? '' : ` and ${further}`}`]
}

function pages(number: number): string {
  return number === 1 ? '1 page' : `${count.format(number)} pages`
}
