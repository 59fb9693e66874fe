import { type Docsify, fileOf, routeTo } from '#extract/site/docsify.ts'
import type { PageReader, PageResult } from '#readers/page-pool.ts'
import { hashRoute } from '#lib/addresses/page-address.ts'
import type { NetResponse, NetClient } from '#net/client.ts'
import type { PageToGo } from '#store/pages/pages.ts'
import type { PageLink } from '#extract/extracted-page.ts'
import { BrowserError } from '#net/browser/protocol.ts'
import type { PageRenderer } from '#net/browser/open-renderer.ts'
import type { Rendered } from '#net/browser/render-page.ts'
import { NetError } from '#net/net-error.ts'
import { type FetchDeps, type Fetched, fetchPage, unknownPage } from './fetch-page.ts'
import type { CrawlBudget } from './crawl-budget.ts'
import { paceRequests } from './pace-requests.ts'

type HashDeps = FetchDeps & { pages: PageReader }

export type HashSite =
  | { kind: 'docsify'; docsify: Docsify }
  /** An application, which needs rendering. */
  | { kind: 'shell' }
  /** An ordinary page, which ignores such fragments. */
  | { kind: 'page' }
  | Extract<Fetched, { kind: 'failed' | 'redirect' }>

/** Inspects each page once per crawl. `url` has no fragment. */
export function createHashRouting() {
  const known = new Map<string, Promise<HashSite>>()
  return {
    of(deps: HashDeps, url: string): Promise<HashSite> {
      const found = known.get(url) ?? look(deps, url)
      known.set(url, found)
      return found
    },
  }
}

export type HashRouting = ReturnType<typeof createHashRouting>

async function look(deps: HashDeps, url: string): Promise<HashSite> {
  const fetched = await fetchPage(deps, unknownPage(url))
  if (fetched.kind === 'failed' || fetched.kind === 'redirect') return fetched
  if (fetched.kind === 'not_modified') throw new Error(`${url} was asked for without conditions`)
  const { headers, bytes } = fetched.response
  const contentType = headers['content-type'] ?? null
  const result = await deps.pages.process({ url, contentType, bytes }, deps.signal)
  const docsify = isShell(result) ? await readDocsifySettings(deps, url, fetched.response) : null
  fetched.response.release?.()
  if (!isShell(result)) return { kind: 'page' }
  return docsify ? { kind: 'docsify', docsify } : { kind: 'shell' }
}

type DocsifyDeps = FetchDeps & { pages: PageReader; rules: { allows(url: string): boolean } }

type Read =
  | Exclude<Fetched, { kind: 'answer' | 'redirect' }>
  | { kind: 'read'; result: PageResult; headers: Record<string, string> }

const WHOLE_PAGE = /^\W{0,3}\s*<(?:!doctype|html)\b/i

const NO_FILE = 'The site has no Markdown file behind this route.'
const MISSING = { kind: 'failed', reason: 'not_found', detail: NO_FILE, transient: false } as const

/** Reads the Markdown of a Docsify page. Its links are converted to page URLs. */
export async function readDocsify(deps: DocsifyDeps, docsify: Docsify, page: PageToGo): Promise<Read> {
  const { url } = page
  const at = url.indexOf('#')
  const route = at < 0 ? '' : hashRoute(url.slice(at))
  const file = fileOf(docsify, route)
  if (file === null || !deps.rules.allows(file)) return MISSING
  // The validators of the first page belong to the HTML shell, not to this file.
  const validators = route === '' ? { etag: null, lastModified: null } : {}
  const fetched = await fetchPage(deps, { ...page, url: file, ...validators })
  if (fetched.kind === 'redirect') return MISSING
  if (fetched.kind !== 'answer') return fetched
  const { bytes, headers } = fetched.response
  // Such servers send the HTML shell in place of missing files.
  if (WHOLE_PAGE.test(Buffer.from(bytes.subarray(0, 100)).toString('latin1'))) return MISSING
  const result = await deps.pages.process(
    {
      url: docsify.isRelative ? file : new URL('README.md', docsify.home).href,
      contentType: 'text/markdown; charset=utf-8',
      bytes,
      withRoutes: true,
      ...previous(page),
      // The URL of the first page has no room for a section anchor.
      ...(route === '' ? { given: { anchors: [] } } : {}),
    },
    deps.signal,
  )
  fetched.response.release?.()
  return { kind: 'read', result: withRoutes(result, docsify, url), headers: route === '' ? {} : headers }
}

/** Extracts the Docsify settings from a page; null for other pages. */
export async function readDocsifySettings({ pages, signal }: HashDeps, url: string, { bytes, headers }: NetResponse) {
  const task = { list: 'docsify', url, bytes, contentType: headers['content-type'] ?? null } as const
  return (await pages.readList(task, signal))?.settings ?? null
}

/** Links from the site's sidebar and navigation bar. */
export async function readDocsifyLists(deps: DocsifyDeps, docsify: Docsify, shell: string): Promise<PageLink[]> {
  const links: PageLink[] = []
  for (const homepage of ['_sidebar.md', '_navbar.md']) {
    const read = await readDocsify(deps, { ...docsify, homepage }, unknownPage(shell))
    // Both files are optional.
    if (read.kind !== 'read' || read.result.kind === 'killed') continue
    const found = read.result.kind === 'page' ? read.result.page.links : read.result.links
    links.push(...found.map((link) => ({ ...link, inContent: false })))
  }
  return links
}

/** The hash of the stored text, if there is one. */
export function previous({ state, textHash }: PageToGo): { previousTextHash?: string } {
  return state === 'indexed' && textHash ? { previousTextHash: textHash } : {}
}

function withRoutes(result: PageResult, docsify: Docsify, shell: string): PageResult {
  const lead = (links: PageLink[]) => links.map((link) => ({ ...link, url: routeTo(docsify, link.url, shell) }))
  if (result.kind === 'page') return { ...result, page: { ...result.page, links: lead(result.page.links) } }
  if (result.kind === 'rejected') return { ...result, links: lead(result.links) }
  return result
}

export type RenderDeps = FetchDeps & {
  pages: PageReader
  renderer: PageRenderer | null
  /** Why there is no renderer, if it is not that no browser is installed. */
  notRendered?: string | undefined
  budget: Pick<CrawlBudget, 'renderingExhausted' | 'rendered'>
}

type Shown =
  | { kind: 'page'; result: PageResult }
  | { kind: 'redirect'; to: string }
  /** The page has no text; `why` is the sentence for the report. */
  | { kind: 'empty'; why: string; wasTried: boolean }

/** Maximum text bytes of a shell without JavaScript: a title, and a request to enable it. */
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
  if (renderer === null) return untried(deps.notRendered ?? 'and no browser is installed to run it.')
  const exhausted = budget.renderingExhausted()
  if (exhausted) return untried(`which this crawl runs no more: ${exhausted}`)
  const shown = await render(renderer, deps, page.url)
  if (typeof shown === 'string') return { kind: 'empty', why: shown, wasTried: true }
  const bytes = new TextEncoder().encode(shown.html)
  const result = await pages.process(
    {
      url: page.url,
      contentType: 'text/html; charset=utf-8',
      bytes,
      withRoutes: true,
      ...previous(page),
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
