import { addressKey } from '#lib/addresses/page-address.ts'
import { countPrivateSources } from '#store/accounts/secrets.ts'
import { type Purged, deleteSourceRows } from '#store/sources/remove-source.ts'
import { updateServerRow } from '#store/servers/servers.ts'
import { listSources } from '#store/sources/sources.ts'
import type { Handler } from '../operation.ts'

const NOTHING: Purged = { chunks: 0, crawlUrls: 0, indexJobs: 0, callCitations: 0 }

export const removeSource: Handler<'sources.remove'> = async ({ deps, server }, { sourceId, url }) => {
  const { store } = deps
  const read = url === undefined ? null : deps.readAddress(url)
  const href = read !== null && 'address' in read ? read.address.href : url
  const meant = (await listSources(store.read, server.id)).filter(
    (source) =>
      (sourceId === undefined || source.id === sourceId) &&
      (href === undefined || addressKey(source.url) === addressKey(href)),
  )
  // Older servers can still have both forms of an address.
  const source = meant.find((each) => each.url === href) ?? meant[0]
  // Otherwise calls that were just answered would be written after their citations were counted.
  await deps.flushCalls()
  const purged = source ? await deleteSourceRows(store, source.id) : null
  if (purged) await updateServerRow(store.write, server.id, { updatedAt: deps.clock() })
  const remainingPrivateSources = await countPrivateSources(store.read, server.id)
  return { ok: true, removed: purged ? 1 : 0, purged: purged ?? NOTHING, remainingPrivateSources }
}
