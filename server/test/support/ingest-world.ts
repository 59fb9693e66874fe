import { everyReader } from './every-reader.ts'
import { createAccount } from '#auth/accounts.ts'
import type { CrawlLimits, CrawlUsage } from '#crawl/crawl-budget.ts'
import { ingest } from '#indexing/ingest.ts'
import { createOpenCrawls } from '#indexing/open-crawls.ts'
import { PagePool } from '#processes/page-pool.ts'
import { parseRobotsApart } from '#processes/parse-robots-apart.ts'
import type { SourceReader } from '#sources/source-document.ts'
import { GiveUp } from '#jobs/errors.ts'
import { enqueueIngest } from '#jobs/enqueue-ingest.ts'
import { claim, finish } from '#store/jobs/queue.ts'
import { createNetClient } from '#net/client.ts'
import { parseNetworks } from '#net/networks.ts'
import { createPacer } from '#net/pacing.ts'
import { createRobotsCache } from '#net/robots.ts'
import { BuildPool } from '#search/build-pool.ts'
import type { Store } from '#store/db.ts'
import { insertServer } from '#store/servers/servers.ts'
import {
  type SourceRow,
  findSourceById,
  insertSourceRow,
  newSourceRow,
  updateSourceRow,
} from '#store/sources/sources.ts'
import { type Engine, makeStore } from './engines.ts'

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
  const { id: accountId } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
  const times = { createdAt: 1, updatedAt: 1, deletedAt: null, purgeAt: null }
  const server = { id: 'srv_1', accountId, slug: 'a', name: 'A', description: null, visibility: 'public' as const }
  await insertServer(store.write, { ...server, tools: '["search_docs"]', ...times })
  const type = reader ? ('repo' as const) : ('docs' as const)
  const row = newSourceRow({ id: 'src_1', serverId: 'srv_1', url, type, label: null, createdAt: 1 })
  await insertSourceRow(store.write, row)
  const net = stack.use(createNetClient({ allowNetworks: parseNetworks('127.0.0.0/8'), userAgent: 'Docent/test' }))
  const unread: SourceReader = () => {
    throw new Error('the source is a site')
  }
  const one = reader ?? unread
  const pages = stack.use(new PagePool({ workers: 1 }))
  const deps = {
    store,
    net,
    pacer: stack.use(createPacer()),
    robots: createRobotsCache({ net, userAgent: 'Docent/test', parse: parseRobotsApart(pages) }),
    pages,
    openCrawls: createOpenCrawls(),
    renderer: null,
    builder: stack.use(new BuildPool()),
    detect: () => Promise.reject(new Error('its type was given')),
    embedder: null,
    readers: everyReader(one),
  }
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
