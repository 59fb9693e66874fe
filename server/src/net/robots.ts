import { abortable } from './abortable.ts'
import type { NetClient } from './client.ts'
import { NetError } from './net-error.ts'
import { allowsPath, NO_RULES, type RobotsRules } from './robots-rules.ts'

/** What the robots.txt of an origin comes to. */
export type Robots = {
  /**
   * `rules`: it was read. `none`: there is none (4xx), all may be fetched. `unreachable`: it could not be read
   * (5xx, 429, no answer), and until it can be, nothing may be fetched.
   */
  state: 'rules' | 'none' | 'unreachable'
  /** Why it is unreachable, as a sentence; null otherwise. */
  problem: string | null
  /** Seconds that the site asks to leave between requests. */
  crawlDelay: number | null
  /** Absolute URLs of the sitemaps that it names. */
  sitemaps: string[]
  /** Whether a URL of this origin may be fetched. */
  allows(url: URL): boolean
}

export type RobotsCache = {
  /** The robots of an origin (`URL.origin`), fetched when they are not known or too old. Throws `NetError` `aborted`. */
  of(origin: string, signal?: AbortSignal): Promise<Robots>
}

type Config = {
  net: Pick<NetClient, 'fetch'>
  userAgent: string
  /** Parses a robots.txt apart from this process, as `parseRobots` does; null where that takes too long or too much memory. */
  parse(bytes: Uint8Array, productToken: string, url: string): Promise<RobotsRules | null>
}

type Known = { robots: Promise<Robots>; until: number }

/** RFC 9309, 2.4: no longer than a day; a shorter max-age of the answer counts, as far as it is sensible. */
const KEEP_MS = { least: 5 * 60_000, most: 24 * 60 * 60_000 }

/** An unreachable robots.txt stops a whole crawl, so it is soon asked for again. */
const KEEP_UNREACHABLE_MS = 60_000

/** All of a crawl waits for it. */
const TOTAL_MS = 20_000

/** Only the first 500 KiB are parsed, but the rest is read up to here. What is larger still is no robots.txt. */
const MAX_BYTES = 5 * 1024 * 1024

/** Enough for the crawls in progress; the oldest is dropped first. */
const MAX_ORIGINS = 500

/** Keeps the robots of origins, per RFC 9309, fetched once for all crawls that ask at the same time. */
export function createRobotsCache({ net, userAgent, parse }: Config): RobotsCache {
  const productToken = /^[a-z_-]+/i.exec(userAgent)?.[0] ?? ''
  const known = new Map<string, Known>()

  const load = (origin: string): Known => {
    // Nobody's signal cancels it, because others may be waiting for the same file; the client's deadline does.
    const robots = fetchRobots({ net, parse }, origin, productToken).then(({ robots: found, keepMs }) => {
      entry.until = Date.now() + keepMs
      return found
    })
    const entry: Known = { robots, until: Number.POSITIVE_INFINITY }
    known.delete(origin)
    known.set(origin, entry)
    // A bug, or a service that is ending: the next crawl asks again.
    robots.catch(() => known.get(origin) === entry && known.delete(origin))
    const oldest = known.size > MAX_ORIGINS ? known.keys().next().value : undefined
    if (oldest !== undefined) known.delete(oldest)
    return entry
  }

  return {
    async of(origin, signal) {
      const entry = known.get(origin)
      const fresh = entry && entry.until > Date.now() ? entry : load(origin)
      return abortable(fresh.robots, signal)
    },
  }
}

async function fetchRobots({ net, parse }: Omit<Config, 'userAgent'>, origin: string, productToken: string) {
  const url = `${origin}/robots.txt`
  try {
    const answer = await net.fetch(url, { maxBytes: MAX_BYTES, totalMs: TOTAL_MS })
    const keepMs = keepFor(answer.headers['cache-control'])
    if (answer.status === 429 || answer.status >= 500) {
      return { robots: unreachable(`${url} answers with status ${answer.status}.`), keepMs: KEEP_UNREACHABLE_MS }
    }
    if (answer.status < 200 || answer.status >= 300) return { robots: withRules('none', NO_RULES), keepMs }
    const rules = await parse(answer.bytes, productToken, answer.url)
    if (rules === null) return { robots: unreachable(`${url} takes too long to read.`), keepMs: KEEP_UNREACHABLE_MS }
    return { robots: withRules('rules', rules), keepMs }
  } catch (error) {
    if (!(error instanceof NetError)) throw error
    // RFC 9309, 2.3.1.2: more redirects than anybody follows count as no file.
    if (error.reason === 'redirect_loop' || error.reason === 'too_many_redirects') {
      return { robots: withRules('none', NO_RULES), keepMs: KEEP_MS.least }
    }
    return { robots: unreachable(`${url} cannot be read. ${error.message}`), keepMs: KEEP_UNREACHABLE_MS }
  }
}

function withRules(state: 'rules' | 'none', rules: RobotsRules): Robots {
  const allows = (url: URL) => allowsPath(rules, url.pathname + url.search)
  return { state, problem: null, crawlDelay: rules.crawlDelay, sitemaps: rules.sitemaps, allows }
}

function unreachable(problem: string): Robots {
  return { state: 'unreachable', problem, crawlDelay: null, sitemaps: [], allows: () => false }
}

function keepFor(cacheControl: string | undefined): number {
  const seconds = /\bmax-age=(\d+)/i.exec(cacheControl ?? '')?.[1]
  return seconds === undefined ? KEEP_MS.most : Math.min(Math.max(Number(seconds) * 1000, KEEP_MS.least), KEEP_MS.most)
}
