import { setTimeout as sleep } from 'node:timers/promises'
import { GiveUp } from '#jobs/lease.ts'
import type { NetClient, NetResponse } from '#net/client.ts'
import { fetchAsAsked } from '#net/fetch-as-asked.ts'
import { NetError } from '#net/net-error.ts'
import type { Pacer } from '#net/pacing.ts'
import type { Robots, RobotsCache } from '#net/robots.ts'
import { signInPage } from '#net/sign-in-page.ts'
import type { PageReader } from '#readers/page-pool.ts'
import { createYielder } from '#lib/limits/yield-to-event-loop.ts'
import { RETRY_AFTER_MS, LONG_TRY_MS } from './pace-requests.ts'
import { failureOfStatus } from './crawl-budget.ts'
import { normalizeUrl, type SiteRules, createSiteRules } from './site-rules.ts'
import { type SiteDates, createSiteDates, readRefreshState } from './site-dates.ts'
import type { SourceRow } from '#store/sources/sources.ts'
import { createScope, type Scope } from './scope.ts'
import { type SiteTexts, fetchSiteTexts, tryFetch } from './site-texts.ts'

type Deps = {
  net: NetClient
  pages: PageReader
  pacer: Pacer
  robots: RobotsCache
  signal: AbortSignal
  run: number
  /** A refresh that nobody asked for. */
  isScheduled: boolean
}

type DiscoverDeps = {
  net: NetClient
  pages: PageReader
  signal: AbortSignal
  over: AbortSignal
  isFull: () => boolean
}

type Add = (urls: string[]) => Promise<void>

/** Patterns are JSON arrays, as stored. */
type SiteSource = Pick<SourceRow, 'url' | 'includePatterns' | 'excludePatterns' | 'versions' | 'refreshState'>

export type OpenSite = {
  /** Start of the crawl: the source's URL after redirects. */
  startUrl: string
  /** Starts of the source's other versions. */
  otherStarts: string[]
  rules: SiteRules
  /** Passes URLs of lists to `add`, after the last call's. Ends when `over` aborts. Returns whether all were read. */
  discover: (deps: DiscoverDeps, add: Add) => Promise<boolean>
  texts: () => Promise<SiteTexts>
  dates: SiteDates
}

/** Checks robots.txt, follows the start URL and determines the scope. Throws `GiveUp` for the source's owner. */
export async function openSite(deps: Deps, source: SiteSource): Promise<OpenSite> {
  const start = new URL(source.url)
  refuseUnlessAllowed(await robotsOf(deps, start.origin), start)
  const landing = await land(deps, start)
  const landed = new URL(landing.url)
  const bytes = landing.bytes.slice(0, HEAD_BYTES)
  landing.release?.()
  const read = await deps.pages.readList({ list: 'start', url: landing.url, bytes }, deps.signal)
  const robots = await robotsOf(deps, landed.origin)
  refuseUnlessAllowed(robots, landed)
  const feeds = (read?.head.feeds ?? []).filter(
    (url) => new URL(url).origin === landed.origin && robots.allows(new URL(url)),
  )
  if (robots.crawlDelay) deps.pacer.setCrawlDelay(landed.host, robots.crawlDelay)
  const include = JSON.parse(source.includePatterns) as string[]
  const exclude = JSON.parse(source.excludePatterns) as string[]
  const versions = JSON.parse(source.versions) as string[]
  const scope = createScope({ start, landed, include, exclude, versions })
  const rules = createSiteRules(scope, robots)
  const lists: ListsRead = { llmsTxt: false, sitemaps: null }
  const { run, isScheduled } = deps
  const { trusted = null, isAnew = false } = readRefreshState(source) ?? {}
  const dates = createSiteDates({ run, trusted, now: Date.now(), isScheduled, isAnew })
  return {
    // Accept the start page even if its name looks like an asset.
    startUrl: rules.normalize(landing.url) ?? normalizeUrl(landing.url) ?? landing.url,
    otherStarts: scope.others.flatMap((path) => rules.normalize(new URL(path, landed).href) ?? []),
    rules,
    discover: (now, add) => discoverPages({ ...now, scope, robots, rules, lists, dates, feeds }, add),
    dates,
    texts: () => fetchSiteTexts({ ...deps, rules }, landed.origin),
  }
}

async function robotsOf({ robots, signal }: Deps, origin: string): Promise<Robots> {
  const found = await robots.of(origin, signal)
  if (found.isHostDown) throw new GiveUp(`${found.problem ?? ''} Refresh the source once the site is up.`)
  if (found.state === 'unreachable') {
    throw new GiveUp(
      `Crawling is not allowed while the site's robots.txt cannot be read. ${found.problem ?? ''} Refresh the source once the site is up.`,
    )
  }
  return found
}

function refuseUnlessAllowed(robots: Robots, url: URL): void {
  if (robots.allows(url)) return
  throw new GiveUp(
    `The site's robots.txt asks crawlers to stay away from ${url.href}. Ask the site's owner to allow the user agent "Docent".`,
  )
}

/** Bytes of the start page that are searched for feeds, which its head names. */
const HEAD_BYTES = 64 * 1024
/** Milliseconds for the start page: a user is waiting for it. */
const START_MS = 25_000

async function land(deps: Deps, start: URL): Promise<NetResponse> {
  for (let tries = 0; ; tries++) {
    const started = performance.now()
    const landing = await tryLanding(deps, start)
    if (landing.kind === 'answer') return landing.response
    const wait = RETRY_AFTER_MS[tries]
    const isLong = performance.now() - started > LONG_TRY_MS
    if (!landing.transient || isLong || wait === undefined) throw new GiveUp(landing.sentence)
    await sleep(wait, undefined, { signal: deps.signal })
  }
}

type Landing = { kind: 'answer'; response: NetResponse } | { kind: 'failed'; sentence: string; transient: boolean }

async function tryLanding({ net, signal }: Deps, start: URL): Promise<Landing> {
  try {
    const headers = { accept: 'text/html, */*;q=0.1' }
    const response = await fetchAsAsked(net, start.href, { headers, totalMs: START_MS, signal })
    const failure = failureOfStatus(response.status)
    const sentence = failure ? null : signInPage(start, new URL(response.url))
    if (sentence) return { kind: 'failed', sentence, transient: false }
    if (!failure) return { kind: 'answer', response }
    return { kind: 'failed', sentence: `${start.href}: ${failure.detail}`, transient: failure.transient }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NetError) return { kind: 'failed', sentence: error.message, transient: error.transient }
    throw error
  }
}

type SiteDeps = DiscoverDeps & {
  scope: Scope
  robots: Robots
  rules: SiteRules
  lists: ListsRead
  dates: SiteDates
  /** RSS and Atom feeds that the start page names. They are read as sitemaps are. */
  feeds: readonly string[]
}

/** Sitemaps read per crawl. An index may list 50,000; a documentation site has a handful. */
const MAX_SITEMAPS = 100
/** The size is the limit of the sitemap protocol. Pages are found by links as well. */
const LIST_LIMITS = { maxBytes: 50 * 1024 * 1024, totalMs: 30_000 }
/** Decompressed bytes of all sitemaps. An entry has some 200, and a source has at most 100,000 pages. */
const MAX_SITEMAP_BYTES_IN_ALL = 200 * 1024 * 1024
/** Queued sitemap URLs: no more than can be read. */
const MAX_WAITING = MAX_SITEMAPS

/** Queued and known sitemaps, the number read, and the bytes left. */
type SitemapsRead = { waiting: string[]; seen: Set<string>; read: number; bytesLeft: number }

/** Progress through a site's lists, so that another time slice can continue. */
type ListsRead = { llmsTxt: boolean; sitemaps: SitemapsRead | null }

/**
 * Passes every in-scope page from llms.txt and sitemaps to `add`, resuming from `lists`. Skips lists that cannot be
 * fetched, because links lead to the pages as well. Returns false if `over` was aborted before all lists were read.
 */
async function discoverPages(deps: SiteDeps, add: Add): Promise<boolean> {
  const { lists, over } = deps
  const readLlmsTxt = async () => {
    if (lists.llmsTxt || over.aborted) return
    await addLlmsTxt(deps, add)
    lists.llmsTxt = true
  }
  await Promise.all([readLlmsTxt(), addSitemaps(deps, add)])
  return lists.llmsTxt && (lists.sitemaps?.waiting.length === 0 || lists.sitemaps?.read === MAX_SITEMAPS)
}

async function addLlmsTxt(deps: SiteDeps, add: Add): Promise<void> {
  const url = new URL('/llms.txt', deps.scope.origin).href
  const response = await tryFetch(deps, url, LIST_LIMITS)
  if (response?.status !== 200 || /html/i.test(response.headers['content-type'] ?? '')) return
  const list = await deps.pages.readList({ list: 'llmsTxt', url: response.url, bytes: response.bytes }, deps.signal)
  if (list) await add(await pagesOf(deps, list.links))
}

/** Returns the sitemaps named by robots.txt, or else the usual locations. */
function firstSitemaps({ robots, scope, feeds }: SiteDeps): string[] {
  const named = robots.sitemaps
  const folder = new URL(`${scope.prefix.replace(/(?<![^/])[^/]*$/, '')}sitemap.xml`, scope.origin).href
  return [...new Set([...(named.length > 0 ? named : [new URL('/sitemap.xml', scope.origin).href, folder]), ...feeds])]
}

async function addSitemaps(deps: SiteDeps, add: Add): Promise<void> {
  const first = firstSitemaps(deps)
  const fresh = { waiting: first, seen: new Set(first), read: 0, bytesLeft: MAX_SITEMAP_BYTES_IN_ALL }
  const progress = (deps.lists.sitemaps ??= fresh)
  const { waiting, seen } = progress
  for (; progress.read < MAX_SITEMAPS && progress.bytesLeft > 0 && !deps.isFull(); progress.read++) {
    const url = deps.over.aborted ? undefined : waiting.shift()
    if (url === undefined) return
    const response = await tryFetch(deps, url, LIST_LIMITS)
    if (response?.status !== 200) continue
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
async function pagesOf({ rules, dates }: SiteDeps, listed: readonly { url: string; lastModified?: number | null }[]) {
  const turns = createYielder()
  const pages = new Set<string>()
  for (const { url, lastModified } of listed) {
    const page = rules.normalize(url)
    if (page !== null) pages.add(page)
    if (page !== null && lastModified) dates.note(page, lastModified)
    if (turns.due()) await turns.turn()
  }
  return [...pages]
}
