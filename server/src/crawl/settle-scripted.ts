import type { PageToGo } from '#store/pages/pages.ts'
import type { Docsify } from '#extract/site/docsify.ts'
import type { PageResult } from '#processes/page-reader.ts'
import type { CrawlDeps } from './crawl-deps.ts'
import type { HashSite } from './hash-routing.ts'
import { type SettledPage, failed, keep, skipped } from './outcomes.ts'
import { readDocsify, readDocsifyLists } from './read-docsify.ts'
import { renderEmpty } from './render-empty.ts'
import { discover, ownLinks, redirected, settleResult } from './settle-result.ts'

/** Cost of a rendering without a result, in empty pages. */
const COST_OF_RENDER = 10

/** Settles a page identified by a hash route of the page at the same URL. */
export async function settleRoute(deps: CrawlDeps, page: PageToGo, site: HashSite): Promise<SettledPage> {
  if (site.kind === 'failed') return failed(page, site)
  if (site.kind === 'docsify') return settleDocsify(deps, page, site.docsify)
  if (site.kind === 'shell') return settleEmpty(deps, page, null)
  const below = page.url.replace(/#.*/s, '')
  return redirected(deps, page, site.kind === 'redirect' ? site.to : below)
}

/** Settles the Markdown of a Docsify page. The first page also gives the links of sidebar and navigation bar. */
export async function settleDocsify(deps: CrawlDeps, page: PageToGo, docsify: Docsify): Promise<SettledPage> {
  const file = await readDocsify(deps, docsify, page)
  if (file.kind === 'not_modified') return { ...keep(page, {}), transient: false }
  const settled =
    file.kind === 'failed' ? failed(page, file) : await settleResult(deps, page, file.headers, file.result)
  if (page.url.includes('#')) return settled
  const links = await ownLinks(deps.rules, await readDocsifyLists(deps, docsify, page.url))
  deps.navigation.note(links)
  return { ...settled, discovered: [...settled.discovered, ...discover(page, links)] }
}

/**
 * Settles the page as rendered by the installed browser. If that gives no text, follows the links of `shell`, the
 * original page.
 */
export async function settleEmpty(deps: CrawlDeps, page: PageToGo, shell: PageResult | null): Promise<SettledPage> {
  const rendered = await renderEmpty(deps, page)
  if (rendered.kind === 'redirect') return redirected(deps, page, rendered.to)
  // Pass no headers: the shell's validators do not reflect changes of the rendered text.
  if (rendered.kind === 'page') return settleResult(deps, page, {}, rendered.result)
  const discovered = shell ? (await settleResult(deps, page, {}, shell)).discovered : []
  const cost = rendered.wasTried ? COST_OF_RENDER : 1
  return { ...skipped(page, 'needs_javascript', rendered.why), discovered, cost }
}
