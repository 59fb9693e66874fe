import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { parseLlmsTxt } from './llms-txt.ts'
import { parseSitemap } from './sitemap.ts'

type Deps = { net: Pick<NetClient, 'fetch'>; signal: AbortSignal }

/** What a site says about its pages in the places made for it. Null where there is no such list. */
export type SiteLists = {
  llmsTxt: { pages: number } | null
  sitemap: { pages: number; sitemaps: number } | null
}

/** A list that is larger says enough by its beginning being too long to wait for. */
const MAX_BYTES = 8 * 1024 * 1024

/** Looks for the lists of a site, without reading what they lead to. What cannot be had is taken not to be there. */
export async function lookForLists(deps: Deps, origin: string, sitemaps: readonly string[]): Promise<SiteLists> {
  const [llms, sitemap] = await Promise.all([
    tryFetch(deps, new URL('/llms.txt', origin).href),
    tryFetch(deps, sitemaps[0] ?? new URL('/sitemap.xml', origin).href),
  ])
  const links = llms ? parseLlmsTxt(new TextDecoder().decode(llms.bytes), llms.url).links.length : 0
  const listed = sitemap ? parseSitemap(sitemap.bytes, sitemap.url) : { pages: [], sitemaps: [] }
  const further = listed.sitemaps.length + Math.max(0, sitemaps.length - 1)
  return {
    llmsTxt: links > 0 ? { pages: links } : null,
    sitemap: listed.pages.length + further > 0 ? { pages: listed.pages.length, sitemaps: further } : null,
  }
}

async function tryFetch({ net, signal }: Deps, url: string): Promise<{ url: string; bytes: Uint8Array } | null> {
  try {
    const response = await net.fetch(url, { maxBytes: MAX_BYTES, signal })
    const isList = response.status === 200 && !/html/i.test(response.headers['content-type'] ?? '')
    return isList ? response : null
  } catch (error) {
    if (error instanceof NetError) return null
    throw error
  }
}
