import { TooEarly } from '#jobs/lease.ts'
import { type PageToGo, listToGo } from '#store/pages/pages.ts'
import type { Db } from '#store/db.ts'
import { BudgetExhausted, type CrawlBudget } from './crawl-budget.ts'
import type { CrawlStore } from './crawl-store.ts'
import { type SettledPage, refuseByBudget } from './outcomes.ts'
import { settlePage } from './settle-page.ts'
import type { SiteTexts } from './site-texts.ts'
import type { HashRouting, RenderDeps } from './scripted-pages.ts'
import type { SimilarPages } from './similar-pages.ts'
import type { Navigation } from './found-links.ts'
import type { RedirectTargets } from './fetch-page.ts'
import type { SiteDates } from './site-dates.ts'
import type { SiteRules } from './site-rules.ts'

export type CrawlDeps = RenderDeps & {
  rules: SiteRules
  dates: SiteDates
  similarPages: SimilarPages
  /** Page texts from llms-full.txt; these pages are not fetched. */
  texts: SiteTexts
  navigation: Navigation
  hashRouting: HashRouting
  redirectTargets: RedirectTargets
}

export type SiteCrawlDeps = Omit<CrawlDeps, 'slice'> & {
  frontier: ReturnType<typeof openFrontier>
  crawlStore: CrawlStore
  /** Adds pages from sitemaps and llms.txt. Returns whether all lists were read. */
  discover: () => Promise<boolean>
  onPage: (isChanged: boolean) => void
  sliceOver: AbortSignal
  /** Transient failures in a row, over all slices of this crawl. */
  streak: { failures: number }
  isRefresh: boolean
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
  return new SiteCrawl(deps).run()
}

class SiteCrawl {
  readonly #deps: SiteCrawlDeps
  readonly #stop = new AbortController()
  readonly #signal: AbortSignal
  readonly #slice: CrawlDeps['slice']
  #isWhole = true

  constructor(deps: SiteCrawlDeps) {
    this.#deps = deps
    this.#signal = AbortSignal.any([deps.signal, this.#stop.signal])
    this.#slice = { mayBegin: AbortSignal.any([this.#signal, deps.sliceOver]), tries: deps.tries }
  }

  async run(): Promise<boolean> {
    const { frontier, crawlStore } = this.#deps
    const discover = async () => {
      if (!(await this.#deps.discover())) this.#isWhole = false
    }
    const works = [this.#guarded(frontier.whileDiscovering(discover))]
    // A refresh compares the dates of the pages with those of the lists.
    if (this.#deps.isRefresh) await Promise.allSettled(works)
    for (let n = 0; n < LANES; n++) works.push(this.#guarded(this.#lane()))
    const results = await Promise.allSettled(works)
    await crawlStore.flush()
    const failure = results.find((result) => result.status === 'rejected')
    // Stopped lanes fail with consequential errors, so throw the first cause.
    if (failure) throw this.#stop.signal.reason
    return this.#isWhole
  }

  async #guarded(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      // Pages in hand that were not requested yet stay queued.
      if (error instanceof BudgetExhausted) return
      this.#stop.abort(error)
      throw error
    }
  }

  /** Settles pages one after another until none is left, the slice is over, or a page can only be settled later. */
  async #lane(): Promise<void> {
    const { budget, frontier, sliceOver } = this.#deps
    for (;;) {
      const page = budget.exhausted() ? null : await frontier.next()
      if (!page) return
      try {
        this.#signal.throwIfAborted()
        if (sliceOver.aborted) {
          this.#isWhole = false
          return
        }
        await this.#settle(page)
      } catch (error) {
        if (!(error instanceof TooEarly)) throw error
        this.#isWhole = false
        return
      } finally {
        frontier.done()
      }
    }
  }

  async #settle(page: PageToGo): Promise<void> {
    const deps = this.#deps
    const settled =
      refuseByBudget(deps, page) ?? (await settlePage({ ...deps, signal: this.#signal, slice: this.#slice }, page))
    deps.tries.delete(page.url)
    this.#checkSite(settled, page)
    await deps.crawlStore.settle(settled)
    deps.onPage(settled.text !== undefined)
  }

  /** Throws `SiteDown` after too many transient failures in a row, or if a host refuses further requests. */
  #checkSite({ transient, outcome }: SettledPage, { url }: PageToGo): void {
    const { streak, pacer, timeouts } = this.#deps
    streak.failures = transient ? streak.failures + 1 : 0
    const isRefused = transient && pacer.isRefusing(new URL(url).host)
    const isHopeless = !timeouts.shouldKeepWaiting()
    if (streak.failures >= GIVE_UP_AFTER || (isRefused && isHopeless)) {
      const why = outcome.detail ?? 'pages could not be had'
      throw new SiteDown(`The site stopped answering: ${why}`, { isHopeless })
    }
  }
}

const BUFFER = 200

type Options = {
  db: Db
  sourceId: string
  run: number
  crawlStore: CrawlStore
  /** Pages to take before all others, as far as they are known when the first page is taken. */
  isUrgent?: ((page: PageToGo) => boolean) | null
}

/** The crawl frontier: queued pages in order of discovery, in the store, so that a crawl resumes after a crash. */
export function openFrontier({ db, sourceId, run, crawlStore, isUrgent = null }: Options) {
  let buffer: PageToGo[] = []
  let afterId = 0
  const taken = new Set<number>()
  /** Pages in hand, and other tasks that may still discover pages. */
  let busy = 0
  let filling: Promise<void> | null = null
  let waiters: (() => void)[] = []

  const wakeAll = () => {
    const woken = waiters
    waiters = []
    for (const wake of woken) wake()
  }

  const fill = async () => {
    await crawlStore.flush()
    for (let isEnd = false; buffer.length === 0 && !isEnd;) {
      const read = await listToGo(db, { sourceId, run, afterId, limit: BUFFER })
      afterId = read.at(-1)?.id ?? afterId
      buffer = isUrgent ? read.filter(isUrgent) : read.filter(({ id }) => !taken.has(id))
      if (isUrgent) for (const { id } of buffer) taken.add(id)
      isEnd = read.length === 0 && isUrgent === null
      if (read.length > 0 || isUrgent === null) continue
      isUrgent = null
      afterId = 0
    }
  }

  return {
    /** The next page, or null if none is left and none can be discovered. Call `done` for each page. */
    async next(): Promise<PageToGo | null> {
      for (;;) {
        const page = buffer.shift()
        if (page) {
          busy += 1
          return page
        }
        const wasBusy = busy > 0
        filling ??= fill().finally(() => (filling = null))
        await filling
        if (buffer.length > 0) continue
        if (!wasBusy && busy === 0) return null
        // Tasks in hand may discover more pages, which are stored by the time they are done.
        if (busy > 0) await new Promise<void>((resolve) => waiters.push(resolve))
      }
    },
    done(): void {
      busy -= 1
      wakeAll()
    },
    /** Keeps the frontier open while `work` discovers URLs. */
    async whileDiscovering(work: () => Promise<void>): Promise<void> {
      busy += 1
      try {
        await work()
      } finally {
        busy -= 1
        wakeAll()
      }
    },
    added: wakeAll,
  }
}
