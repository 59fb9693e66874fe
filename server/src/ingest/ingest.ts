import type { SourceType } from '@docent/contract/sources'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { GiveUp, TooEarly } from '#jobs/errors.ts'
import type { Payload } from '#jobs/kinds.ts'
import type { Lease } from '#jobs/worker.ts'
import { isUploadUrl } from '#lib/upload-url.ts'
import type { NetClient } from '#net/client.ts'
import type { PageRenderer } from '#net/browser/open-renderer.ts'
import type { Pacer } from '#net/pacing.ts'
import type { RobotsCache } from '#net/robots.ts'
import type { BuildPool } from '#search/build-pool.ts'
import type { Store } from '#store/db.ts'
import { deleteSomeContent } from '#store/discard-content.ts'
import { countPages, countReasons } from '#store/pages.ts'
import { type SourceRow, findLiveSource, updateSource } from '#store/sources.ts'
import { SiteDown, crawlSite } from './crawl-site.ts'
import { type CrawlStore, openCrawlStore } from './crawl-store.ts'
import { asFinalFailure } from './final-failure.ts'
import { collectNavigation, saveNavigation } from './navigation.ts'
import { createHashSites } from './hash-sites.ts'
import { createLookalikes } from './lookalikes.ts'
import { createPatience } from './patience.ts'
import { openFrontier } from './frontier.ts'
import { ingestDocuments } from './ingest-documents.ts'
import type { PagePool, PageReader } from './page-pool.ts'
import type { ReaderMemory } from './reader-memory.ts'
import type { EmbedDeps } from './embed-segment.ts'
import { publishAll, rebuildSegments } from './publish.ts'
import { startPublishing } from './start-publishing.ts'
import { refuseLoss } from './refuse-loss.ts'
import { settleType } from './settle-type.ts'
import { openSite } from './sources/open-site.ts'
import type { Detected } from './sources/detect-source.ts'
import type { SourceReader } from './sources/source-document.ts'
import { trustSiteTexts } from './trust-site-texts.ts'
import { type UnderLease, underLease } from './under-lease.ts'

export type IngestDeps = {
  store: Store
  net: NetClient
  pacer: Pacer
  robots: RobotsCache
  pages: PagePool
  /** For sources that are read as wholes. */
  memory?: ReaderMemory
  /** For pages that are empty without JavaScript; null where there is no browser. */
  renderer: PageRenderer | null
  builder: BuildPool
  /** Looks at what an address leads to, where its kind was not given. */
  detect: (address: URL, guess: SourceType) => Promise<Detected>
  /** What makes embeddings; null: nothing does. */
  embedder: EmbedDeps['embedder'] | null
  /** What reads the kinds of source that are no sites. */
  readers: Record<Exclude<SourceType, SiteType>, SourceReader> & { upload: SourceReader }
}

/**
 * The whole pipeline: a source is read page by page or document by document, and what they say is published. Where another
 * version of the program wrote its index, that is built anew first, and the source is read in a turn of its own
 * (`TooEarly`): all sources are in this state at once, and an index takes seconds where a crawl takes minutes.
 */
export async function ingest(deps: IngestDeps, { sourceId }: Payload<'ingest'>, lease: Lease): Promise<void> {
  const { store, readers } = deps
  const found = await findLiveSource(store.read, sourceId)
  // Removed, or its server deleted, since this was queued.
  if (!found) return
  const held = underLease(store, lease.job)
  const publication = { ...deps, underLease: held, sourceId, signal: lease.signal }
  if (found.discardContent === 1) await discardContent(held, sourceId)
  if (await rebuildSegments(publication)) throw new TooEarly(await store.now())
  const source = await settleType(deps, found)
  const reader = readerOf(source, readers)
  const run = await beginRun({ store, held }, source, { goOn: reader === null })
  const counts = await countPages(store.read, sourceId, run)
  const crawlStore = openCrawlStore({ underLease: held, sourceId, run, counts, isWhole: reader !== null })
  const publishing = startPublishing({ ...publication, isFirst: source.lastIndexedAt === null })
  const pages = deps.pages.share()
  const crawl = { ...deps, pages, source, run, crawlStore, signal: lease.signal, onPage: publishing.onPage }
  try {
    await (reader ? ingestDocuments({ ...crawl, reader }) : ingestSite(crawl))
  } catch (error) {
    if (!(error instanceof SiteDown)) throw asFinalFailure(error)
    await publishing.finish()
    await refuseLoss(store, source, run)
    await publishAll(publication)
    throw error.isHopeless ? new GiveUp(error.message) : error
  } finally {
    await publishing.finish()
  }
  await refuseLoss(store, source, run)
  // Joining the segments takes the most memory of all.
  await deps.pages.rest()
  await publishAll(publication)
  await endRun({ store, held }, sourceId, run)
}

/** Deletes what was indexed with a credential that has been removed. A crash or a lost lease leaves the rest to the next crawl. */
async function discardContent(held: UnderLease, sourceId: string): Promise<void> {
  while (await held((tx) => deleteSomeContent(tx, sourceId))) await nextTurn()
}

/** Null for a site. An upload has the type of what is usually in it, and an address that no other source can have. */
function readerOf({ url, type }: SourceRow, readers: IngestDeps['readers']): SourceReader | null {
  if (isUploadUrl(url)) return readers.upload
  return isSite(type) ? null : readers[type]
}

type SiteType = 'website' | 'docs'

const isSite = (type: SourceType): type is SiteType => type === 'website' || type === 'docs'

type Crawl = Omit<IngestDeps, 'readers' | 'detect' | 'pages'> & {
  pages: PageReader
  source: SourceRow
  run: number
  crawlStore: CrawlStore
  onPage: () => void
  signal: AbortSignal
}

async function ingestSite({ source, run, crawlStore, ...deps }: Crawl): Promise<void> {
  const site = await openSite(deps, source)
  const open = () => openFrontier({ db: deps.store.read, sourceId: source.id, run, crawlStore })
  const frontier = open()
  await crawlStore.discover([{ url: site.startUrl, depth: 0 }])
  const navigation = collectNavigation()
  const texts = await trustSiteTexts(deps, await site.texts())
  await crawlStore.discover([...texts.keys()].map((url) => ({ url, depth: 1 })))
  const discover = () =>
    site.discover(async (urls) => {
      await crawlStore.discover(urls.map((url) => ({ url, depth: 1 })))
      frontier.added()
    })
  const crawl = {
    ...deps,
    patience: createPatience(),
    rules: site.rules,
    texts,
    navigation,
    hashSites: createHashSites(),
    lookalikes: createLookalikes(),
    crawlStore,
  }
  await crawlSite({ ...crawl, frontier, discover })
  if ((await crawlStore.requeueOrphans()) > 0) {
    await crawlSite({ ...crawl, frontier: open(), discover: async () => undefined })
  }
  await saveNavigation(deps.store, source.id, navigation)
}

type Run = { store: Store; held: UnderLease }

/** Starts a crawl, or goes on with the one that a crash or a failure interrupted. Returns its number. */
async function beginRun({ store, held }: Run, source: SourceRow, { goOn }: { goOn: boolean }): Promise<number> {
  if (goOn && source.crawlStatus === 'crawling') return source.run
  const run = source.run + 1
  const begun = { run, crawlStatus: 'crawling', crawlError: null, crawlStartedAt: store.clock() } as const
  await held((tx) => updateSource(tx, source.id, begun))
  return run
}

/** A crawl that found nothing to index has failed, whatever became of each page. */
async function endRun({ store, held }: Run, sourceId: string, run: number): Promise<void> {
  const counts = await countPages(store.read, sourceId, run)
  if (counts.indexed === 0) {
    const [worst] = await countReasons(store.read, sourceId)
    throw new GiveUp(`No page could be indexed. ${worst?.detail ?? 'The site has no pages.'}`)
  }
  const ended = { crawlStatus: 'complete', crawlError: null, lastIndexedAt: store.clock() } as const
  await held((tx) => updateSource(tx, sourceId, ended))
}
