import { createYielder } from '#lib/limits/yield-to-event-loop.ts'
import { refuseHost } from '#net/guard.ts'
import type { PageToGo } from '#store/pages/pages.ts'
import type { PageLink } from '#extract/extracted-page.ts'
import type { PageResult } from '#processes/page-reader.ts'
import type { CrawlDeps } from './crawl-deps.ts'
import { contentTexts } from './link-texts.ts'
import { type SettledPage, failed, index, keep, skipped } from './outcomes.ts'
import { reasonOfKill } from './reasons.ts'
import type { SiteRules } from './site-rules.ts'

/** Depth of a redirect: chains of several are rare. */
const REDIRECT_DEPTH = 10
/** Cost of a page that its process could not read in time, in empty pages. */
const COST_OF_KILL = 100

/** Settles a page with the result of its extraction. `headers` are those of the response that has its text. */
export async function settleResult(
  { rules, navigation, similarPages }: Pick<CrawlDeps, 'rules' | 'navigation' | 'similarPages'>,
  page: PageToGo,
  headers: Record<string, string>,
  result: PageResult,
): Promise<SettledPage> {
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
  const { leadsOn, isMadeUp } = similarPages.judge(
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

/** Settles a page that redirects, and discovers its target. */
export function redirected(
  { rules, redirectTargets }: Pick<CrawlDeps, 'rules' | 'redirectTargets'>,
  page: PageToGo,
  to: string,
): SettledPage {
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

/** Returns in-scope links with normalized URLs. The index of a reference has thousands. */
export async function ownLinks(rules: SiteRules, links: readonly PageLink[]): Promise<PageLink[]> {
  const turns = createYielder()
  const own: PageLink[] = []
  for (const link of links) {
    const url = rules.normalize(link.url)
    if (url !== null) own.push({ ...link, url })
    if (turns.due()) await turns.turn()
  }
  return own
}

/** Returns the URLs of links, one level deeper than the page. */
export function discover(page: PageToGo, links: readonly PageLink[]): SettledPage['discovered'] {
  return [...new Set(links.map(({ url }) => url))].map((url) => ({ url, depth: page.depth + 1 }))
}
