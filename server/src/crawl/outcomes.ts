import type { ProcessedPage } from '#processes/process-page.ts'
import { withLinks } from '#search/outline.ts'
import type { PageToGo } from '#store/pages/pages.ts'
import type { Settled } from './crawl-store.ts'
import type { LinkText } from './link-texts.ts'

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
