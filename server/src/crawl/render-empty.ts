import { BrowserError } from '#net/browser/browser-error.ts'
import type { PageRenderer } from '#net/browser/open-renderer.ts'
import type { Rendered } from '#net/browser/render-page.ts'
import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { PageToGo } from '#store/pages/pages.ts'
import type { PageReader, PageResult } from '#processes/page-reader.ts'
import type { CrawlBudget } from './crawl-budget.ts'
import type { FetchDeps } from './fetch-page.ts'
import { paceRequests } from './pace-requests.ts'

/** Dependencies of rendering a page. */
export type RenderDeps = FetchDeps & {
  pages: PageReader
  /** Null if no browser is installed. */
  renderer: PageRenderer | null
  budget: Pick<CrawlBudget, 'renderingExhausted' | 'rendered'>
}

type Shown =
  | { kind: 'page'; result: PageResult }
  | { kind: 'redirect'; to: string }
  /** The page has no text; `why` is the sentence for the report. */
  | { kind: 'empty'; why: string; wasTried: boolean }

/**
 * Maximum text bytes of a shell without JavaScript: a title, and a request to enable it. Even short pages have more.
 */
const SHELL_BYTES = 120

const WITHOUT = 'The page has no text without JavaScript'

/** Maximum text bytes of a loading message such as "Loading, please wait". */
const WAITING_BYTES = 40

/** Returns whether scripts produce the text of the page. */
export function isShell(result: PageResult): boolean {
  return result.kind === 'page' && !result.page.noindex && result.page.empty && result.page.textBytes <= SHELL_BYTES
}

/** Renders a page that is empty without JavaScript in the installed browser, then reads it as usual. */
export async function renderEmpty(deps: RenderDeps, page: PageToGo): Promise<Shown> {
  const { renderer, pages, budget, signal } = deps
  const untried = (why: string) => ({ kind: 'empty', why: `${WITHOUT}, ${why}`, wasTried: false }) as const
  if (renderer === null) return untried('and no browser is installed to run it.')
  const exhausted = budget.renderingExhausted()
  if (exhausted) return untried(`which this crawl runs no more: ${exhausted}`)
  const shown = await render(renderer, deps, page.url)
  if (typeof shown === 'string') return { kind: 'empty', why: shown, wasTried: true }
  const known = page.state === 'indexed' && page.textHash ? { previousTextHash: page.textHash } : {}
  const bytes = new TextEncoder().encode(shown.html)
  const result = await pages.process(
    {
      url: page.url,
      contentType: 'text/html; charset=utf-8',
      bytes,
      withRoutes: true,
      ...known,
      // Applications handle section anchors of routes in their own ways, so give none.
      ...(page.url.includes('#') ? { given: { anchors: [] } } : {}),
    },
    signal,
  )
  if (result.kind !== 'page' || result.page.textBytes > WAITING_BYTES) return { kind: 'page', result }
  if (shown.movedTo !== null && shown.movedTo !== page.url) return { kind: 'redirect', to: shown.movedTo }
  return { kind: 'empty', why: 'The page has no text, even after its JavaScript was run.', wasTried: true }
}

/** Returns the rendered page, or the sentence about the failure. */
async function render(renderer: PageRenderer, deps: RenderDeps, url: string): Promise<Rendered | string> {
  const net = paceRequests(deps)
  // Start the clock with the first request, because the renderer first waits for a free tab.
  let started: number | null = null
  const fetch: NetClient['fetch'] = (...request) => {
    started ??= performance.now()
    return net.fetch(...request)
  }
  try {
    return await renderer.render(url, { fetch }, deps.signal)
  } catch (error) {
    deps.signal.throwIfAborted()
    if (error instanceof BrowserError || error instanceof NetError) {
      return `The page has no text without JavaScript, and could not be rendered. ${error.message}`
    }
    throw error
  } finally {
    deps.budget.rendered(started === null ? 0 : performance.now() - started)
  }
}
