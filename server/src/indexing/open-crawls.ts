import type { SimilarPages } from '#crawl/similar-pages.ts'
import type { RedirectTargets } from '#crawl/fetch-page.ts'
import type { AdaptiveTimeouts } from '#crawl/pace-requests.ts'
import type { OpenSite } from '#crawl/open-site.ts'
import type { SiteTexts } from '#crawl/site-texts.ts'
import type { PublishPace } from './start-publishing.ts'

/** In-memory state of a site crawl between time slices, beside its stored state. */
export type OpenCrawl = {
  site: OpenSite
  /** Page texts from llms-full.txt. */
  texts: SiteTexts
  timeouts: AdaptiveTimeouts
  similarPages: SimilarPages
  redirectTargets: RedirectTargets
  /** Transient failures in a row. */
  streak: { failures: number }
  /** Failed tries of pages that are still queued, by URL. */
  tries: Map<string, number>
  publishPace: PublishPace
  /** Time at which the site was opened, by `performance.now()`. */
  openedAt: number
}

type Kept = { crawl: OpenCrawl; of: string; bytes: number }

/** Memory for all crawls waiting for their next slice: some hundred of usual size. */
export const OPEN_CRAWL_BYTES = 32_000_000
/** Memory per known page, for its URL and its shape. */
const BYTES_A_PAGE = 400
const BYTES_A_CHARACTER = 2
/** Reopen a site after this time: its robots.txt and lists may have changed. */
const KEEP_MS = 60 * 60_000

/** Keeps site crawls open between their time slices. Reopening one costs some requests, but no settled pages. */
export function createOpenCrawls({ mostBytes = OPEN_CRAWL_BYTES, now = () => performance.now() } = {}) {
  const kept = new Map<string, Kept>()
  const isOld = ({ crawl }: Kept) => now() - crawl.openedAt > KEEP_MS
  return {
    /** Removes and returns the crawl of a source, if it was kept `of` the same state of the source. */
    take(sourceId: string, of: string): OpenCrawl | null {
      const found = kept.get(sourceId)
      kept.delete(sourceId)
      return found && found.of === of && !isOld(found) ? found.crawl : null
    },
    /** Keeps a crawl with the given number of known pages. Evicts the oldest crawls if memory is short. */
    keep(sourceId: string, of: string, crawl: OpenCrawl, pages: number): void {
      let bytes = pages * BYTES_A_PAGE
      for (const { markdown } of crawl.texts.values()) bytes += markdown.length * BYTES_A_CHARACTER
      kept.delete(sourceId)
      kept.set(sourceId, { crawl, of, bytes })
      let all = 0
      for (const [id, other] of [...kept].toReversed()) {
        all += other.bytes
        if (all > mostBytes || isOld(other)) kept.delete(id)
      }
    },
  }
}

export type OpenCrawls = ReturnType<typeof createOpenCrawls>
