import type { Docsify } from '#extract/site/docsify.ts'
import type { LlmsPage } from '#extract/site/llms-full.ts'
import { type RejectReason, type PageLink } from '#extract/extracted-page.ts'
import { type PageResult, type PageReader } from '#processes/page-pool.ts'
import { createTurnTaker } from '#lib/limits/turn-taker.ts'
import { freeBytes } from '#lib/limits/free-bytes.ts'
import { refuseHost } from '#net/guard.ts'
import type { PageToGo } from '#store/pages/pages.ts'
import type { Settled } from './crawl-store.ts'
import { type Fetched, fetchPage } from './fetch-page.ts'
import { costOf } from './crawl-budget.ts'
import type { RedirectTargets } from './redirect-targets.ts'
import type { HashSite, HashSites } from './hash-sites.ts'
import { readDocsify, readDocsifyLists, readDocsifySettings } from './read-docsify.ts'
import { isShell, renderEmpty } from './render-empty.ts'
import type { Lookalikes } from './lookalikes.ts'
import { contentTexts } from './link-texts.ts'
import type { Navigation } from './navigation.ts'
import { drop, index, keep } from './outcomes.ts'
import { type SkipReason, reasonOfKill } from './reasons.ts'
import type { SiteRules } from './site-rules.ts'
import type { SiteTexts } from './site-texts.ts'
import { TRAP_SENTENCES, type Trap } from './trap.ts'
import { VARIANT_SENTENCES, type Variant } from './variants.ts'
import { textTask } from './text-task.ts'

type Deps = Parameters<typeof renderEmpty>[0] & {
  pages: PageReader
  rules: SiteRules
  lookalikes: Lookalikes
  /** Page texts from llms-full.txt; these pages are not fetched. */
  texts: SiteTexts
  navigation: Navigation
  hashSites: HashSites
  redirectTargets: RedirectTargets
}

/** Consecutive failed refreshes after which an indexed page is dropped. */
const MISSES_ALLOWED = 2
/** Link depth limit. Chapters that link only to the next one are rarely so many. */
const MAX_DEPTH = 200
/** Depth of a redirect: chains of several are rare. */
const REDIRECT_DEPTH = 10
/** Costs of useless pages by the time they took, in empty pages. */
const COST_OF_KILL = 100
const COST_OF_RENDER = 10
const COST_OF_TOO_LARGE = 10

/** Settles one page: fetches, decodes, extracts and chunks it, and collects its links. */
export async function settlePage(deps: Deps, page: PageToGo): Promise<Settled & { transient: boolean }> {
  const refused = refuseByAddress(deps, page)
  if (refused) return { ...refused, cost: 0 }
  // Fetch the start page even if its text is known: its navigation links to unlisted pages.
  const text = page.depth > 0 ? deps.texts.get(page.url) : undefined
  if (text) return settleText(deps, page, text)
  const site = page.url.includes('#') ? await deps.hashSites.of(deps, page.url.replace(/#.*/s, '')) : null
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
    const settled = await read(deps, page, response.headers, result)
    return { ...settled, cost: Math.max(cost, settled.cost ?? 0) }
  }
  const docsify = await readDocsifySettings(deps, page.url, response)
  response.release?.()
  return docsify ? settleDocsify(deps, page, docsify) : settleEmpty(deps, page, result)
}

/** Skips a page by its URL alone, without a request. */
function refuseByAddress({ rules, slice }: Deps, page: PageToGo): (Settled & { transient: boolean }) | null {
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

/** Settles a page identified by a hash route of the page at the same URL. */
async function settleRoute(deps: Deps, page: PageToGo, site: HashSite): Promise<Settled & { transient: boolean }> {
  if (site.kind === 'failed') return failed(page, site)
  if (site.kind === 'docsify') return settleDocsify(deps, page, site.docsify)
  if (site.kind === 'shell') return settleEmpty(deps, page, null)
  const below = page.url.replace(/#.*/s, '')
  return redirected(deps, page, site.kind === 'redirect' ? site.to : below)
}

/** Settles the Markdown of a Docsify page. The first page also gives the links of sidebar and navigation bar. */
async function settleDocsify(deps: Deps, page: PageToGo, docsify: Docsify): Promise<Settled & { transient: boolean }> {
  const file = await readDocsify(deps, docsify, page)
  if (file.kind === 'not_modified') return { ...keep(page, {}), transient: false }
  const settled = file.kind === 'failed' ? failed(page, file) : await read(deps, page, file.headers, file.result)
  if (page.url.includes('#')) return settled
  const links = await ownLinks(deps.rules, await readDocsifyLists(deps, docsify, page.url))
  deps.navigation.note(links)
  return { ...settled, discovered: [...settled.discovered, ...discover(page, links)] }
}

/**
 * Settles the page as rendered by the installed browser. If that gives no text, follows the links of `shell`, the
 * original page.
 */
async function settleEmpty(
  deps: Deps,
  page: PageToGo,
  shell: PageResult | null,
): Promise<Settled & { transient: boolean }> {
  const rendered = await renderEmpty(deps, page)
  if (rendered.kind === 'redirect') return redirected(deps, page, rendered.to)
  // Pass no headers: the shell's validators do not reflect changes of the rendered text.
  if (rendered.kind === 'page') return read(deps, page, {}, rendered.result)
  const discovered = shell ? (await read(deps, page, {}, shell)).discovered : []
  const cost = rendered.wasTried ? COST_OF_RENDER : 1
  return { ...skipped(page, 'needs_javascript', rendered.why), discovered, cost }
}

/**
 * Settles a page from its llms-full.txt text. Ignores its links: they are often relative to another location, and
 * broken.
 */
async function settleText(deps: Deps, page: PageToGo, text: LlmsPage): Promise<Settled & { transient: boolean }> {
  const result = await deps.pages.process({ ...textTask(page.url, text), ...previous(page) }, deps.signal)
  return { ...(await read(deps, page, {}, result)), discovered: [] }
}

/** Characters of the page's link URLs. */
function lengthOfLinks(result: PageResult): number {
  const links = result.kind === 'killed' ? [] : result.kind === 'rejected' ? result.links : result.page.links
  return links.reduce((sum, { url }) => sum + url.length, 0)
}

function previous({ state, textHash }: PageToGo): { previousTextHash?: string } {
  return state === 'indexed' && textHash ? { previousTextHash: textHash } : {}
}

async function read(
  { rules, navigation, lookalikes }: Deps,
  page: PageToGo,
  headers: Record<string, string>,
  result: PageResult,
): Promise<Settled & { transient: boolean }> {
  if (result.kind === 'killed') {
    const killed = failed(page, {
      ...reasonOfKill(result),
      transient: result.reason === 'ended' || result.reason === 'busy',
    })
    return { ...killed, cost: COST_OF_KILL }
  }
  if (result.kind === 'rejected') {
    const settled = skipped(page, result.reason, result.detail)
    return { ...settled, discovered: discover(page, await ownLinks(rules, result.links)) }
  }
  const { page: facts } = result
  const links = facts.nofollow ? [] : await ownLinks(rules, facts.links)
  navigation.note(links)
  const found = discover(page, links)
  const { leadsOn, isMadeUp } = lookalikes.judge(
    { url: page.url, shape: facts.shape, words: facts.words },
    found.map(({ url }) => url),
  )
  const discovered = leadsOn ? found : []
  if (facts.noindex) return { ...skipped(page, 'noindex', 'The page asks not to be indexed.'), discovered }
  const validators = {
    etag: headers['etag'] ?? null,
    lastModified: headers['last-modified'] ?? null,
  }
  const settled = result.unchanged
    ? keep(page, validators)
    : index(page, result, contentTexts(links, page.url), validators)
  return { ...settled, discovered, isMadeUp, transient: false }
}

function redirected({ rules, redirectTargets }: Deps, page: PageToGo, to: string): Settled & { transient: boolean } {
  const target = rules.normalize(to)
  const settled = skipped(page, 'redirect', isInternal(to, page.url) ? LEADS_INSIDE : `It leads to ${to}`)
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

type WhySkipped = SkipReason | RejectReason | Trap | Variant

function skipped(page: PageToGo, reason: WhySkipped, detail: string): Settled & { transient: boolean } {
  return { ...drop(page, 'skipped', reason, detail), cost: 1, transient: false }
}

/** Drops a page that is gone at once. A page with other failures stays searchable for a refresh or two. */
function failed(
  page: PageToGo,
  { reason, detail, transient }: Omit<Extract<Fetched, { kind: 'failed' }>, 'kind'>,
): Settled & { transient: boolean } {
  const misses = page.misses + 1
  if (page.state === 'indexed' && reason !== 'not_found' && misses < MISSES_ALLOWED) {
    return { outcome: { id: page.id, state: 'indexed', misses }, before: 'indexed', discovered: [], transient }
  }
  return { ...drop(page, 'failed', reason, detail), cost: reason === 'too_large' ? COST_OF_TOO_LARGE : 1, transient }
}

/** Returns in-scope links with normalized URLs. The index of a reference has thousands. */
async function ownLinks(rules: SiteRules, links: readonly PageLink[]): Promise<PageLink[]> {
  const turns = createTurnTaker()
  const own: PageLink[] = []
  for (const link of links) {
    const url = rules.normalize(link.url)
    if (url !== null) own.push({ ...link, url })
    if (turns.due()) await turns.turn()
  }
  return own
}

function discover(page: PageToGo, links: readonly PageLink[]): { url: string; depth: number }[] {
  return [...new Set(links.map(({ url }) => url))].map((url) => ({ url, depth: page.depth + 1 }))
}
