import type { PageToGo } from '#store/pages/pages.ts'
import type { CrawlBudget } from './crawl-budget.ts'
import type { CrawlDeps } from './crawl-deps.ts'
import type { CrawlStore } from './crawl-store.ts'
import { type SettledPage, drop, skipped } from './outcomes.ts'
import { TRAP_SENTENCES } from './crawl-trap.ts'
import { VARIANT_SENTENCES } from './variants.ts'

/** Link depth limit. Chapters that link only to the next one are rarely so many. */
const MAX_DEPTH = 200

/** Skips a page by its URL alone, without a request. */
export function refuseByAddress(
  { rules, slice }: Pick<CrawlDeps, 'rules' | 'slice'>,
  page: PageToGo,
): SettledPage | null {
  // The source's patterns may have changed since the page was found. The start page is always in scope.
  if (page.depth > 0 && rules.normalize(page.url) === null) {
    return skipped(page, 'out_of_scope', 'It does not belong to the source.')
  }
  if (page.depth > MAX_DEPTH)
    return skipped(page, 'too_deep', 'It is too many links or redirects away from where the crawl starts.')
  const variant = page.depth > 0 ? rules.variantOf(page.url) : null
  if (variant) return skipped(page, variant, VARIANT_SENTENCES[variant])
  // Pages begun in an earlier slice were already counted by the trap detector.
  const trap = slice?.tries.has(page.url) ? null : rules.trapOf(page.url)
  if (trap) return skipped(page, trap, TRAP_SENTENCES[trap])
  if (!rules.allows(page.url)) return skipped(page, 'robots', 'robots.txt asks crawlers to stay away.')
  return null
}

type BudgetDeps = { crawlStore: Pick<CrawlStore, 'refusalOf'>; budget: CrawlBudget }

/** Skips a page for which the source has no room, without a request; null if it can be fetched. */
export function refuseByBudget({ crawlStore, budget }: BudgetDeps, page: PageToGo): SettledPage | null {
  const beyond = crawlStore.refusalOf(page.url)
  const refusal = beyond === null ? budget.textExhausted() : ({ reason: 'page_limit', detail: beyond } as const)
  // Indexed pages need no further room.
  if (refusal === null || page.state === 'indexed') return null
  return { ...drop(page, 'skipped', refusal.reason, refusal.detail), transient: false }
}
