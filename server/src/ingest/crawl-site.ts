import { TooEarly } from '#jobs/errors.ts'
import { BudgetExhausted, type CrawlBudget } from './crawl-budget.ts'
import type { CrawlStore } from './crawl-store.ts'
import type { Frontier } from './frontier.ts'
import { refuseByBudget } from './refuse-by-budget.ts'
import { settlePage } from './settle-page.ts'

type Deps = Omit<Parameters<typeof settlePage>[0], 'slice'> & {
  frontier: Frontier
  crawlStore: CrawlStore
  /** Adds what the site says about itself: sitemaps, llms.txt. Returns whether that is all of it. */
  discover: () => Promise<boolean>
  /** Hears of every page that was settled. */
  onPage: () => void
  /** Aborts when the time slice of the crawl is over. */
  sliceOver: AbortSignal
  /** Of this crawl, over all of its slices. */
  streak: { failures: number }
  tries: Map<string, number>
  budget: CrawlBudget
}

/** Pages in hand at once over all hosts of a crawl; the pace of each host limits them further. */
const LANES = 16
/** So many pages in a row that could not be had, each after its retries: the site is down, and asking on is no use. */
const GIVE_UP_AFTER = 10

/** The site stopped answering in the middle of a crawl. What was settled stays; the rest is still to go. */
export class SiteDown extends Error {
  override name = 'SiteDown'
  /** Hardly any page was had before, so that coming back soon is no use. */
  readonly isHopeless: boolean

  constructor(message: string, { isHopeless }: { isHopeless: boolean }) {
    super(message)
    this.isHopeless = isHopeless
  }
}

/**
 * Settles every page that can be reached within the budget, or as many as the time slice allows: what has been asked for then is still
 * settled, and the rest is to go. Returns whether all are settled. Throws `SiteDown`, or what the store or the signal
 * throws.
 */
export async function crawlSite(deps: Deps): Promise<boolean> {
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
      // What is in hand without a request having been made for it is still to go.
      if (error instanceof BudgetExhausted) return
      // The first failure ends the other lanes too; they then fail with its reason.
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
  // The lanes that were ended by it fail with errors of their own; the one to tell is the first.
  if (failure) throw stop.signal.reason
  return isWhole
}
