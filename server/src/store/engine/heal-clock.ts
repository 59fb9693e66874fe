import type { Db } from '#store/db.ts'

/** Database clocks are often corrected by seconds. Times further ahead were written by a wrong clock. */
const AHEAD_MS = 5 * 60_000

/**
 * Repairs times written by a clock that was ahead. Otherwise jobs would wait, and leases of dead nodes hold, until
 * those times. `leaseMs` is the lease duration without renewal.
 */
export async function healClock(db: Db, now: number, leaseMs: number): Promise<void> {
  const latest = now + AHEAD_MS
  // A job that is due later for a reason, such as a purge, is postponed again by the worker that claims it.
  await db
    .updateTable('jobs')
    .set({ runAt: now, updatedAt: now })
    .where('state', '=', 'queued')
    .where('updatedAt', '>', latest)
    .execute()
  await db
    .updateTable('jobs')
    .set({ leaseUntil: now + leaseMs, updatedAt: now })
    .where('state', '=', 'running')
    .where('leaseUntil', '>', latest + leaseMs)
    .execute()
  await db.deleteFrom('hostShares').where('until', '>', latest).execute()
  await db
    .deleteFrom('hostSlots')
    .where('nextAt', '>', now + 12 * AHEAD_MS)
    .execute()
}
