import { type Killed, killSentence } from '#workers/kill-reason.ts'

/**
 * Several times the needs of the largest documentation. A source has at most 100,000 pages: 20 GB at 200 kB of HTML
 * each, 2 GB at 20 kB of text each, 12 hours at two pages a second. Sites have some hundreds of old addresses in a row
 * that redirect or no longer exist.
 */
const CRAWL_LIMITS = {
  /** Received or decompressed, whichever is larger. */
  fetchedBytes: 20_000_000_000,
  /** Milliseconds of work, summed over all slices and restarts. */
  activeMs: 12 * 60 * 60 * 1000,
  /** Bytes of text per source. Pages that are already indexed are still refreshed beyond this. */
  textBytes: 2_000_000_000,
  /** Pages rendered by the browser, and milliseconds spent on rendering. */
  renders: 10_000,
  renderMs: 4 * 60 * 60 * 1000,
  /** Total cost of consecutive useless pages. A page costs one, or one per `USELESS_BYTES` if it is larger. */
  useless: 500,
}

export type CrawlLimits = typeof CRAWL_LIMITS

/** Each useful page allows two more useless ones in a row, enough for another version of all pages. */
const USELESS_PER_USEFUL = 2
const USELESS_BYTES = 256 * 1024

const UNUSED = {
  fetchedBytes: 0,
  activeMs: 0,
  textBytes: 0,
  renders: 0,
  renderMs: 0,
  useful: 0,
  /** Cost of useless pages since the last useful one. */
  useless: 0,
  longUrls: 0,
  /** Pages that the crawl has added to the index, changed in it, and removed from it. */
  added: 0,
  changed: 0,
  removed: 0,
  /** The first URL for which the source has no room. */
  beyond: null as string | null,
  /** The limit that ended the crawl. It is final. */
  ended: null as 'byte_limit' | 'time_limit' | 'no_new_pages' | null,
}

/** Resources used by a crawl so far. */
export type CrawlUsage = typeof UNUSED

/** Why a page was skipped deliberately, beside the extractor's own reasons. */
export type SkipReason =
  | 'robots'
  | 'redirect'
  | 'noindex'
  | 'duplicate'
  | 'out_of_scope'
  | 'needs_javascript'
  | 'page_limit'
  | 'text_limit'
  | NonNullable<CrawlUsage['ended']>

export type Exhausted = { reason: SkipReason; detail: string }

export class BudgetExhausted extends Error {
  override name = 'BudgetExhausted'
}

type Options = {
  limits?: Partial<CrawlLimits>
  /** Output of an earlier `save`; null at the start of a crawl. */
  saved: string | null
  /** Bytes of text in the source when the crawl starts. */
  textBytes: number
  now?: () => number
}

export type CrawlBudget = ReturnType<typeof openCrawlBudget>

/** Tracks the resources used by a crawl, and reports reached limits. */
export function openCrawlBudget({ limits: given = {}, saved, textBytes, now = () => performance.now() }: Options) {
  const limits = { ...CRAWL_LIMITS, ...given }
  const usage: CrawlUsage = { ...UNUSED, textBytes, ...(saved === null ? {} : (JSON.parse(saved) as CrawlUsage)) }
  let expectedText = 0
  const activeBefore = usage.activeMs
  const opened = now()
  const activeMs = () => activeBefore + Math.round(now() - opened)

  const reached = (): CrawlUsage['ended'] => {
    if (usage.fetchedBytes >= limits.fetchedBytes) return 'byte_limit'
    if (activeMs() >= limits.activeMs) return 'time_limit'
    return usage.useless >= limits.useless + USELESS_PER_USEFUL * usage.useful ? 'no_new_pages' : null
  }
  const sentences = {
    byte_limit: () => `The crawl has fetched ${amount(limits.fetchedBytes)}, as much as it may.`,
    time_limit: () => `The crawl has taken ${duration(limits.activeMs)}, as long as it may.`,
    no_new_pages: () => 'The pages fetched before this one gave nothing new for too long.',
  }
  return {
    limits,
    usage,
    /** Reason to stop fetching, or null. Once set, it does not change. */
    exhausted(): Exhausted | null {
      usage.ended ??= reached()
      return usage.ended && { reason: usage.ended, detail: `${sentences[usage.ended]()} What comes after is not read.` }
    },
    /** Reason not to add text to the source, or null while it has room. */
    textExhausted(): Exhausted | null {
      if (usage.textBytes + expectedText < limits.textBytes) return null
      const has = `The source has ${amount(limits.textBytes)} of text, as much as it may.`
      return { reason: 'text_limit', detail: `${has} What comes after is not read.` }
    },
    /** Reason not to render further pages, or null. */
    renderingExhausted(): string | null {
      if (usage.renders >= limits.renders) return `more than ${limits.renders} pages need it.`
      if (usage.renderMs >= limits.renderMs) return `it took ${duration(limits.renderMs)} for other pages.`
      return null
    },
    /** Reserves room for text about to be stored. A negative amount releases it. */
    expected: (bytes: number) => void (expectedText += bytes),
    fetched: (bytes: number) => void (usage.fetchedBytes += bytes),
    rendered(ms: number): void {
      usage.renders++
      usage.renderMs += Math.round(ms)
    },
    /** Counts a page that was indexed or is unchanged, with the growth of the source's text. */
    gained(bytes: number): void {
      usage.useful++
      usage.useless = 0
      usage.textBytes += bytes
    },
    /** Counts a page that was not indexed, with the cost of finding that out. */
    wasted(cost: number, bytes: number): void {
      usage.useless += cost
      usage.textBytes += bytes
    },
    /** Serializes the usage for the source's row. */
    save: () => JSON.stringify({ ...usage, activeMs: activeMs() }),
  }
}

/** Cost of a useless page that took `bytes` to fetch. */
export function costOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / USELESS_BYTES))
}

/** Returns whether a page of 4 MB or more has less than a thousandth of that in text. `cost` counts `USELESS_BYTES`. */
export function isBloated(cost: number, textBytes: number): boolean {
  return cost >= 16 && textBytes * 1_000 < cost * USELESS_BYTES
}

function amount(bytes: number): string {
  return bytes >= 1_000_000 ? `${Math.round(bytes / 1_000_000).toLocaleString('en-US')} MB` : `${bytes} bytes`
}

function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  return minutes >= 120 ? `${Math.round(minutes / 60)} hours` : minutes >= 2 ? `${minutes} minutes` : `${ms} ms`
}

/** Why a page could not be fetched or read. */
export type FailReason =
  | 'not_found'
  | 'forbidden'
  | 'rate_limited'
  | 'server_error'
  | 'http_error'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'unreadable'
  | 'too_slow_to_read'

const SIGN_IN =
  ' If you may read it, save site access for the site under Account (a password, or a header or cookie of a signed-in browser), remove the source, and add it again.'

/** Classifies an HTTP status; null if the response can be read. */
export function failureOfStatus(status: number): { reason: FailReason; detail: string; transient: boolean } | null {
  if (status >= 200 && status < 300) return null
  const failure = (reason: FailReason, detail: string, transient = false) => ({ reason, detail, transient })
  const said = `The site answered ${status}`
  if (status === 404 || status === 410) return failure('not_found', `${said}: there is no such page.`)
  if (status === 401 || status === 403)
    return failure('forbidden', `${said}: the page is not open to everybody.${SIGN_IN}`)
  if (status === 429) return failure('rate_limited', 'The site answered 429: too many requests.', true)
  return status >= 500 ? failure('server_error', `${said}.`, true) : failure('http_error', `${said}.`)
}

/** Classifies a document that was not read: the reason and the sentence for the report. */
export function reasonOfKill(killed: Omit<Killed, 'kind'>, what = 'Reading the page') {
  const isTooMuch = killed.reason === 'timeout' || killed.reason === 'memory'
  const reason: FailReason = isTooMuch ? 'too_slow_to_read' : 'unreadable'
  return { reason, detail: killSentence(what, killed) }
}
