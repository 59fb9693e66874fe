import type { Store } from '#store/db.ts'
import { deleteCallsBefore, serversWithManyCalls, timeBeforeLast } from '#store/prune-calls.ts'

/** The longest range that analytics shows is a year; the log goes back a little further. */
const KEPT_MS = 400 * 24 * 60 * 60 * 1000
/** Calls kept for one server. A page of its log and a report over all of it stay quick. */
const KEPT_CALLS = 50_000

/** Shortens the request log to its bounds. The counts by day and the summary are not made from it and stay exact. */
export async function pruneCalls({ read, write }: Store, now: number, keep = KEPT_CALLS): Promise<void> {
  const deleteAll = async (before: number, serverId?: string) => {
    while ((await deleteCallsBefore(write, before, serverId)) > 0);
  }
  await deleteAll(now - KEPT_MS)
  for (const serverId of await serversWithManyCalls(read, keep)) {
    const at = await timeBeforeLast(read, serverId, keep)
    if (at !== null) await deleteAll(at + 1, serverId)
  }
}
