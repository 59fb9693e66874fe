import { setTimeout as sleep } from 'node:timers/promises'
import { GiveUp } from '#jobs/errors.ts'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { Pacer } from '#net/pacing.ts'
import type { Robots, RobotsCache } from '#net/robots.ts'
import type { PageReader } from '#processes/page-reader.ts'
import { RETRY_AFTER_MS } from './pace-requests.ts'
import { LONG_TRY_MS } from './adaptive-timeouts.ts'
import { failureOfStatus } from './reasons.ts'
import { discoverPages, noListsRead } from './discover-pages.ts'
import { normalizeUrl } from './normalize-url.ts'
import { createScope } from './scope.ts'
import { type SiteRules, createSiteRules } from './site-rules.ts'
import { type SiteTexts, fetchSiteTexts } from './site-texts.ts'

type Deps = { net: NetClient; pages: PageReader; pacer: Pacer; robots: RobotsCache; signal: AbortSignal }

/** Dependencies of a call that belong to the current time slice. */
type DiscoverDeps = {
  net: NetClient
  pages: PageReader
  signal: AbortSignal
  over: AbortSignal
  /** Returns whether the source has no room for further pages. */
  isFull: () => boolean
}

/** Patterns are JSON arrays, as stored. */
type SiteSource = { url: string; includePatterns: string; excludePatterns: string }

export type OpenSite = {
  /** Start of the crawl: the source's URL after redirects. */
  startUrl: string
  rules: SiteRules
  /**
   * Passes the URLs from sitemaps and llms.txt to `add`, continuing after the last call. Returns early once `over` is
   * aborted, and whether all lists were read.
   */
  discover: (deps: DiscoverDeps, add: (urls: string[]) => Promise<void>) => Promise<boolean>
  /** Fetches the page texts in llms-full.txt. */
  texts: () => Promise<SiteTexts>
}

/**
 * Opens a site for crawling: checks robots.txt, follows the start URL, and determines the scope. Throws `GiveUp` with a
 * sentence for the source's owner if the site cannot be crawled.
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
    // Accept the start page even if its name looks like an asset.
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

/** Milliseconds for the start page: a user is waiting for it. */
const START_MS = 25_000

/** Fetches the start page, with redirects and retries. */
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
