import type { PageToGo } from '#store/pages.ts'
import type { CrawlBudget } from './crawl-budget.ts'
import type { CrawlStore, Settled } from './crawl-store.ts'
import { drop } from './outcomes.ts'

type Deps = { crawlStore: Pick<CrawlStore, 'refusalOf'>; budget: CrawlBudget }

/** What becomes of a page that the source has no room for, without a request; null where it is to be fetched. */
export function refuseByBudget(
  { crawlStore, budget }: Deps,
  page: PageToGo,
): (Settled & { transient: boolean }) | null {
  const beyond = crawlStore.refusalOf(page.url)
  const refusal = beyond === null ? budget.textExhausted() : ({ reason: 'page_limit', detail: beyond } as const)
  // The text of a page that is indexed takes no more room than it has already.
  if (refusal === null || page.state === 'indexed') return null
  return { ...drop(page, 'skipped', refusal.reason, refusal.detail), transient: false }
}
