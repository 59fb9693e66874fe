import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { PageReader } from '#processes/page-reader.ts'
import type { LlmsPage } from '#extract/site/llms-full.ts'
import type { PageTask } from '#processes/process-page.ts'
import type { SiteRules } from './site-rules.ts'

type Deps = { net: Pick<NetClient, 'fetch'>; pages: PageReader; rules: SiteRules; signal: AbortSignal }

/** Page texts by normalized URL. */
export type SiteTexts = ReadonlyMap<string, LlmsPage>

export const NO_TEXTS: SiteTexts = new Map()

/** Kept in memory during the crawl. */
const MAX_BYTES = 16 * 1024 * 1024
/** The crawl waits for this file; a slower site is better read page by page. */
const TOTAL_MS = 15_000
/** For fewer pages, fetching is as fast as verifying their texts. */
const LEAST_PAGES = 20

/**
 * Reads page texts from llms-full.txt, if it names their URLs. Ignores URLs of Markdown files, because citations should
 * lead to pages. Empty if this would not save requests.
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

/** Creates the task for a page whose site gave its text. */
export function textTask(url: string, { title, markdown }: LlmsPage): PageTask {
  return {
    url,
    contentType: 'text/markdown; charset=utf-8',
    bytes: Buffer.from(markdown),
    ...(title === null ? {} : { given: { title, language: null } }),
  }
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
