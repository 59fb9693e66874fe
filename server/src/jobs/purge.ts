import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Store } from '#store/db.ts'
import { deleteUnusedObjects } from '#store/engine/blobs/delete-objects.ts'
import { deleteCallsBefore } from '#store/calls/roll-up.ts'
import { deleteRateLimits } from '#store/accounts/rate-limits.ts'
import { deleteSourceRows } from '#store/sources/remove-source.ts'
import { findPurge, markPurging, purgeServer } from '#store/servers/servers.ts'
import { listSources } from '#store/sources/sources.ts'
import { TooEarly } from './lease.ts'
import type { Payload } from '#store/jobs/job.ts'

/** Delay before a job that ran too early is retried. */
const WAIT_MS = 1_000

/** Deletes a server for good, in batches, unless it was restored. Throws `TooEarly` during the retention period. */
export async function purge(store: Store, { serverId }: Payload<'purge'>): Promise<void> {
  const now = await store.now()
  const purgeAt = await findPurge(store.read, serverId)
  if (purgeAt === null) return
  if (purgeAt > now) throw new TooEarly(Math.max(purgeAt, store.clock() + WAIT_MS))
  if (!(await markPurging(store.write, serverId, now))) return
  for (const { id } of await listSources(store.read, serverId)) await deleteSourceRows(store, id)
  while ((await deleteCallsBefore(store.write, Number.MAX_SAFE_INTEGER, serverId)) > 0) await nextTurn()
  await store.transaction(async (tx) => {
    await purgeServer(tx, serverId)
    await deleteRateLimits(tx, `mcp:${serverId}:`)
  })
  await deleteUnusedObjects(store)
  await store.scrub()
}
