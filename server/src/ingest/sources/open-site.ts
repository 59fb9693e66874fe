import { setTimeout as sleep } from 'node:timers/promises'
import { GiveUp } from '#jobs/errors.ts'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { Pacer } from '#net/pacing.ts'
import type { Robots, RobotsCache } from '#net/robots.ts'
import type { PageReader } from '../page-pool.ts'
import { RETRY_AFTER_MS } from '../pace-requests.ts'
import { LONG_TRY_MS } from '../patience.ts'
import { failureOfStatus } from '../reasons.ts'
import { discoverPages, noListsRead } from './discover-pages.ts'
import { normalizeUrl } from './normalize-url.ts'
import { createScope } from './scope.ts'
import { type SiteRules, createSiteRules } from './site-rules.ts'
import { type SiteTexts, fetchSiteTexts } from './site-texts.ts'

type Deps = { net: NetClient; pages: PageReader; pacer: Pacer; robots: RobotsCache; signal: AbortSignal }

/** What a call needs of the time slice that it is made in. */
type DiscoverDeps = {
  net: NetClient
  pages: PageReader
  signal: AbortSignal
  over: AbortSignal
  /** Whether the source has no room for further pages. */
  isFull: () => boolean
}

/** JSON arrays of patterns, as the store keeps them. */
type SiteSource = { url: string; includePatterns: string; excludePatterns: string }

export type OpenSite = {
  /** Where the crawl begins: what the source's address led to. */
  startUrl: string
  rules: SiteRules
  /**
   * Hands over the addresses that the site itself lists, in its sitemaps and llms.txt, from where the last call ended.
   * Returns before the next list once `over` is aborted, and whether all have been read.
   */
  discover: (deps: DiscoverDeps, add: (urls: string[]) => Promise<void>) => Promise<boolean>
  /** Asks for the pages that the site gives away at once. */
  texts: () => Promise<SiteTexts>
}

/**
 * Looks at a site before it is crawled: may we, where does its address lead, what belongs to it. Throws `GiveUp` with a
 * sentence for the source's owner when it cannot be crawled.
 */
export async function openSite(deps: Deps, source: SiteSource): Promise<OpenSite> {
  const start = new URL(source.url)
  refuseUnlessAllowed(await robotsOf(deps, start.origin), start)
  const landing = await land(deps, start)
  landing.release?.()
  const landed = new URL(landing.url)
  const robots = await robotsOf(deps, landed.origin)
  refuseUnlessAllowed(robots, landed)
  if (robots.crawlDelay) deps.pacer.setCrawlDelay(landed.host, robots.crawlDelay)
  const include = JSON.parse(source.includePatterns) as string[]
  const exclude = JSON.parse(source.excludePatterns) as string[]
  const scope = createScope({ start, landed, include, exclude })
  const rules = createSiteRules(scope, robots)
  const lists = noListsRead()
  return {
    // The page itself, even where its own name would be taken for a file that is no page.
    startUrl: rules.normalize(landing.url) ?? normalizeUrl(landing.url) ?? landing.url,
    rules,
    discover: (now, add) => discoverPages({ ...now, scope, robots, rules, lists }, add),
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

/** For all of the start page, which somebody is waiting for. */
const START_MS = 25_000

/** The start's answer, after its redirects. */
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
    const response = await net.fetch(start.href, {
      headers: { accept: 'text/html, */*;q=0.1' },
      totalMs: START_MS,
      signal,
    })
    const failure = failureOfStatus(response.status)
    if (!failure) return { kind: 'answer', response }
    return { kind: 'failed', sentence: `${start.href}: ${failure.detail}`, transient: failure.transient }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NetError) return { kind: 'failed', sentence: error.message, transient: error.transient }
    throw error
  }
}
