import { type Trace, traceOf } from '#lib/trace.ts'
import { type ReaderType, hasReader, sourceKind } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DocentError } from '#errors.ts'
import { GiveUp, TooEarly, type LeasedTransaction, inLeasedTransaction } from '#jobs/lease.ts'
import type { Payload } from '#store/jobs/job.ts'
import { type Lease, UNANSWERED_MS } from '#jobs/worker.ts'
import type { Secrets } from '#lib/addresses/secret-address.ts'
import { isUploadUrl } from '#lib/addresses/page-address.ts'
import type { NetClient } from '#net/client.ts'
import { forAddress, withSecrets } from '#net/secret-address-client.ts'
import type { PageRenderer } from '#net/browser/open-renderer.ts'
import type { Pacer } from '#net/pacing.ts'
import type { RobotsCache } from '#net/robots.ts'
import type { BuildPool } from '#search/build-pool.ts'
import type { Store } from '#store/db.ts'
import { deleteSomeContent } from '#store/sources/remove-source.ts'
import { deleteUnusedObjects } from '#store/engine/blobs/delete-objects.ts'
import { countPages } from '#store/pages/page-report.ts'
import { sizeOfAddresses } from '#store/pages/pages.ts'
import { wasPushed } from '#store/sources/pushes.ts'
import { saveQuestions, type TriedQuestions } from '#store/sources/questions.ts'
import { type SourceRow, findLiveSource, updateSourceRow } from '#store/sources/sources.ts'
import { type CrawlBudget, type CrawlLimits, openCrawlBudget } from '#crawl/crawl-budget.ts'
import { SiteDown } from '#crawl/crawl-site.ts'
import { CrawlStore } from '#crawl/crawl-store.ts'
import { meterRequests, trackPauses } from '#crawl/pace-requests.ts'
import type { PagePool } from '#readers/page-pool.ts'
import type { OnFault } from '#workers/kill-reason.ts'
import type { ReaderMemory } from '#workers/reader-memory.ts'
import type { Detected } from '#sources/detect-source.ts'
import type { SourceReader } from '#sources/source-document.ts'
import { asFinalFailure } from './fail-source.ts'
import { type IngestDocumentsDeps, ingestDocuments } from './ingest-documents.ts'
import type { EmbedDeps } from './embed-segment.ts'
import { publishAll, publishChanges, publishNew, rebuildSegments } from './publish.ts'
import { newPublishPace, startPublishing } from './start-publishing.ts'
import { beginRun, endRun, refuseLoss } from './crawl-run.ts'
import { ingestSite } from './ingest-site.ts'
import type { OpenCrawls } from './open-crawls.ts'

export type IngestDeps = {
  store: Store
  net: NetClient
  pacer: Pacer
  robots: RobotsCache
  pages: PagePool
  /** Memory for readers of non-site sources. */
  memory?: ReaderMemory
  onFault?: OnFault
  /** Renders pages that are empty without JavaScript; null if no browser is installed. */
  renderer: PageRenderer | null
  notRendered?: string | undefined
  builder: BuildPool
  /** Detects the type of a source that was added without one. Never throws for failures of the remote side. */
  detect: (net: NetClient, address: URL, guess: SourceType) => Promise<Detected>
  /** The address of a source with its secrets. Throws `503 credentials_unavailable`. Default: its `url`. */
  addressOf?: (source: SourceRow) => string
  /** The credential with which the site of a source is read, or null. Throws `503 credentials_unavailable`. */
  accessOf?: (source: SourceRow) => Promise<Secrets | null>
  /** Makes embeddings; null if no model is configured. */
  embedder: EmbedDeps['embedder'] | null
  /** Time limit in milliseconds for reading a non-site source, default one hour. */
  mostReadingMs?: number
  /** Site crawls that wait for their next time slice. */
  openCrawls: OpenCrawls
  /** Overrides of the default crawl limits, for example the text included in the account's plan. */
  limitsOf?: (source: SourceRow) => Promise<Partial<CrawlLimits>>
  readers: Record<ReaderType, SourceReader> & { upload: SourceReader }
  trace?: Trace
  /** Tries questions on the published version of a source. Null: there is nothing to save. Never throws, except when aborted. */
  tryQuestions?: (sourceId: string, signal: AbortSignal) => Promise<TriedQuestions | null>
}

/** Host pauses up to this length are waited for within the job. */
const SHORT_PAUSE_MS = 1_000
/** Random spread of jobs that wait for the same host, so that the same job is not always first. */
const SPREAD_MS = 1_000

/**
 * A non-site reading cannot be divided into slices and holds its worker slot. The slowest known one needs half of this:
 * ten minutes for an archive that its host packs while sending, and as long for issues and releases.
 */
const MOST_READING_MS = 60 * 60_000

/**
 * Runs the whole pipeline: reads a source by page or document, and publishes the result.
 *
 * If another version of the program wrote the index, this rebuilds it first and throws `TooEarly`. The source is then
 * read in a separate job: after an upgrade all sources need a rebuild, and an index takes seconds where a crawl takes
 * minutes. A site crawl also throws `TooEarly` at the end of its time slice, and resumes from the frontier.
 */
export async function ingest(
  given: IngestDeps,
  { sourceId, isStored, isScheduled = false }: Payload<'ingest'>,
  lease: Lease,
): Promise<void> {
  const { pacer, pauseMs } = trackPauses(given.pacer, lease.job.accountId)
  // Since when the host has not answered.
  let askedAt = Infinity
  lease.onAskPause(() => (performance.now() - askedAt > UNANSWERED_MS ? Infinity : pauseMs()))
  const { store, builder, embedder, openCrawls } = given
  const found = await findLiveSource(store.read, sourceId)
  // The source or its server was deleted after this job was queued.
  if (!found) return
  const deps = { ...given, pacer, ...(await clientFor(given, found)) }
  const { signal } = lease
  const held = inLeasedTransaction(store, lease.job)
  const publication = { store, builder, embedder, inLeasedTransaction: held, sourceId, signal }
  const publish = () => (deps.trace ?? traceOf(null))('publish', () => publishAll(publication))
  if (found.discardContent === 1) await discardContent(held, deps.store, sourceId)
  const finish = async (ended: Pick<SourceRow, 'run' | 'crawlUsage'>) => {
    await publish()
    const tried = await deps.tryQuestions?.(sourceId, signal)
    if (tried) await held((tx) => saveQuestions(tx, sourceId, tried))
    await endRun({ store, held }, sourceId, ended)
  }
  if (isStored) return finish(found)
  if (await rebuildSegments(publication)) throw new TooEarly(await store.now())
  if (pacer.pausedFor(new URL(found.url).host) > SHORT_PAUSE_MS) throw comeBack(deps, found.url)
  askedAt = performance.now()
  const source = await settleType(deps, found)
  const reader = readerOf(source, deps.readers)
  if (reader) askedAt = Infinity
  const { run, crawlUsage } = await beginRun({ store, held }, source, { goOn: reader === null })
  const { crawlStore, budget } = await openOutcomes(deps, { source, run, crawlUsage, held, isWhole: reader !== null })
  const isFirst = source.lastIndexedAt === null
  const publishNow = async () =>
    isFirst ? publishNew(publication) : crawlStore.whileStill(() => publishChanges(publication, run))
  const { url, includePatterns, excludePatterns, versions } = source
  const of = JSON.stringify([run, url, includePatterns, excludePatterns, versions, isScheduled])
  const open = reader ? null : openCrawls.take(sourceId, of)
  const pace = open?.publishPace ?? newPublishPace({ isFirst })
  const isEarly = isFirst || (!reader && (await wasPushed(store.read, source)))
  const publishing = startPublishing({ publish: isEarly ? publishNow : null, isFirst, pace })
  const net = meterRequests(deps.net, budget)
  const reading = { store, net, pacer, pages: deps.pages.share(), source, run, crawlStore, budget, signal }
  const { memory, onFault, robots, renderer, notRendered } = deps
  try {
    if (reader) {
      await readInTime({ ...reading, memory, onFault, reader, onPage: publishing.onPage }, deps.mostReadingMs)
    } else {
      const crawl = {
        ...reading,
        robots,
        isScheduled,
        renderer,
        notRendered,
        sliceOver: lease.slice,
        onPage: publishing.onPage,
      }
      const onAnswer = () => void (askedAt = Infinity)
      const left = await ingestSite({ ...crawl, onAnswer }, open, pace)
      if (left) {
        openCrawls.keep(sourceId, of, left, crawlStore.counts.indexed + crawlStore.counts.queued)
        throw comeBack(deps, left.site.startUrl)
      }
    }
  } catch (error) {
    const exhausted = signal.aborted ? null : budget.exhausted()
    if (!(error instanceof SiteDown) && !exhausted) throw asFinalFailure(error, { isFirst })
    await publishing.finish()
    await refuseLoss(store, source, run)
    await publish()
    if (exhausted) throw new GiveUp(exhausted.detail, { cause: error })
    throw error instanceof SiteDown && error.isHopeless ? new GiveUp(error.message) : error
  } finally {
    await publishing.finish()
  }
  await refuseLoss(store, source, run)
  // Free memory first: merging the segments needs the most.
  await deps.pages.rest()
  await finish({ run, crawlUsage: budget.save() })
}

type Outcomes = Pick<SourceRow, 'run' | 'crawlUsage'> & { source: SourceRow; held: LeasedTransaction; isWhole: boolean }

/** Opens the store of page outcomes and the budget of a crawl. */
async function openOutcomes(
  { store, limitsOf }: Pick<IngestDeps, 'store' | 'limitsOf'>,
  { source, run, crawlUsage, held, isWhole }: Outcomes,
): Promise<{ crawlStore: CrawlStore; budget: CrawlBudget }> {
  const { id: sourceId, textBytes } = source
  const counts = await countPages(store.read, sourceId, run)
  const characters = await sizeOfAddresses(store.read, sourceId)
  const limits = (await limitsOf?.(source)) ?? {}
  const budget = openCrawlBudget({ limits, saved: crawlUsage, textBytes })
  const crawlStore = new CrawlStore({ inLeasedTransaction: held, sourceId, run, counts, budget, characters, isWhole })
  return { crawlStore, budget }
}

/** Deletes content indexed with a removed credential. If this is interrupted, the next crawl continues. */
async function discardContent(held: LeasedTransaction, store: Store, sourceId: string): Promise<void> {
  while (await held((tx) => deleteSomeContent(tx, sourceId))) await nextTurn()
  await deleteUnusedObjects(store)
}

type ClientDeps = Pick<IngestDeps, 'net' | 'robots' | 'addressOf' | 'accessOf'>

/** The client that fetches the address of a source. Throws `GiveUp` if an operator must first restore its key. */
async function clientFor({ net: plain, robots, addressOf, accessOf }: ClientDeps, source: SourceRow) {
  try {
    const { net } = forAddress(plain, addressOf?.(source) ?? source.url)
    const access = (await accessOf?.(source)) ?? null
    if (access === null) return { net, robots }
    const withAccess = withSecrets(net, access)
    return { net: withAccess, robots: robots.with(withAccess) }
  } catch (error) {
    throw error instanceof DocentError ? new GiveUp(error.message, { cause: error }) : error
  }
}

const MCP_WITH_SECRET =
  'The address is that of an MCP server and contains a credential, so it needs a private server. Remove this source, and add it again with the type mcp.'

/** Detects a type guessed from the URL, and stores it. An unreachable URL is tried again next time. */
async function settleType(
  { store, net, detect }: Pick<IngestDeps, 'store' | 'net' | 'detect'>,
  source: SourceRow,
): Promise<SourceRow> {
  if (source.typeGuessed === 0 || isUploadUrl(source.url)) return source
  const { type, reason, reachable } = await detect(net, new URL(source.url), source.type)
  if (!reachable) return source
  if (source.sealedUrl !== null && sourceKind(type).takesCredential && !sourceKind(source.type).takesCredential)
    throw new GiveUp(MCP_WITH_SECRET)
  const settled = { type, typeReason: reason, typeGuessed: 0 }
  await updateSourceRow(store.write, source.id, settled)
  return { ...source, ...settled }
}

/** Returns the reader, or null for sites. Uploads are recognised by their URL scheme, not by type. */
function readerOf({ url, type }: SourceRow, readers: IngestDeps['readers']): SourceReader | null {
  if (isUploadUrl(url)) return readers.upload
  return hasReader(type) ? readers[type] : null
}

/** Reads the documents of a source. Throws `GiveUp` on timeout. */
async function readInTime(deps: IngestDocumentsDeps, mostReadingMs = MOST_READING_MS): Promise<void> {
  const limit = AbortSignal.timeout(mostReadingMs)
  try {
    await ingestDocuments({ ...deps, signal: AbortSignal.any([deps.signal, limit]) })
  } catch (error) {
    deps.signal.throwIfAborted()
    if (!limit.aborted) throw error
    const sentence = `Reading the source took longer than ${Math.round(mostReadingMs / 60_000)} minutes. Add a part of it instead.`
    throw new GiveUp(sentence, { cause: error })
  }
}

/** Ends a time slice: the job resumes at once, or when the host takes requests again. */
function comeBack({ store, pacer }: Pick<IngestDeps, 'store' | 'pacer'>, url: string): TooEarly {
  const pause = pacer.pausedFor(new URL(url).host)
  return new TooEarly(store.clock() + pause + Math.round(Math.random() * Math.min(pause, SPREAD_MS)))
}
