import type { SkipReason } from './reasons.ts'

/** Bounds of one crawl of one source. */
export type CrawlLimits = {
  /** Bytes fetched, counted as they arrived or decompressed, whichever is more. */
  fetchedBytes: number
  /** Milliseconds of work, over all slices and restarts of the crawl. */
  activeMs: number
  /** Bytes of text that the source may have. Pages that it has already are refreshed all the same. */
  textBytes: number
  /** Pages rendered by the browser, and milliseconds of rendering. */
  renders: number
  renderMs: number
  /** Cost of pages in a row that gave nothing: one for each page, and one for each `USELESS_BYTES` of it. */
  useless: number
}

/**
 * What the largest documentation needs, several times over. 100,000 pages, the most that a source may have, are 20 GB at
 * 200 kB of HTML each, 2 GB at 20 kB of text each, and 12 hours at two pages a second. Old addresses that redirect or
 * are gone come in rows of some hundreds.
 */
export const CRAWL_LIMITS: CrawlLimits = {
  fetchedBytes: 20_000_000_000,
  activeMs: 12 * 60 * 60 * 1000,
  textBytes: 2_000_000_000,
  renders: 10_000,
  renderMs: 4 * 60 * 60 * 1000,
  useless: 500,
}

/** A crawl that gave so many useful pages may have twice as many useless ones in a row: another version of all of them. */
const USELESS_PER_USEFUL = 2
const USELESS_BYTES = 256 * 1024

/** What a crawl has used so far. */
export type CrawlUsage = {
  fetchedBytes: number
  activeMs: number
  textBytes: number
  renders: number
  renderMs: number
  /** Pages indexed or confirmed. */
  useful: number
  /** Cost of the useless pages since the last useful one. */
  useless: number
  /** URLs that are too long and were listed all the same. */
  longUrls: number
  /** The first URL beyond what the source has room for. */
  beyond: string | null
  /** The limit that has ended the crawl: it stays ended. */
  ended: 'byte_limit' | 'time_limit' | 'no_new_pages' | null
}

const UNUSED: CrawlUsage = {
  fetchedBytes: 0,
  activeMs: 0,
  textBytes: 0,
  renders: 0,
  renderMs: 0,
  useful: 0,
  useless: 0,
  longUrls: 0,
  beyond: null,
  ended: null,
}

/** A limit that was reached, and the sentence that says so. */
export type Exhausted = { reason: SkipReason; detail: string }

/** Nothing is fetched any more, because the crawl has used up what it may. */
export class BudgetExhausted extends Error {
  override name = 'BudgetExhausted'
}

type Options = {
  limits?: Partial<CrawlLimits>
  /** What the crawl has used before, as `save` gave it; null at its beginning. */
  saved: string | null
  /** Bytes of text that the source has at the beginning of the crawl. */
  textBytes: number
  now?: () => number
}

export type CrawlBudget = {
  limits: CrawlLimits
  usage: CrawlUsage
  /** Why the crawl is to fetch no more; null while it may. Once given, it is always given. */
  exhausted(): Exhausted | null
  /** Why no page is to be added to the source's text; null while there is room. */
  textExhausted(): Exhausted | null
  /** Why no page is to be rendered any more; null while some may. */
  renderingExhausted(): string | null
  fetched(bytes: number): void
  /** Counts text that is about to be stored, until `gained` or `wasted` tells what became of it. */
  expected(textBytes: number): void
  rendered(ms: number): void
  /** Counts a page that was indexed, or found to be as it was. `textBytes`: by how much the source's text has grown. */
  gained(textBytes: number): void
  /** Counts a page that is not indexed, and what it cost to find out. */
  wasted(cost: number, textBytes: number): void
  /** For the source's row. */
  save(): string
}

/** Counts what a crawl uses, and says when it has used up what it may. */
export function openCrawlBudget({
  limits: given = {},
  saved,
  textBytes,
  now = () => performance.now(),
}: Options): CrawlBudget {
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
    exhausted() {
      usage.ended ??= reached()
      return usage.ended && { reason: usage.ended, detail: `${sentences[usage.ended]()} What comes after is not read.` }
    },
    textExhausted() {
      if (usage.textBytes + expectedText < limits.textBytes) return null
      return {
        reason: 'text_limit',
        detail: `The source has ${amount(limits.textBytes)} of text, as much as it may. What comes after is not read.`,
      }
    },
    renderingExhausted() {
      if (usage.renders >= limits.renders) return `more than ${limits.renders} pages need it.`
      if (usage.renderMs >= limits.renderMs) return `it took ${duration(limits.renderMs)} for other pages.`
      return null
    },
    expected: (bytes) => void (expectedText += bytes),
    fetched: (bytes) => void (usage.fetchedBytes += bytes),
    rendered(ms) {
      usage.renders++
      usage.renderMs += Math.round(ms)
    },
    gained(bytes) {
      usage.useful++
      usage.useless = 0
      usage.textBytes += bytes
    },
    wasted(cost, bytes) {
      usage.useless += cost
      usage.textBytes += bytes
    },
    save: () => JSON.stringify({ ...usage, activeMs: activeMs() }),
  }
}

/** What a page that gave nothing costs, by what was fetched for it. */
export function costOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / USELESS_BYTES))
}

/** Whether a page is 4 MB or more for a thousandth of that in text: it cost more than it gave. Both in one unit of cost. */
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
