import { createTurnTaker } from '#lib/turn-taker.ts'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { Robots } from '#net/robots.ts'
import type { PageReader } from '../page-pool.ts'
import type { Scope } from './scope.ts'
import type { SiteRules } from './site-rules.ts'

type Deps = { net: NetClient; pages: PageReader; scope: Scope; robots: Robots; rules: SiteRules; signal: AbortSignal }

/** Sitemaps read in one crawl. Indexes may name 50,000; a documentation site has a handful. */
const MAX_SITEMAPS = 100
/** For one list. Links lead to the pages as well. */
const LIST_MS = 30_000
/** The sitemap protocol's own limit. */
const MAX_SITEMAP_BYTES = 50 * 1024 * 1024

/** Hands over every page of the source that the site lists. What cannot be had is passed over: links lead on. */
export async function discoverPages(deps: Deps, add: (urls: string[]) => Promise<void>): Promise<void> {
  await Promise.all([addLlmsTxt(deps, add), addSitemaps(deps, add)])
}

async function addLlmsTxt(deps: Deps, add: (urls: string[]) => Promise<void>): Promise<void> {
  const url = new URL('/llms.txt', deps.scope.origin).href
  const response = await tryFetch(deps, url)
  if (!response || /html/i.test(response.headers['content-type'] ?? '')) return
  const list = await deps.pages.readList({ list: 'llmsTxt', url: response.url, bytes: response.bytes }, deps.signal)
  if (list) await add(await pagesOf(deps, list.links))
}

async function addSitemaps(deps: Deps, add: (urls: string[]) => Promise<void>): Promise<void> {
  const { robots, scope } = deps
  const named = robots.sitemaps
  const folder = new URL(`${scope.prefix.replace(/[^/]*$/, '')}sitemap.xml`, scope.origin).href
  const waiting = [...new Set(named.length > 0 ? named : [new URL('/sitemap.xml', scope.origin).href, folder])]
  const seen = new Set(waiting)
  for (let read = 0; read < MAX_SITEMAPS; read++) {
    const url = waiting.shift()
    if (url === undefined) return
    const response = await tryFetch(deps, url)
    if (!response) continue
    const task = { list: 'sitemap', url: response.url, bytes: response.bytes } as const
    const list = await deps.pages.readList(task, deps.signal)
    response.release?.()
    if (!list) continue
    await add(await pagesOf(deps, list.pages))
    for (const { url: further } of list.sitemaps) {
      if (seen.has(further)) continue
      seen.add(further)
      waiting.push(further)
    }
  }
}

/** The pages among what a list names, of which there may be 50,000. */
async function pagesOf({ rules }: Deps, listed: readonly { url: string }[]): Promise<string[]> {
  const turns = createTurnTaker()
  const pages = new Set<string>()
  for (const { url } of listed) {
    const page = rules.normalize(url)
    if (page !== null) pages.add(page)
    if (turns.due()) await turns.turn()
  }
  return [...pages]
}

async function tryFetch({ net, signal }: Deps, url: string): Promise<NetResponse | null> {
  try {
    const response = await net.fetch(url, { maxBytes: MAX_SITEMAP_BYTES, totalMs: LIST_MS, signal })
    return response.status === 200 ? response : null
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NetError) return null
    throw error
  }
}
