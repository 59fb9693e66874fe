import { GiveUp } from '#jobs/errors.ts'
import type { Payload } from '#jobs/kinds.ts'
import type { Lease } from '#jobs/worker.ts'
import type { NetClient } from '#net/client.ts'
import type { Pacer } from '#net/pacing.ts'
import type { RobotsCache } from '#net/robots.ts'
import type { BuildPool } from '#search/build-pool.ts'
import type { Store } from '#store/db.ts'
import { countPages, countReasons } from '#store/pages.ts'
import { type SourceRow, findLiveSource, updateSource } from '#store/sources.ts'
import { SiteDown, crawlSite } from './crawl-site.ts'
import { openCrawlStore } from './crawl-store.ts'
import { openFrontier } from './frontier.ts'
import type { PagePool } from './page-pool.ts'
import { publishAll } from './publish.ts'
import { startPublishing } from './start-publishing.ts'
import { openSite } from './sources/open-site.ts'

export type IngestDeps = {
  store: Store
  net: NetClient
  pacer: Pacer
  robots: RobotsCache
  pages: PagePool
  builder: BuildPool
}

/** The whole pipeline: a source's site is opened, its pages are settled one by one, and what they say is published. */
export async function ingest(deps: IngestDeps, { sourceId }: Payload<'ingest'>, { job, signal }: Lease): Promise<void> {
  const { store } = deps
  const source = await findLiveSource(store.read, sourceId)
  // Removed, or its server deleted, since this was queued.
  if (!source) return
  refuseUnreadable(source)
  const run = await beginRun(store, source)

  const site = await openSite({ ...deps, signal }, source)
  const counts = await countPages(store.read, sourceId, run)
  const crawlStore = openCrawlStore({ store, job, sourceId, run, counts })
  const frontier = openFrontier({ db: store.read, sourceId, run, crawlStore })
  await crawlStore.discover([{ url: site.startUrl, depth: 0 }])

  const publishing = startPublishing({ ...deps, sourceId, signal, isFirst: source.lastIndexedAt === null })
  const discover = () =>
    site.discover(async (urls) => {
      await crawlStore.discover(urls.map((url) => ({ url, depth: 1 })))
      frontier.added()
    })
  const crawl = { ...deps, rules: site.rules, frontier, crawlStore, discover, onPage: publishing.onPage, signal }
  try {
    await crawlSite(crawl)
  } catch (error) {
    if (!(error instanceof SiteDown)) throw error
    await publishing.finish()
    await publishAll({ ...deps, sourceId, signal })
    throw error
  } finally {
    await publishing.finish()
  }
  await publishAll({ ...deps, sourceId, signal })
  await endRun(store, sourceId, run)
}

/** Kinds of source that nothing reads yet say so, instead of being crawled as the website that they are not. */
function refuseUnreadable({ type }: SourceRow): void {
  if (type === 'repo') throw new GiveUp('Repositories cannot be indexed by this version of Docent yet.')
  if (type === 'mcp') throw new GiveUp('MCP servers cannot be indexed by this version of Docent yet.')
}

/** Starts a crawl, or goes on with the one that a crash or a failure interrupted. Returns its number. */
async function beginRun(store: Store, source: SourceRow): Promise<number> {
  if (source.crawlStatus === 'crawling') return source.run
  const run = source.run + 1
  await updateSource(store.write, source.id, {
    run,
    crawlStatus: 'crawling',
    crawlError: null,
    crawlStartedAt: Date.now(),
  })
  return run
}

/** A crawl that found nothing to index has failed, whatever became of each page. */
async function endRun(store: Store, sourceId: string, run: number): Promise<void> {
  const counts = await countPages(store.read, sourceId, run)
  if (counts.indexed === 0) {
    const [worst] = await countReasons(store.read, sourceId)
    throw new GiveUp(`No page could be indexed. ${worst?.detail ?? 'The site has no pages.'}`)
  }
  await updateSource(store.write, sourceId, {
    crawlStatus: 'complete',
    crawlError: null,
    lastIndexedAt: Date.now(),
  })
}
