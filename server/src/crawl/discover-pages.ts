import { createYielder } from '#lib/limits/yield-to-event-loop.ts'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { Robots } from '#net/robots.ts'
import type { PageReader } from '#processes/page-reader.ts'
import type { Scope } from './scope.ts'
import type { SiteRules } from './site-rules.ts'

type Deps = {
  net: NetClient
  pages: PageReader
  scope: Scope
  robots: Robots
  rules: SiteRules
  signal: AbortSignal
} & {
  /** Returns whether the source has no room for further pages. */
  isFull: () => boolean
}

/** Sitemaps read per crawl. An index may list 50,000; a documentation site has a handful. */
const MAX_SITEMAPS = 100
/** Milliseconds per list. Pages are found by links as well. */
const LIST_MS = 30_000
/** Limit of the sitemap protocol. */
const MAX_SITEMAP_BYTES = 50 * 1024 * 1024
/** Decompressed bytes of all sitemaps. An entry has some 200, and a source has at most 100,000 pages. */
const MAX_SITEMAP_BYTES_IN_ALL = 200 * 1024 * 1024
/** Queued sitemap URLs: no more than can be read. */
const MAX_WAITING = MAX_SITEMAPS

/** Queued and known sitemaps, the number read, and the bytes left. */
type SitemapsRead = { waiting: string[]; seen: Set<string>; read: number; bytesLeft: number }

/** Progress through a site's lists, so that another time slice can continue. */
export type ListsRead = { llmsTxt: boolean; sitemaps: SitemapsRead | null }

export function noListsRead(): ListsRead {
  return { llmsTxt: false, sitemaps: null }
}

/**
 * Passes every in-scope page from llms.txt and sitemaps to `add`, resuming from `lists`. Skips lists that cannot be
 * fetched, because links lead to the pages as well. Returns false if `over` was aborted before all lists were read.
 */
export async function discoverPages(
  deps: Deps & { lists: ListsRead; over: AbortSignal },
  add: (urls: string[]) => Promise<void>,
): Promise<boolean> {
  const { lists, over } = deps
  const readLlmsTxt = async () => {
    if (lists.llmsTxt || over.aborted) return
    await addLlmsTxt(deps, add)
    lists.llmsTxt = true
  }
  await Promise.all([readLlmsTxt(), addSitemaps(deps, add)])
  return lists.llmsTxt && (lists.sitemaps?.waiting.length === 0 || lists.sitemaps?.read === MAX_SITEMAPS)
}

async function addLlmsTxt(deps: Deps, add: (urls: string[]) => Promise<void>): Promise<void> {
  const url = new URL('/llms.txt', deps.scope.origin).href
  const response = await tryFetch(deps, url)
  if (!response || /html/i.test(response.headers['content-type'] ?? '')) return
  const list = await deps.pages.readList({ list: 'llmsTxt', url: response.url, bytes: response.bytes }, deps.signal)
  if (list) await add(await pagesOf(deps, list.links))
}

/** Returns the sitemaps named by robots.txt, or else the usual locations. */
function firstSitemaps({ robots, scope }: Deps): string[] {
  const named = robots.sitemaps
  const folder = new URL(`${scope.prefix.replace(/(?<![^/])[^/]*$/, '')}sitemap.xml`, scope.origin).href
  return [...new Set(named.length > 0 ? named : [new URL('/sitemap.xml', scope.origin).href, folder])]
}

async function addSitemaps(
  deps: Deps & { lists: ListsRead; over: AbortSignal },
  add: (urls: string[]) => Promise<void>,
): Promise<void> {
  const first = firstSitemaps(deps)
  const progress = (deps.lists.sitemaps ??= {
    waiting: first,
    seen: new Set(first),
    read: 0,
    bytesLeft: MAX_SITEMAP_BYTES_IN_ALL,
  })
  const { waiting, seen } = progress
  for (; progress.read < MAX_SITEMAPS && progress.bytesLeft > 0 && !deps.isFull(); progress.read++) {
    const url = deps.over.aborted ? undefined : waiting.shift()
    if (url === undefined) return
    const response = await tryFetch(deps, url)
    if (!response) continue
    const task = { list: 'sitemap', url: response.url, bytes: response.bytes } as const
    const list = await deps.pages.readList(task, deps.signal)
    response.release?.()
    if (!list) continue
    progress.bytesLeft -= list.bytes
    await add(await pagesOf(deps, list.pages))
    for (const { url: further } of list.sitemaps) {
      if (waiting.length >= MAX_WAITING) break
      if (seen.has(further)) continue
      seen.add(further)
      waiting.push(further)
    }
  }
}

/** Returns the in-scope pages of a list, which may have 50,000 entries. */
async function pagesOf({ rules }: Deps, listed: readonly { url: string }[]): Promise<string[]> {
  const turns = createYielder()
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
