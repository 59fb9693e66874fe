import type { PageToGo } from '#store/pages/pages.ts'
import type { CrawlBudget } from './crawl-budget.ts'
import type { CrawlStore, Settled } from './crawl-store.ts'
import { drop } from './outcomes.ts'

type Deps = { crawlStore: Pick<CrawlStore, 'refusalOf'>; budget: CrawlBudget }

/** Skips a page for which the source has no room, without a request; null if it can be fetched. */
export function refuseByBudget(
  { crawlStore, budget }: Deps,
  page: PageToGo,
): (Settled & { transient: boolean }) | null {
  const beyond = crawlStore.refusalOf(page.url)
  const refusal = beyond === null ? budget.textExhausted() : ({ reason: 'page_limit', detail: beyond } as const)
  // Indexed pages need no further room.
  if (refusal === null || page.state === 'indexed') return null
  return { ...drop(page, 'skipped', refusal.reason, refusal.detail), transient: false }
}
