import { GiveUp } from '#jobs/errors.ts'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { Pacer } from '#net/pacing.ts'
import type { Robots, RobotsCache } from '#net/robots.ts'
import { failureOfStatus } from '../reasons.ts'
import { discoverPages } from './discover-pages.ts'
import { normalizeUrl } from './normalize-url.ts'
import { createScope } from './scope.ts'
import { type SiteRules, createSiteRules } from './site-rules.ts'

type Deps = { net: NetClient; pacer: Pacer; robots: RobotsCache; signal: AbortSignal }

export type OpenSite = {
  /** Where the crawl begins: what the source's address led to. */
  startUrl: string
  rules: SiteRules
  /** Hands over the addresses that the site itself lists, in its sitemaps and llms.txt. */
  discover: (add: (urls: string[]) => Promise<void>) => Promise<void>
}

/**
 * Looks at a site before it is crawled: may we, where does its address lead, what belongs to it. Throws `GiveUp` with a
 * sentence for the source's owner when it cannot be crawled.
 */
export async function openSite(deps: Deps, source: { url: string }): Promise<OpenSite> {
  const start = new URL(source.url)
  refuseUnlessAllowed(await robotsOf(deps, start.origin), start)
  const landing = await land(deps, start)
  const landed = new URL(landing.url)
  const robots = await robotsOf(deps, landed.origin)
  refuseUnlessAllowed(robots, landed)
  if (robots.crawlDelay) deps.pacer.setCrawlDelay(landed.host, robots.crawlDelay)
  const scope = createScope({ start, landed })
  const rules = createSiteRules(scope, robots)
  return {
    // The page itself, even where its own name would be taken for a file that is no page.
    startUrl: rules.normalize(landing.url) ?? normalizeUrl(landing.url) ?? landing.url,
    rules,
    discover: (add) => discoverPages({ ...deps, scope, robots, rules }, add),
  }
}

async function robotsOf({ robots, signal }: Deps, origin: string): Promise<Robots> {
  const found = await robots.of(origin, signal)
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

/** The start's answer, after its redirects. */
async function land({ net, signal }: Deps, start: URL): Promise<NetResponse> {
  try {
    const response = await net.fetch(start.href, { headers: { accept: 'text/html, */*;q=0.1' }, signal })
    const failure = failureOfStatus(response.status)
    if (failure) throw new GiveUp(`${start.href}: ${failure.detail}.`)
    return response
  } catch (error) {
    if (error instanceof NetError && error.reason !== 'aborted') throw new GiveUp(error.message, { cause: error })
    throw error
  }
}
