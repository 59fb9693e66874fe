import type { IngestDeps } from '#indexing/ingest.ts'
import { createOpenCrawls } from '#indexing/open-crawls.ts'
import { createNetClient } from '#net/client.ts'
import { parseNetworks } from '#net/judge-address.ts'
import { createPacer } from '#net/pacing.ts'
import { createRobotsCache } from '#net/robots.ts'
import { PagePool, parseRobotsInChild } from '#readers/page-pool.ts'
import { BuildPool } from '#search/build-pool.ts'
import type { Store } from '#store/db.ts'

/** Dependencies of `ingest`, without a browser and embeddings. They live as long as `stack`. */
export function makeIngestDeps(
  stack: AsyncDisposableStack,
  store: Store,
  readers: IngestDeps['readers'],
): Omit<IngestDeps, 'limitsOf'> {
  const net = stack.use(createNetClient({ allowNetworks: parseNetworks('127.0.0.0/8'), userAgent: 'Docent/test' }))
  const pages = stack.use(new PagePool({ workers: 1 }))
  return {
    store,
    net,
    pacer: stack.use(createPacer()),
    robots: createRobotsCache({ net, userAgent: 'Docent/test', parse: parseRobotsInChild(pages) }),
    pages,
    openCrawls: createOpenCrawls(),
    renderer: null,
    builder: stack.use(new BuildPool()),
    detect: () => Promise.reject(new Error('its type was given')),
    embedder: null,
    readers,
  }
}
