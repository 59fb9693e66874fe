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
import { countPages, countReasons, sizeOfAddresses } from '#store/pages.ts'
import { type SourceRow, findLiveSource, updateSource } from '#store/sources.ts'
import { BudgetExhausted, type CrawlBudget, type CrawlLimits, openCrawlBudget } from './crawl-budget.ts'
import { SiteDown, crawlSite } from './crawl-site.ts'
import { type CrawlStore, openCrawlStore } from './crawl-store.ts'
import { asFinalFailure } from './final-failure.ts'
import { collectNavigation, saveNavigation } from './navigation.ts'
import { createHashSites } from './hash-sites.ts'
import { createLookalikes } from './lookalikes.ts'
import { meterRequests } from './meter-requests.ts'
import { createPatience } from './patience.ts'
import { openFrontier } from './frontier.ts'
import { ingestDocuments } from './ingest-documents.ts'
import type { PagePool, PageReader } from './page-pool.ts'
import type { OnFault } from './parse-apart.ts'
import type { ReaderMemory } from './reader-memory.ts'
import type { EmbedDeps } from './embed-segment.ts'
import { publishAll, rebuildSegments } from './publish.ts'
import { type PublishPace, newPublishPace, startPublishing } from './start-publishing.ts'
import { createRedirectTargets } from './redirect-targets.ts'
import { refuseLoss } from './refuse-loss.ts'
import { settleType } from './settle-type.ts'
import type { OpenCrawl, OpenCrawls } from './open-crawls.ts'
import { openSite } from './sources/open-site.ts'
import type { Detected } from './sources/detect-source.ts'
import type { SourceReader } from './sources/source-document.ts'
import { trustSiteTexts } from './trust-site-texts.ts'
import { trackPauses } from './track-pauses.ts'
import { type UnderLease, underLease } from './under-lease.ts'

export type IngestDeps = {
  store: Store
  net: NetClient
  pacer: Pacer
  robots: RobotsCache
  pages: PagePool
  /** For sources that are read as wholes. */
  memory?: ReaderMemory
  /** Hears of bugs that parsers meet on a document. */
  onFault?: OnFault
  /** For pages that are empty without JavaScript; null where there is no browser. */
  renderer: PageRenderer | null
  builder: BuildPool
  /** Looks at what an address leads to, where its kind was not given. */
  detect: (address: URL, guess: SourceType) => Promise<Detected>
  /** What makes embeddings; null: nothing does. */
  embedder: EmbedDeps['embedder'] | null
  /** Milliseconds that the reading of a source that is no site may take, default an hour. */
  mostReadingMs?: number
  /** Crawls of sites that wait for their next time slice. */
  openCrawls: OpenCrawls
  /** Bounds of this crawl that are not those of every crawl, as the text that the account's plan includes. */
  limitsOf?: (source: SourceRow) => Promise<Partial<CrawlLimits>>
  /** What reads the kinds of source that are no sites. */
  readers: Record<Exclude<SourceType, SiteType>, SourceReader> & { upload: SourceReader }
}

/** A host that takes no requests for longer is not waited for in hand. */
const SHORT_PAUSE_MS = 1_000
/** Jobs that wait for the same host come back one after the other, so that not always the same one is the first. */
const SPREAD_MS = 1_000

/**
 * Such a reading cannot be divided into slices, and holds its slot. The slowest known needs half of this: ten minutes
 * for an archive that its host packs while it is sent, and as much again for what people say about a repository.
 */
const MOST_READING_MS = 60 * 60_000

/**
 * The whole pipeline: a source is read page by page or document by document, and what they say is published. Where another
 * version of the program wrote its index, that is built anew first, and the source is read in a turn of its own
 * (`TooEarly`): all sources are in this state at once, and an index takes seconds where a crawl takes minutes. The crawl
 * of a site ends with its time slice (`TooEarly` as well), and goes on from the frontier in the next one.
 */
export async function ingest(given: IngestDeps, { sourceId }: Payload<'ingest'>, lease: Lease): Promise<void> {
  const { pacer, pauseMs } = trackPauses(given.pacer, lease.job.accountId)
  lease.onAskPause(pauseMs)
  const deps = { ...given, pacer }
  const { store, readers } = deps
  const found = await findLiveSource(store.read, sourceId)
  // Removed, or its server deleted, since this was queued.
  if (!found) return
  const held = underLease(store, lease.job)
  const publication = { ...deps, underLease: held, sourceId, signal: lease.signal }
  if (found.discardContent === 1) await discardContent(held, sourceId)
  if (await rebuildSegments(publication)) throw new TooEarly(await store.now())
  if (pacer.pausedFor(new URL(found.url).host) > SHORT_PAUSE_MS) throw comeBack(deps, found.url)
  const source = await settleType(deps, found)
  const reader = readerOf(source, readers)
  const { run, crawlUsage } = await beginRun({ store, held }, source, { goOn: reader === null })
  const counts = await countPages(store.read, sourceId, run)
  const characters = await sizeOfAddresses(store.read, sourceId)
  const limits = (await deps.limitsOf?.(source)) ?? {}
  const budget = openCrawlBudget({ limits, saved: crawlUsage, textBytes: source.textBytes })
  const net = meterRequests(deps.net, budget)
  const isWhole = reader !== null
  const crawlStore = openCrawlStore({ underLease: held, sourceId, run, counts, budget, characters, isWhole })
  const of = JSON.stringify([run, source.url, source.includePatterns, source.excludePatterns])
  const open = reader ? null : deps.openCrawls.take(sourceId, of)
  const pace = open?.publishPace ?? newPublishPace()
  const publishing = startPublishing({ ...publication, isFirst: source.lastIndexedAt === null, pace })
  const pages = deps.pages.share()
  const crawl = {
    ...deps,
    net,
    pages,
    source,
    run,
    crawlStore,
    budget,
    signal: lease.signal,
    onPage: publishing.onPage,
  }
  try {
    if (reader) await readInTime({ ...crawl, reader })
    else {
      const left = await ingestSite({ ...crawl, sliceOver: lease.slice }, open, pace)
      if (left) {
        deps.openCrawls.keep(sourceId, of, left, crawlStore.counts.indexed + crawlStore.counts.queued)
        throw comeBack(deps, left.site.startUrl)
      }
    }
  } catch (error) {
    const exhausted = lease.signal.aborted ? null : budget.exhausted()
    if (!(error instanceof SiteDown) && !exhausted) throw asFinalFailure(error)
    await publishing.finish()
    await refuseLoss(store, source, run)
    await publishAll(publication)
    if (exhausted) throw new GiveUp(exhausted.detail, { cause: error })
    throw error instanceof SiteDown && error.isHopeless ? new GiveUp(error.message) : error
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
  budget: CrawlBudget
  onPage: () => void
  signal: AbortSignal
}

/** Reads the documents of a source. Throws `GiveUp` where that takes longer than it may. */
async function readInTime(crawl: Crawl & { reader: SourceReader }): Promise<void> {
  const { mostReadingMs = MOST_READING_MS } = crawl
  const limit = AbortSignal.timeout(mostReadingMs)
  try {
    await ingestDocuments({ ...crawl, signal: AbortSignal.any([crawl.signal, limit]) })
  } catch (error) {
    crawl.signal.throwIfAborted()
    if (!limit.aborted) throw error
    const sentence = `Reading the source took longer than ${Math.round(mostReadingMs / 60_000)} minutes. Add a part of it instead.`
    throw new GiveUp(sentence, { cause: error })
  }
}

/** Ends a time slice: the job goes on at once, or when the host takes requests again. */
function comeBack({ store, pacer }: Pick<IngestDeps, 'store' | 'pacer'>, url: string): TooEarly {
  const pause = pacer.pausedFor(new URL(url).host)
  return new TooEarly(store.clock() + pause + Math.round(Math.random() * Math.min(pause, SPREAD_MS)))
}

/** Begins to crawl a site, or goes on where nothing but the store knows how far that had come. */
async function openCrawl({ source, crawlStore, ...deps }: Crawl, publishPace: PublishPace): Promise<OpenCrawl> {
  const site = await openSite(deps, source)
  await crawlStore.discover([{ url: site.startUrl, depth: 0 }])
  const lookalikes = createLookalikes()
  const texts = await trustSiteTexts(deps, await site.texts())
  lookalikes.list(texts.keys())
  await crawlStore.discover([...texts.keys()].map((url) => ({ url, depth: 1 })))
  return {
    site,
    texts,
    publishPace,
    patience: createPatience(),
    lookalikes,
    redirectTargets: createRedirectTargets(),
    streak: { failures: 0 },
    tries: new Map(),
    openedAt: performance.now(),
  }
}

/**
 * Crawls a site until all of it is settled, its budget is used up, or the time slice is over. What is left when the
 * budget is used up is skipped for that. Returns the crawl if it has to go on in another slice, else null.
 */
async function ingestSite(
  crawl: Crawl & { sliceOver: AbortSignal },
  open: OpenCrawl | null,
  pace: PublishPace,
): Promise<OpenCrawl | null> {
  let opened = open
  let isWhole = true
  try {
    opened ??= await openCrawl(crawl, pace)
    isWhole = await crawlPages(crawl, opened)
  } catch (error) {
    if (!(error instanceof BudgetExhausted)) throw error
  }
  const exhausted = crawl.budget.exhausted()
  if (exhausted) await crawl.crawlStore.leaveRest(exhausted)
  return exhausted || isWhole ? null : opened
}

/** Crawls until all pages are settled or the time slice is over. Returns whether all are settled. */
async function crawlPages(
  { source, run, crawlStore, ...deps }: Crawl & { sliceOver: AbortSignal },
  { site, ...open }: OpenCrawl,
): Promise<boolean> {
  const openPages = () => openFrontier({ db: deps.store.read, sourceId: source.id, run, crawlStore })
  const frontier = openPages()
  const navigation = collectNavigation()
  const { net, pages, signal, sliceOver } = deps
  const discover = () =>
    site.discover({ net, pages, signal, over: sliceOver, isFull: crawlStore.isFull }, async (urls) => {
      open.lookalikes.list(urls)
      await crawlStore.discover(urls.map((url) => ({ url, depth: 1 })))
      frontier.added()
    })
  const crawl = {
    ...deps,
    ...open,
    rules: site.rules,
    navigation,
    hashSites: createHashSites(),
    crawlStore,
  }
  let isWhole = await crawlSite({ ...crawl, frontier, discover })
  if (isWhole && (await crawlStore.requeueOrphans()) > 0) {
    isWhole = await crawlSite({ ...crawl, frontier: openPages(), discover: async () => true })
  }
  await saveNavigation(deps.store, source.id, navigation)
  return isWhole
}

type Run = { store: Store; held: UnderLease }

/** Starts a crawl, or goes on with the one that a crash or a failure interrupted. */
async function beginRun(
  { store, held }: Run,
  source: SourceRow,
  { goOn }: { goOn: boolean },
): Promise<Pick<SourceRow, 'run' | 'crawlUsage'>> {
  if (goOn && source.crawlStatus === 'crawling') return source
  const begun = {
    run: source.run + 1,
    crawlStatus: 'crawling',
    crawlError: null,
    crawlStartedAt: store.clock(),
    crawlUsage: null,
  } as const
  await held((tx) => updateSource(tx, source.id, begun))
  return begun
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
