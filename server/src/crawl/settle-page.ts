import { withoutSecrets } from '#lib/addresses/secret-address.ts'
import { freeBytes } from '#lib/limits/byte-budget.ts'
import type { PageToGo } from '#store/pages/pages.ts'
import type { LlmsPage } from '#extract/site/llms-full.ts'
import type { PageResult } from '#readers/page-pool.ts'
import { createYielder } from '#lib/limits/yield-to-event-loop.ts'
import { refuseHost } from '#net/guard.ts'
import type { PageLink } from '#extract/extracted-page.ts'
import type { Docsify } from '#extract/site/docsify.ts'
import { costOf, reasonOfKill } from './crawl-budget.ts'
import type { CrawlDeps } from './crawl-site.ts'
import { fetchPage } from './fetch-page.ts'
import { freshUntil } from './freshness.ts'
import { type SettledPage, failed, keep, index, skipped, refuseByAddress } from './outcomes.ts'
import {
  readDocsifySettings,
  isShell,
  previous,
  type HashSite,
  readDocsify,
  readDocsifyLists,
  renderEmpty,
} from './scripted-pages.ts'
import { textTask } from './site-texts.ts'
import { contentTexts } from './found-links.ts'
import type { SiteRules } from './site-rules.ts'

/** Settles one page: fetches, decodes, extracts and chunks it, and collects its links. */
export async function settlePage(deps: CrawlDeps, page: PageToGo): Promise<SettledPage> {
  const refused = refuseByAddress(deps, page)
  if (refused) return { ...refused, cost: 0 }
  if (deps.dates.isUnchanged(page)) return { ...keep(page), transient: false }
  // Fetch the start page even if its text is known: its navigation links to unlisted pages.
  const text = page.depth > 0 ? deps.texts.get(page.url) : undefined
  if (text) return settleText(deps, page, text)
  const site = page.url.includes('#') ? await deps.hashRouting.of(deps, page.url.replace(/#.*/s, '')) : null
  if (site) return settleRoute(deps, page, site)
  const fetched = await fetchPage(deps, page)
  if (fetched.kind === 'failed') return failed(page, fetched)
  if (fetched.kind === 'not_modified') {
    deps.dates.learn(page, false)
    const fresh = freshUntil(fetched.headers, Date.now())
    return { ...keep(page, { siteDate: deps.dates.settledDateOf(page), freshUntil: fresh }), transient: false }
  }
  if (fetched.kind === 'redirect') return redirected(deps, page, fetched.to)
  const { response } = fetched
  const { headers, bytes } = response
  const task = { url: page.url, contentType: headers['content-type'] ?? null, bytes, ...previous(page) }
  const result = await deps.pages.process(task, deps.signal)
  if (!isShell(result)) {
    // A page of a few kilobytes can contain megabytes of link URLs.
    const cost = costOf(Math.max(bytes.byteLength, lengthOfLinks(result)))
    freeBytes(bytes)
    response.release?.()
    const settled = await settleResult(deps, page, headers, result)
    return { ...settled, cost: Math.max(cost, settled.cost ?? 0) }
  }
  const docsify = await readDocsifySettings(deps, page.url, response)
  response.release?.()
  return docsify ? settleDocsify(deps, page, docsify) : settleEmpty(deps, page, result)
}

/** Settles a page from its llms-full.txt text, without its links, which are often broken. */
async function settleText(deps: CrawlDeps, page: PageToGo, text: LlmsPage): Promise<SettledPage> {
  const result = await deps.pages.process({ ...textTask(page.url, text), ...previous(page) }, deps.signal)
  return { ...(await settleResult(deps, page, {}, result)), discovered: [] }
}

function lengthOfLinks(result: PageResult): number {
  const links = result.kind === 'killed' ? [] : result.kind === 'rejected' ? result.links : result.page.links
  return links.reduce((sum, { url }) => sum + url.length, 0)
}

/** Depth of a redirect: chains of several are rare. */
const REDIRECT_DEPTH = 10
/** Cost of a page that its process could not read in time, in empty pages. */
const COST_OF_KILL = 100

/** Settles a page with the result of its extraction. `headers` are those of the response that has its text. */
async function settleResult(
  deps: CrawlDeps,
  page: PageToGo,
  headers: Record<string, string>,
  result: PageResult,
): Promise<SettledPage> {
  const { rules, navigation, similarPages } = deps
  if (result.kind === 'killed') {
    const transient = result.reason === 'ended' || result.reason === 'busy'
    return { ...failed(page, { ...reasonOfKill(result), transient }), cost: COST_OF_KILL }
  }
  if (result.kind === 'rejected') {
    const settled = skipped(page, result.reason, result.detail)
    return { ...settled, discovered: discover(page, await ownLinks(rules, result.links)) }
  }
  const { page: facts } = result
  const links = facts.nofollow ? [] : await ownLinks(rules, facts.links)
  navigation.note(links)
  const found = discover(page, links)
  const judged = { url: page.url, shape: facts.shape, words: facts.words }
  const urls = found.map(({ url }) => url)
  const { leadsOn, isMadeUp } = similarPages.judge(judged, urls)
  const discovered = leadsOn ? found : []
  if (facts.noindex) return { ...skipped(page, 'noindex', 'The page asks not to be indexed.'), discovered }
  const siteDate = deps.dates.settledDateOf(page)
  const validators = {
    etag: headers['etag'] ?? null,
    lastModified: headers['last-modified'] ?? null,
    siteDate,
    freshUntil: freshUntil(headers, Date.now()),
  }
  deps.dates.learn(page, !result.unchanged)
  const texts = contentTexts(links, page.url)
  const settled = result.unchanged ? keep(page, validators) : index(page, result, texts, validators)
  return { ...settled, discovered, isMadeUp, transient: false }
}

function redirected({ rules, redirectTargets }: CrawlDeps, page: PageToGo, to: string): SettledPage {
  const target = rules.normalize(to)
  const settled = skipped(
    page,
    'redirect',
    isInternal(to, page.url) ? LEADS_INSIDE : `It leads to ${withoutSecrets(to)}`,
  )
  if (target === null) return settled
  // The target page shows whether the redirect was useful.
  const cost = redirectTargets.isNew(target) ? 0 : 1
  return { ...settled, cost, discovered: [{ url: target, depth: page.depth + REDIRECT_DEPTH }] }
}

const LEADS_INSIDE = 'It leads to an address in a private or internal network.'

/** Returns whether a redirect leads to another, private host, whose name must not be disclosed. */
function isInternal(to: string, from: string): boolean {
  const { hostname } = new URL(to)
  return hostname !== new URL(from).hostname && refuseHost(hostname, []) !== null
}

/** Returns in-scope links with normalized URLs. The index of a reference has thousands. */
async function ownLinks(rules: SiteRules, links: readonly PageLink[]): Promise<PageLink[]> {
  const turns = createYielder()
  const own: PageLink[] = []
  for (const link of links) {
    const url = rules.normalize(link.url)
    if (url !== null) own.push({ ...link, url })
    if (turns.due()) await turns.turn()
  }
  return own
}

function discover(page: PageToGo, links: readonly PageLink[]): SettledPage['discovered'] {
  return [...new Set(links.map(({ url }) => url))].map((url) => ({ url, depth: page.depth + 1 }))
}

/** Cost of a rendering without a result, in empty pages. */
const COST_OF_RENDER = 10

async function settleRoute(deps: CrawlDeps, page: PageToGo, site: HashSite): Promise<SettledPage> {
  if (site.kind === 'failed') return failed(page, site)
  if (site.kind === 'docsify') return settleDocsify(deps, page, site.docsify)
  if (site.kind === 'shell') return settleEmpty(deps, page, null)
  const below = page.url.replace(/#.*/s, '')
  return redirected(deps, page, site.kind === 'redirect' ? site.to : below)
}

/** Settles the Markdown of a Docsify page. The first page also gives the links of sidebar and navigation bar. */
async function settleDocsify(deps: CrawlDeps, page: PageToGo, docsify: Docsify): Promise<SettledPage> {
  const file = await readDocsify(deps, docsify, page)
  if (file.kind === 'not_modified') return { ...keep(page, {}), transient: false }
  const settled =
    file.kind === 'failed' ? failed(page, file) : await settleResult(deps, page, file.headers, file.result)
  if (page.url.includes('#')) return settled
  const links = await ownLinks(deps.rules, await readDocsifyLists(deps, docsify, page.url))
  deps.navigation.note(links)
  return { ...settled, discovered: [...settled.discovered, ...discover(page, links)] }
}

/** Settles the page as rendered by the browser. Without text there, follows the links of `shell`, the page itself. */
async function settleEmpty(deps: CrawlDeps, page: PageToGo, shell: PageResult | null): Promise<SettledPage> {
  const rendered = await renderEmpty(deps, page)
  if (rendered.kind === 'redirect') return redirected(deps, page, rendered.to)
  // Pass no headers: the shell's validators do not reflect changes of the rendered text.
  if (rendered.kind === 'page') return settleResult(deps, page, {}, rendered.result)
  const discovered = shell ? (await settleResult(deps, page, {}, shell)).discovered : []
  const cost = rendered.wasTried ? COST_OF_RENDER : 1
  return { ...skipped(page, 'needs_javascript', rendered.why), discovered, cost }
}
