import { setImmediate as nextTurn } from 'node:timers/promises'
import { foldedUntil } from '#store/calls/fold-citations.ts'
import type { Store } from '#store/db.ts'
import { deleteStrayFeedback } from '#store/calls/read-calls.ts'
import { deleteCallsBefore, recentlyCalledServers, timeBeforeLast } from '#store/calls/roll-up.ts'
import { foldSettledCalls } from './fold-citations.ts'

/** Analytics shows at most one year. The log keeps slightly more. */
const KEPT_MS = 400 * 24 * 60 * 60 * 1000
/** Maximum calls kept per server. It keeps log pages and full reports fast. */
const KEPT_CALLS = 50_000

/** Calls are recorded within seconds, or minutes if the database was away. */
const STRAY_MS = 60 * 60 * 1000

/** Trims the request log to its limits. Counts are stored separately and stay exact. */
export async function pruneCalls(store: Store, now: number, keep = KEPT_CALLS): Promise<void> {
  const { read, write } = store
  await foldSettledCalls(store, now)
  // Citations that no count has yet are kept.
  const until = await foldedUntil(read)
  const deleteAll = async (at: number, serverId?: string) => {
    const before = Math.min(at, until)
    while ((await deleteCallsBefore(write, before, serverId)) > 0);
  }
  await deleteAll(now - KEPT_MS)
  for (const serverId of await recentlyCalledServers(read)) {
    const at = await timeBeforeLast(read, serverId, keep)
    await nextTurn()
    if (at !== null) await deleteAll(at + 1, serverId)
  }
  await deleteStrayFeedback(write, now - STRAY_MS)
}
