import { freeBytes } from '#lib/limits/free-bytes.ts'
import type { PageToGo } from '#store/pages/pages.ts'
import type { LlmsPage } from '#extract/site/llms-full.ts'
import type { PageResult } from '#processes/page-reader.ts'
import { costOf } from './crawl-budget.ts'
import type { CrawlDeps } from './crawl-deps.ts'
import { fetchPage } from './fetch-page.ts'
import { type SettledPage, failed, keep } from './outcomes.ts'
import { readDocsifySettings } from './read-docsify.ts'
import { refuseByAddress } from './refuse-page.ts'
import { isShell } from './render-empty.ts'
import { redirected, settleResult } from './settle-result.ts'
import { settleDocsify, settleEmpty, settleRoute } from './settle-scripted.ts'
import { textTask } from './site-texts.ts'

/** Settles one page: fetches, decodes, extracts and chunks it, and collects its links. */
export async function settlePage(deps: CrawlDeps, page: PageToGo): Promise<SettledPage> {
  const refused = refuseByAddress(deps, page)
  if (refused) return { ...refused, cost: 0 }
  // Fetch the start page even if its text is known: its navigation links to unlisted pages.
  const text = page.depth > 0 ? deps.texts.get(page.url) : undefined
  if (text) return settleText(deps, page, text)
  const site = page.url.includes('#') ? await deps.hashRouting.of(deps, page.url.replace(/#.*/s, '')) : null
  if (site) return settleRoute(deps, page, site)
  const fetched = await fetchPage(deps, page)
  if (fetched.kind === 'failed') return failed(page, fetched)
  if (fetched.kind === 'not_modified') return { ...keep(page, {}), transient: false }
  if (fetched.kind === 'redirect') return redirected(deps, page, fetched.to)
  const { response } = fetched
  const result = await deps.pages.process(
    {
      url: page.url,
      contentType: response.headers['content-type'] ?? null,
      bytes: response.bytes,
      ...previous(page),
    },
    deps.signal,
  )
  if (!isShell(result)) {
    // A page of a few kilobytes can contain megabytes of link URLs.
    const cost = costOf(Math.max(response.bytes.byteLength, lengthOfLinks(result)))
    freeBytes(response.bytes)
    response.release?.()
    const settled = await settleResult(deps, page, response.headers, result)
    return { ...settled, cost: Math.max(cost, settled.cost ?? 0) }
  }
  const docsify = await readDocsifySettings(deps, page.url, response)
  response.release?.()
  return docsify ? settleDocsify(deps, page, docsify) : settleEmpty(deps, page, result)
}

/**
 * Settles a page from its llms-full.txt text. Ignores its links: they are often relative to another location, and
 * broken.
 */
async function settleText(deps: CrawlDeps, page: PageToGo, text: LlmsPage): Promise<SettledPage> {
  const result = await deps.pages.process({ ...textTask(page.url, text), ...previous(page) }, deps.signal)
  return { ...(await settleResult(deps, page, {}, result)), discovered: [] }
}

/** Characters of the page's link URLs. */
function lengthOfLinks(result: PageResult): number {
  const links = result.kind === 'killed' ? [] : result.kind === 'rejected' ? result.links : result.page.links
  return links.reduce((sum, { url }) => sum + url.length, 0)
}

function previous({ state, textHash }: PageToGo): { previousTextHash?: string } {
  return state === 'indexed' && textHash ? { previousTextHash: textHash } : {}
}
