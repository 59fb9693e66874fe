import { withLinks } from '#search/outline.ts'
import type { PageToGo } from '#store/pages/pages.ts'
import type { RejectReason } from '#extract/extracted-page.ts'
import type { ProcessedPage } from '#processes/process-page.ts'
import type { Settled } from './crawl-store.ts'
import type { Fetched } from './fetch-page.ts'
import type { LinkText } from './link-texts.ts'
import type { SkipReason } from './reasons.ts'
import type { Trap } from './crawl-trap.ts'
import type { Variant } from './variants.ts'

/** The outcome of a page of a site. A transient failure says something about the site as well. */
export type SettledPage = Settled & { transient: boolean }

/** Consecutive failed refreshes after which an indexed page is dropped. */
const MISSES_ALLOWED = 2
/** Cost of a response over the size limit, in empty pages. */
const COST_OF_TOO_LARGE = 10

type Known = Pick<PageToGo, 'id' | 'state'>

/** HTTP validators for conditional requests. */
type Validators = { etag?: string | null; lastModified?: string | null }

/** The page has new text, to be stored and indexed. */
export function index(
  page: Known,
  result: ProcessedPage & { unchanged: false },
  links: LinkText[],
  validators: Validators = {},
): Settled {
  const { page: facts, textHash, chunks, outline, compressed } = result
  return {
    outcome: {
      id: page.id,
      state: 'indexed',
      reason: null,
      detail: null,
      title: facts.title,
      textHash,
      chunks,
      published: 0,
      misses: 0,
      ...validators,
    },
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
  return {
    outcome: { id: page.id, state: page.state, misses: 0, ...validators },
    before: page.state,
    discovered: [],
  }
}

/** The page has no searchable text, for the given reason. */
export function drop(page: Known, state: 'skipped' | 'failed', reason: string, detail: string): Settled {
  return {
    outcome: { id: page.id, state, reason, detail, textHash: null, chunks: 0, published: 0, misses: 0 },
    before: page.state,
    discovered: [],
  }
}

type WhySkipped = SkipReason | RejectReason | Trap | Variant

/** The page is deliberately not indexed. Costs as much as an empty page. */
export function skipped(page: PageToGo, reason: WhySkipped, detail: string): SettledPage {
  return { ...drop(page, 'skipped', reason, detail), cost: 1, transient: false }
}

/** Drops a page that is gone at once. A page with other failures stays searchable for a refresh or two. */
export function failed(
  page: PageToGo,
  { reason, detail, transient }: Omit<Extract<Fetched, { kind: 'failed' }>, 'kind'>,
): SettledPage {
  const misses = page.misses + 1
  if (page.state === 'indexed' && reason !== 'not_found' && misses < MISSES_ALLOWED) {
    return { outcome: { id: page.id, state: 'indexed', misses }, before: 'indexed', discovered: [], transient }
  }
  return { ...drop(page, 'failed', reason, detail), cost: reason === 'too_large' ? COST_OF_TOO_LARGE : 1, transient }
}
