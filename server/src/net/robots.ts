import { abortable } from './deadline.ts'
import type { NetClient } from './client.ts'
import { fetchAsAsked } from './fetch-as-asked.ts'
import { NetError } from './net-error.ts'
import { allowsPath, MAX_PARSED_BYTES, NO_RULES, type RobotsRules } from './robots-rules.ts'

export type Robots = {
  /**
   * `rules`: it was read. `none`: it does not exist (4xx), so everything may be fetched. `unreachable`: it could not be
   * read (5xx, 429, no response), so nothing may be fetched until then.
   */
  state: 'rules' | 'none' | 'unreachable'
  /** A sentence on why it is unreachable, otherwise null. */
  problem: string | null
  /** The host itself was unreachable, as `problem` says. The robots.txt is not at fault. */
  isHostDown?: true
  crawlDelay: number | null
  sitemaps: string[]
  allows(url: URL): boolean
}

export type RobotsCache = {
  /** The robots of an origin (`URL.origin`), fetched if unknown or expired. Throws `NetError` `aborted`. */
  of(origin: string, signal?: AbortSignal): Promise<Robots>
  /** A cache with another client, for one crawl: what a credential shows must not reach others. */
  with(net: Config['net']): RobotsCache
}

type Config = {
  net: Pick<NetClient, 'fetch'>
  userAgent: string
  /** Runs `parseRobots` in a child process. Null if it takes too long or too much memory. */
  parse(bytes: Uint8Array, productToken: string, url: string): Promise<RobotsRules | null>
  /** Memory for all files, except the latest, which is kept at any size. */
  maxBytes?: number
}

type Known = { robots: Promise<Robots>; until: number; bytes: number }

/** RFC 9309, section 2.4: at most a day. A shorter max-age applies within these bounds. */
const KEEP_MS = { least: 5 * 60_000, most: 24 * 60 * 60_000 }

/** An unreachable robots.txt stops a whole crawl, so it is retried soon. */
const KEEP_UNREACHABLE_MS = 60_000

/** A whole crawl waits for it. */
const TOTAL_MS = 20_000

/** Only 500 KiB are parsed, the rest is read up to this. A larger file is absent (RFC 9309, section 2.5). */
const MAX_BYTES = 5 * 1024 * 1024

/** Enough for the current crawls. The oldest is dropped first. */
const MAX_ORIGINS = 500

/** Memory for all files: hundreds of typical ones. The largest readable file takes 18 MB. */
export const ROBOTS_BYTES = 32_000_000

/** Memory for each byte that is parsed, at most: measured on files that consist only of rules, wildcards or sitemaps. */
const BYTES_PER_BYTE = 36

/** Caches the robots of origins (RFC 9309). Concurrent crawls share one fetch. */
export function createRobotsCache(config: Config): RobotsCache {
  const { net, userAgent, parse, maxBytes = ROBOTS_BYTES } = config
  const productToken = /^[a-z_-]+/i.exec(userAgent)?.[0] ?? ''
  const known = new Map<string, Known>()
  let bytes = 0

  const drop = (origin: string) => {
    bytes -= known.get(origin)?.bytes ?? 0
    known.delete(origin)
  }
  const makeRoom = () => {
    for (const oldest of known.keys()) {
      if (known.size <= 1 || (known.size <= MAX_ORIGINS && bytes <= maxBytes)) return
      drop(oldest)
    }
  }

  const load = (origin: string): Known => {
    // No caller's signal cancels it, because others may wait for the same file. The client's deadline applies.
    const robots = fetchRobots({ net, parse }, origin, productToken).then(({ robots: found, keepMs, size = 0 }) => {
      entry.until = Date.now() + keepMs
      if (known.get(origin) === entry) {
        entry.bytes = size
        bytes += size
        makeRoom()
      }
      return found
    })
    const entry: Known = { robots, until: Number.POSITIVE_INFINITY, bytes: 0 }
    drop(origin)
    known.set(origin, entry)
    // A bug, or a shutdown: the next crawl fetches it again.
    robots.catch(() => known.get(origin) === entry && drop(origin))
    makeRoom()
    return entry
  }

  return {
    async of(origin, signal) {
      const entry = known.get(origin)
      const fresh = entry && entry.until > Date.now() ? entry : load(origin)
      return abortable(fresh.robots, signal)
    },
    with: (other) => createRobotsCache({ ...config, net: other }),
  }
}

async function fetchRobots(
  { net, parse }: Pick<Config, 'net' | 'parse'>,
  origin: string,
  productToken: string,
): Promise<{ robots: Robots; keepMs: number; size?: number }> {
  const url = `${origin}/robots.txt`
  try {
    const answer = await fetchAsAsked(net, url, { maxBytes: MAX_BYTES, totalMs: TOTAL_MS })
    const keepMs = keepFor(answer.headers['cache-control'])
    if (answer.status === 429 || answer.status >= 500) {
      return { robots: unreachable(`${url} answers with status ${answer.status}.`), keepMs: KEEP_UNREACHABLE_MS }
    }
    if (answer.status < 200 || answer.status >= 300) return { robots: withRules('none', NO_RULES), keepMs }
    const rules = await parse(answer.bytes, productToken, answer.url)
    if (rules === null) return { robots: unreachable(`${url} takes too long to read.`), keepMs: KEEP_UNREACHABLE_MS }
    return { robots: withRules('rules', rules), keepMs, size: sizeOf(answer.bytes) }
  } catch (error) {
    if (!(error instanceof NetError)) throw error
    // RFC 9309, section 2.3.1.2: too many redirects count as an absent file.
    if (error.reason === 'redirect_loop' || error.reason === 'too_many_redirects') {
      return { robots: withRules('none', NO_RULES), keepMs: KEEP_MS.least }
    }
    const robots = isOfHost(error, origin)
      ? { ...unreachable(`${new URL(origin).host}: ${error.message}`), isHostDown: true as const }
      : unreachable(`${url} cannot be read. ${error.message}`)
    return { robots, keepMs: KEEP_UNREACHABLE_MS }
  }
}

/** True if a request failed before reaching the host: its name, connection or certificate failed. */
function isOfHost({ reason, url }: NetError, origin: string): boolean {
  const isConnecting = reason === 'dns' || reason === 'connect' || reason === 'tls'
  return isConnecting && (url === '' || URL.parse(url)?.origin === origin)
}

function sizeOf({ length }: Uint8Array): number {
  return BYTES_PER_BYTE * Math.min(length, MAX_PARSED_BYTES)
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
