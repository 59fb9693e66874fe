import { TooEarly } from '#jobs/errors.ts'
import { BudgetExhausted, type CrawlBudget } from './crawl-budget.ts'
import type { CrawlStore } from './crawl-store.ts'
import type { Frontier } from './frontier.ts'
import type { CrawlDeps } from './crawl-deps.ts'
import { refuseByBudget } from './refuse-page.ts'
import { settlePage } from './settle-page.ts'

/** Dependencies of crawling a site. */
export type SiteCrawlDeps = Omit<CrawlDeps, 'slice'> & {
  frontier: Frontier
  crawlStore: CrawlStore
  /** Adds pages from sitemaps and llms.txt. Returns whether all lists were read. */
  discover: () => Promise<boolean>
  /** Called for each settled page. */
  onPage: () => void
  /** Aborts at the end of the time slice. */
  sliceOver: AbortSignal
  /** Transient failures in a row, over all slices of this crawl. */
  streak: { failures: number }
  tries: Map<string, number>
  budget: CrawlBudget
}

/** Concurrent pages of one crawl over all hosts. The pace of each host limits them further. */
const LANES = 16
/** Consecutive failed pages, each after its retries, that end the crawl: the site is down. */
const GIVE_UP_AFTER = 10

/** The site stopped answering during the crawl. Settled pages stay; the rest remains queued. */
export class SiteDown extends Error {
  override name = 'SiteDown'
  /** Too few pages were read for an early retry to be worthwhile. */
  readonly isHopeless: boolean

  constructor(message: string, { isHopeless }: { isHopeless: boolean }) {
    super(message)
    this.isHopeless = isHopeless
  }
}

/**
 * Settles all pages reachable within the budget. At the end of the time slice it settles pages already requested and
 * leaves the others queued. Returns whether all are settled. Throws `SiteDown`, or errors of the store or the signal.
 */
export async function crawlSite(deps: SiteCrawlDeps): Promise<boolean> {
  const { frontier, crawlStore, budget, sliceOver, streak, tries } = deps
  let isWhole = true
  const stop = new AbortController()
  const signal = AbortSignal.any([deps.signal, stop.signal])
  const slice = { mayBegin: AbortSignal.any([signal, sliceOver]), tries }

  const next = async () => (budget.exhausted() ? null : frontier.next())

  const lane = async () => {
    for (let page = await next(); page; page = await next()) {
      try {
        signal.throwIfAborted()
        if (sliceOver.aborted) {
          isWhole = false
          return
        }
        const settled = refuseByBudget(deps, page) ?? (await settlePage({ ...deps, signal, slice }, page))
        tries.delete(page.url)
        streak.failures = settled.transient ? streak.failures + 1 : 0
        const isRefused = settled.transient && deps.pacer.isRefusing(new URL(page.url).host)
        const isHopeless = !deps.patience.isHopeful()
        if (streak.failures >= GIVE_UP_AFTER || (isRefused && isHopeless)) {
          const why = settled.outcome.detail ?? 'pages could not be had'
          throw new SiteDown(`The site stopped answering: ${why}`, { isHopeless })
        }
        await crawlStore.settle(settled)
        deps.onPage()
      } catch (error) {
        if (!(error instanceof TooEarly)) throw error
        isWhole = false
        return
      } finally {
        frontier.done()
      }
    }
  }

  const guarded = async (work: Promise<void>) => {
    try {
      await work
    } catch (error) {
      // Pages in hand that were not requested yet stay queued.
      if (error instanceof BudgetExhausted) return
      // Stop the other lanes; they fail with the same reason.
      stop.abort(error)
      throw error
    }
  }

  const discover = async () => {
    if (!(await deps.discover())) isWhole = false
  }
  const works = [guarded(frontier.whileDiscovering(discover))]
  for (let n = 0; n < LANES; n++) works.push(guarded(lane()))
  const results = await Promise.allSettled(works)
  await crawlStore.flush()
  const failure = results.find((result) => result.status === 'rejected')
  // Stopped lanes fail with consequential errors, so throw the first cause.
  if (failure) throw stop.signal.reason
  return isWhole
}
