import type { Db } from './db.ts'

/** Clocks of databases are set by seconds all the time; what is written further ahead than this was by a wrong one. */
const AHEAD_MS = 5 * 60_000

/**
 * Takes back what was written by a clock that was ahead, as before it was set right: else jobs would wait, and leases of
 * nodes that are gone hold, until the time that it told has come. `leaseMs`: how long a claim holds without being renewed.
 */
export async function healClock(db: Db, now: number, leaseMs: number): Promise<void> {
  const latest = now + AHEAD_MS
  // What is due later for a reason, as a purge is, is put off again by whoever claims it.
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
