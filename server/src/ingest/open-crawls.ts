import type { Lookalikes } from './lookalikes.ts'
import type { RedirectTargets } from './redirect-targets.ts'
import type { Patience } from './patience.ts'
import type { OpenSite } from './sources/open-site.ts'
import type { SiteTexts } from './sources/site-texts.ts'
import type { PublishPace } from './start-publishing.ts'

/** What a crawl of a site knows beside what is in the store, from one time slice to the next. */
export type OpenCrawl = {
  site: OpenSite
  /** Pages that the site gives away at once. */
  texts: SiteTexts
  patience: Patience
  lookalikes: Lookalikes
  redirectTargets: RedirectTargets
  /** Pages in a row that could not be had. */
  streak: { failures: number }
  /** Failed tries of pages that were begun and are still to go, by address. */
  tries: Map<string, number>
  publishPace: PublishPace
  /** When the site was opened, by `performance.now()`. */
  openedAt: number
}

type Kept = { crawl: OpenCrawl; of: string; bytes: number }

/** Memory for all crawls that wait for their next slice: some hundred of usual size. */
export const OPEN_CRAWL_BYTES = 32_000_000
/** For each page that a crawl knows of: what is remembered of its address and of its shape. */
const BYTES_A_PAGE = 400
const BYTES_A_CHARACTER = 2
/** After so long a site is opened again: what it says of itself may have changed. */
const KEEP_MS = 60 * 60_000

/**
 * Keeps crawls of sites open between their time slices. One that is not here, since it was on another node or was
 * forgotten, is opened anew: that costs some requests, and no page that was settled.
 */
export function createOpenCrawls({ mostBytes = OPEN_CRAWL_BYTES, now = () => performance.now() } = {}) {
  const kept = new Map<string, Kept>()
  const isOld = ({ crawl }: Kept) => now() - crawl.openedAt > KEEP_MS
  return {
    /** Takes out the crawl of a source, if it is here and was kept `of` the same state of the source. */
    take(sourceId: string, of: string): OpenCrawl | null {
      const found = kept.get(sourceId)
      kept.delete(sourceId)
      return found && found.of === of && !isOld(found) ? found.crawl : null
    },
    /** Keeps a crawl that knows of so many pages. Those that were kept first give way to it. */
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
