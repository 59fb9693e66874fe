import { everyReader } from './every-reader.ts'
import type { CrawlLimits, CrawlUsage } from '#crawl/crawl-budget.ts'
import { ingest } from '#indexing/ingest.ts'
import type { SourceReader } from '#sources/source-document.ts'
import { GiveUp } from '#jobs/lease.ts'
import { enqueueIngest } from '#jobs/enqueue-ingest.ts'
import { claim } from '#store/jobs/claim.ts'
import { finish } from '#store/jobs/queue.ts'
import type { Store } from '#store/db.ts'
import { type SourceRow, findSourceById, updateSourceRow } from '#store/sources/sources.ts'
import { type Engine, makeStore } from '../database/engines.ts'
import { insertSource } from '../database/insert-source.ts'
import { makeIngestDeps } from './make-ingest-deps.ts'

export type IngestWorld = AsyncDisposable & {
  store: Store
  /**
   * Crawls the source once within the limits, or resumes with `used` resources. Returns its row and the sentence with
   * which it failed, or null.
   */
  crawl(
    limits?: Partial<CrawlLimits>,
    interrupted?: Partial<CrawlUsage>,
  ): Promise<{ source: SourceRow; givenUp: string | null }>
  /** Counts of indexed pages, and of skipped and failed pages by reason. */
  outcomes(): Promise<Record<string, number>>
}

/** The ingest pipeline on its own store with one source at the address, read by `reader` if given. */
export async function makeIngestWorld(
  engine: Engine,
  url: string,
  reader: SourceReader | null = null,
): Promise<IngestWorld> {
  await using stack = new AsyncDisposableStack()
  const store = stack.use(await makeStore(engine))
  const row = await insertSource(store, { url, type: reader ? 'repo' : 'docs' })
  const unread: SourceReader = () => {
    throw new Error('the source is a site')
  }
  const deps = makeIngestDeps(stack, store, everyReader(reader ?? unread))
  const kept = stack.move()
  return {
    store,
    async crawl(limits = {}, interrupted) {
      await enqueueIngest(store.write, row)
      const job = await claim(store, Date.now() + 1)
      if (!job) throw new Error('nothing to do')
      const goOn = { run: 1, crawlStatus: 'crawling', crawlUsage: JSON.stringify(interrupted) } as const
      if (interrupted) await updateSourceRow(store.write, 'src_1', goOn)
      let givenUp: string | null = null
      try {
        const never = new AbortController().signal
        const lease = { job, signal: never, slice: never, onAskPause: () => undefined }
        await ingest({ ...deps, limitsOf: async () => limits }, { sourceId: 'src_1' }, lease)
      } catch (error) {
        if (!(error instanceof GiveUp)) throw error
        givenUp = error.message
      } finally {
        await finish(store.write, job, 'done')
      }
      const source = await findSourceById(store.read, 'src_1')
      if (!source) throw new Error('the source is gone')
      return { source, givenUp }
    },
    async outcomes() {
      const counts: Record<string, number> = {}
      for (const { state, reason } of await store.read.selectFrom('pages').select(['state', 'reason']).execute()) {
        const outcome = reason ?? state
        counts[outcome] = (counts[outcome] ?? 0) + 1
      }
      return counts
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
