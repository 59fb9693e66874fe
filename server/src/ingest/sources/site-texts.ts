import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { PageReader } from '../page-pool.ts'
import type { LlmsPage } from './llms-full.ts'
import type { SiteRules } from './site-rules.ts'

type Deps = { net: Pick<NetClient, 'fetch'>; pages: PageReader; rules: SiteRules; signal: AbortSignal }

/** Texts of pages by the address in the form in which pages are known. */
export type SiteTexts = ReadonlyMap<string, LlmsPage>

export const NO_TEXTS: SiteTexts = new Map()

/** They are kept in memory for as long as the crawl takes. */
const MAX_BYTES = 16 * 1024 * 1024
/** The crawl waits for it; a site that is slower is better read page by page. */
const TOTAL_MS = 15_000
/** Fewer pages than this are fetched as quickly as their texts are compared. */
const LEAST_PAGES = 20

/**
 * The pages that the site gives away at once, in its llms-full.txt, where that names their addresses. Addresses of
 * Markdown files count for none: a reader would not be led to the page. Empty where it would not spare fetching.
 */
export async function fetchSiteTexts(deps: Deps, origin: string): Promise<SiteTexts> {
  const url = new URL('/llms-full.txt', origin).href
  const response = deps.rules.allows(url) ? await tryFetch(deps, url) : null
  if (!response || response.status !== 200 || /html/i.test(response.headers['content-type'] ?? '')) return NO_TEXTS
  const task = { list: 'llmsFull', url: response.url, bytes: response.bytes } as const
  const texts = new Map<string, LlmsPage>()
  for (const page of (await deps.pages.readList(task, deps.signal)) ?? []) {
    const address = /\.mdx?$/i.test(new URL(page.url).pathname) ? null : deps.rules.normalize(page.url)
    if (address !== null && page.markdown !== '') texts.set(address, page)
  }
  response.release?.()
  return texts.size < LEAST_PAGES ? NO_TEXTS : texts
}

async function tryFetch({ net, signal }: Deps, url: string): Promise<NetResponse | null> {
  try {
    return await net.fetch(url, { maxBytes: MAX_BYTES, totalMs: TOTAL_MS, signal })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NetError) return null
    throw error
  }
}
