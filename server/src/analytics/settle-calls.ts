import { setImmediate as nextTurn } from 'node:timers/promises'
import { foldCitations, foldedUntil } from '#store/calls/fold-citations.ts'
import type { Store } from '#store/db.ts'
import {
  daysWithHours,
  moveHours,
  deleteCallsBefore,
  recentlyCalledServers,
  timeBeforeLast,
} from '#store/calls/roll-up.ts'
import { deleteStrayFeedback } from '#store/calls/read-calls.ts'

/** Calls are counted by page only when all calls of their time are written, or will be recognized as late. */
const SETTLED_MS = 10 * 60 * 1000

/** Calls that are written after this time count as late. No transaction takes as long as the difference. */
export const LATE_CALL_MS = SETTLED_MS / 2

/** Counts the citations of settled calls by page and day. A report reads the rest from the log. */
export async function foldSettledCalls(store: Store, now: number): Promise<void> {
  while (await store.transaction((tx) => foldCitations(tx, now - SETTLED_MS))) await nextTurn()
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Whole days that keep their counts by hour: a report of seven days begins within one. */
const KEPT_DAYS = 8

/** Joins the counts by hour of earlier days, so that a year stays fast to read. */
export async function rollUpDays(store: Store, now: number): Promise<void> {
  const before = Math.floor(now / DAY_MS) - KEPT_DAYS
  for (let days = await daysWithHours(store.read, before); days.length > 0;) {
    for (const day of days) {
      await store.transaction((tx) => moveHours(tx, day))
      await nextTurn()
    }
    days = await daysWithHours(store.read, before)
  }
}

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
