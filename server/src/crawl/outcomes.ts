import { withLinks } from '#search/outline.ts'
import type { PageToGo } from '#store/pages/pages.ts'
import type { RejectReason } from '#extract/extracted-page.ts'
import type { ProcessedPage } from '#readers/process-page.ts'
import type { Settled, CrawlStore } from './crawl-store.ts'
import type { Fetched } from './fetch-page.ts'
import type { LinkText } from './found-links.ts'
import type { SkipReason, CrawlBudget } from './crawl-budget.ts'
import { type Trap, TRAP_SENTENCES } from './crawl-trap.ts'
import { type Variant, VARIANT_SENTENCES } from './variants.ts'
import type { CrawlDeps } from './crawl-site.ts'

/** The outcome of a page of a site. A transient failure says something about the site as well. */
export type SettledPage = Settled & { transient: boolean }

/** Consecutive failed refreshes after which an indexed page is dropped. */
const MISSES_ALLOWED = 2
/** Cost of a response over the size limit, in empty pages. */
const COST_OF_TOO_LARGE = 10

type Known = Pick<PageToGo, 'id' | 'state'>

/** HTTP validators for conditional requests, the date of the page in its sitemap, and the end of its freshness. */
type Validators = Partial<Pick<PageToGo, 'etag' | 'lastModified' | 'siteDate' | 'freshUntil'>>

type NewText = ProcessedPage & { unchanged: false }

/** The page has new text, to be stored and indexed. */
export function index(page: Known, result: NewText, links: LinkText[], validators: Validators = {}): Settled {
  const { page: facts, textHash, chunks, outline, compressed } = result
  const settled = { id: page.id, state: 'indexed', reason: null, detail: null, published: 0, misses: 0 } as const
  return {
    outcome: { ...settled, title: facts.title, textHash, chunks, ...validators },
    before: page.state,
    text: {
      hash: textHash,
      // Copy it, so that the whole worker response is not kept alive.
      markdown: compressed.slice(),
      outline: withLinks(outline, links),
      size: facts.textBytes,
    },
    discovered: [],
  }
}

/** The stored text of the page is current. */
export function keep(page: Known, validators: Validators = {}): Settled {
  const { id, state } = page
  return { outcome: { id, state, misses: 0, ...validators }, before: state, discovered: [] }
}

/** The page has no searchable text, for the given reason. */
export function drop(page: Known, state: 'skipped' | 'failed', reason: string, detail: string): Settled {
  const outcome = { id: page.id, state, reason, detail, textHash: null, chunks: 0, published: 0, misses: 0 }
  return { outcome, before: page.state, discovered: [] }
}

type WhySkipped = SkipReason | RejectReason | Trap | Variant

/** The page is deliberately not indexed. Costs as much as an empty page. */
export function skipped(page: PageToGo, reason: WhySkipped, detail: string): SettledPage {
  return { ...drop(page, 'skipped', reason, detail), cost: 1, transient: false }
}

type Failure = Omit<Extract<Fetched, { kind: 'failed' }>, 'kind'>

/** Drops a page that is gone at once. A page with other failures stays searchable for a refresh or two. */
export function failed(page: PageToGo, { reason, detail, transient }: Failure): SettledPage {
  const misses = page.misses + 1
  if (page.state === 'indexed' && reason !== 'not_found' && misses < MISSES_ALLOWED) {
    return { outcome: { id: page.id, state: 'indexed', misses }, before: 'indexed', discovered: [], transient }
  }
  return { ...drop(page, 'failed', reason, detail), cost: reason === 'too_large' ? COST_OF_TOO_LARGE : 1, transient }
}

/** Link depth limit. Chapters that link only to the next one are rarely so many. */
const MAX_DEPTH = 200

/** Skips a page by its URL alone, without a request. */
export function refuseByAddress({ rules, slice }: Pick<CrawlDeps, 'rules' | 'slice'>, page: PageToGo) {
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
