import { countPrivateSources } from '#store/credentials.ts'
import { type Purged, removeSource as removeRows } from '#store/remove-source.ts'
import { type SourceRow, listSources } from '#store/sources.ts'
import { updateServer } from '#store/servers.ts'
import type { Handler } from '../operation.ts'

const NOTHING: Purged = { chunks: 0, crawlUrls: 0, indexJobs: 0, callCitations: 0 }

export const removeSource: Handler<'sources.remove'> = async ({ deps, server }, { sourceId, url }) => {
  const href = url === undefined ? undefined : (deps.parseAddress(url)?.href ?? url)
  const isMeant = (source: SourceRow) =>
    (sourceId === undefined || source.id === sourceId) && (href === undefined || source.url === href)
  await deps.flushCalls()
  return deps.store.transaction(async (tx) => {
    // Held from here: a removal of the same source at the same moment finds nothing left to count.
    await updateServer(tx, server.id, { updatedAt: deps.clock() })
    const sources = await listSources(tx, server.id)
    const source = sources.find(isMeant)
    const purged = source ? await removeRows(tx, source.id) : NOTHING
    const remainingPrivateSources = await countPrivateSources(tx, server.id)
    return { ok: true as const, removed: source ? 1 : 0, purged, remainingPrivateSources }
  })
}
