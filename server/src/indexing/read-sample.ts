import { createScope, type Scope } from '#crawl/scope.ts'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { outcomeOf } from '#net/host-pace.ts'
import type { Pacer } from '#net/pacing.ts'
import type { RobotsCache } from '#net/robots.ts'
import type { PageReader } from '#readers/page-pool.ts'
import type { BuildPool } from '#search/build-pool.ts'
import type { StoredPage } from '#search/build-tasks.ts'

/** A few pages of a site, indexed for one purpose and never stored. */
export type Sample = { segment: Uint8Array<ArrayBuffer>; texts: Map<string, Uint8Array>; pages: number }

export type SampleDeps = {
  net: NetClient
  pacer: Pacer
  robots: RobotsCache
  pages: PageReader
  builder: Pick<BuildPool, 'build' | 'merge'>
}

/** Enough to see names, languages and versions of a site. Somebody waits for the result. */
const MOST_PAGES = 16
const MOST_MS = 15_000
const MOST_BYTES = 4 << 20

/**
 * Reads a few pages of a site, the start page and pages that it links to, as robots.txt allows. Null if there is none
 * within the time. Rejects with the signal's reason when aborted.
 */
export async function readSample(deps: SampleDeps, address: URL, signal: AbortSignal): Promise<Sample | null> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)])
  const found = new Map<string, StoredPage>()
  const queue = [address]
  const seen = new Set([address.href])
  let scope: Scope | null = null
  for (let url = queue.shift(); url !== undefined && found.size < MOST_PAGES && !limit.aborted; url = queue.shift()) {
    const response = await fetchAllowed(deps, url, limit)
    signal.throwIfAborted()
    if (response === null) continue
    scope ??= createScope({ start: address, landed: new URL(response.url) })
    const { page, links } = await readPage(deps.pages, response, signal)
    if (page !== null) found.set(page.url, page)
    for (const link of links) {
      const to = URL.parse(link)
      if (to === null || seen.has(to.href) || !scope.includes(to)) continue
      seen.add(to.href)
      queue.push(to)
    }
  }
  const pages = [...found.values()]
  if (pages.length === 0) return null
  const built = await deps.builder.build(pages)
  const segment = (await deps.builder.merge([built])) ?? built
  return { segment, texts: new Map(pages.map(({ textHash, markdown }) => [textHash, markdown])), pages: pages.length }
}

/** The response of a page that robots.txt allows, at the pace of its host. Null if there is none. */
async function fetchAllowed(
  { net, pacer, robots }: SampleDeps,
  url: URL,
  signal: AbortSignal,
): Promise<NetResponse | null> {
  try {
    if (!(await robots.of(url.origin, signal)).allows(url)) return null
    const release = await pacer.acquire(url.host, signal)
    const started = performance.now()
    try {
      const response = await net.fetch(url.href, { signal, maxBytes: MOST_BYTES })
      release(outcomeOf(url.host, { response, elapsedMs: performance.now() - started }))
      return response.status === 200 ? response : null
    } catch (error) {
      release(error instanceof NetError ? outcomeOf(url.host, { error, elapsedMs: performance.now() - started }) : null)
      throw error
    }
  } catch (error) {
    // A page of a sample may be missing. The guard refuses private addresses in the same way.
    if (error instanceof NetError) return null
    throw error
  }
}

async function readPage(
  reader: PageReader,
  { url, headers, bytes, release }: NetResponse,
  signal: AbortSignal,
): Promise<{ page: StoredPage | null; links: string[] }> {
  const result = await reader.process({ url, contentType: headers['content-type'] ?? null, bytes }, signal)
  release?.()
  if (result.kind === 'rejected') return { page: null, links: result.links.map((link) => link.url) }
  if (result.kind !== 'page' || result.unchanged) return { page: null, links: [] }
  const { page, textHash, compressed, outline } = result
  const stored = { url, title: page.title, textHash, markdown: compressed, outline }
  return { page: page.noindex ? null : stored, links: page.nofollow ? [] : page.links.map((link) => link.url) }
}
