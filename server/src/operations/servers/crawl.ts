import { DocentError } from '#errors.ts'
import { enqueueIngest } from '#jobs/enqueue-ingest.ts'
import type { ServerRow } from '#store/servers.ts'
import { findSource, listSources } from '#store/sources.ts'
import type { Handler, OperationDeps } from '../operation.ts'
import { readProgress } from './progress.ts'

/** Refresh with the server in the body. */
export const crawlServer: Handler<'servers.crawl'> = async ({ deps, server }, { sourceId }) =>
  refresh(deps, server, sourceId)

/** Refresh with the server in the path. */
export const crawlOneServer: Handler<'servers.crawlOne'> = async ({ deps, server }, { sourceId }) =>
  refresh(deps, server, sourceId)

async function refresh(deps: OperationDeps, server: ServerRow, sourceId: string | undefined) {
  const { store } = deps
  const sources = sourceId
    ? [await findSource(store.read, server.id, sourceId)]
    : await listSources(store.read, server.id)
  let queued = 0
  await store.transaction(async (tx) => {
    for (const source of sources) {
      if (!source) throw new DocentError('source_not_found')
      await enqueueIngest(tx, source)
      queued += 1
    }
  })
  deps.wakeWorker()
  return { started: true as const, queued, ...(await readProgress(deps, server.id)) }
}
