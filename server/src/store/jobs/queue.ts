import { type RawBuilder, sql } from 'kysely'
import { databaseTime, deleteRows, updateRows, updatesRow } from '#store/engine/statements.ts'
import type { Db, Store } from '#store/db.ts'
import { claimFromPostgres } from './claim-postgres.ts'
import { claimFromSqlite } from './claim-sqlite.ts'
import type { Job, Moment, JobKind, Payload } from './job.ts'

/** Lease duration without renewal. A dead node delays its jobs by at most this time. */
export const LEASE_MS = 30_000

/** Attributes of a queued job besides kind and payload. */
type About = {
  serverId?: string
  sourceId?: string
  /** At most one waiting or running job per key. A duplicate is not added. */
  dedupeKey?: string
  runAt?: number
}

/** Adds a job in the caller's transaction, so that it commits together with its rows. */
export async function enqueue<K extends JobKind>(
  tx: Db,
  kind: K,
  payload: Payload<K>,
  { serverId, sourceId, dedupeKey, runAt }: About = {},
): Promise<boolean> {
  const now = databaseTime(tx)
  const added = await tx
    .insertInto('jobs')
    .values({
      kind,
      payload: JSON.stringify(payload),
      dedupeKey: dedupeKey ?? null,
      accountId: accountOf(kind, serverId),
      serverId: serverId ?? null,
      sourceId: sourceId ?? null,
      state: 'queued',
      attempts: 0,
      runAt: runAt ?? now,
      fence: 0,
      leaseUntil: null,
      error: null,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

/**
 * Claims the next job that is due by the database's clock, or whose lease has expired. Accounts take turns, each with
 * its oldest job. Never claims a job the caller already holds (`held`), even with an expired lease (for example after
 * sleep), nor a job of an account in `full`.
 */
export async function claim(
  store: Store,
  now: Moment = databaseTime(store.write),
  held: readonly number[] = [],
  full: readonly string[] = [],
): Promise<Job | undefined> {
  const wanted = { now, leaseMs: LEASE_MS, held, full }
  return store.engine === 'sqlite' ? claimFromSqlite(store.write, wanted) : claimFromPostgres(store.write, wanted)
}

/** Extends the lease. False if another node claimed the job or it was deleted: stop immediately. */
export async function renew(db: Db, { id, fence }: Job, now: Moment = databaseTime(db)): Promise<boolean> {
  return updatesRow(
    db
      .updateTable('jobs')
      .set({ leaseUntil: after(now, LEASE_MS), updatedAt: now })
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('state', '=', 'running'),
  )
}

export type JobOutcome = { error: string } | 'done'

/**
 * Ends a job. Successful jobs are deleted. Failed ones remain visible to the operator. False if another node has
 * claimed the job since, or it was deleted.
 */
export async function finish(db: Db, { id, fence }: Job, outcome: JobOutcome): Promise<boolean> {
  if (outcome === 'done') return (await deleteRows(db, 'jobs', { id, fence })) > 0
  return updatesRow(
    db
      .updateTable('jobs')
      .set({ state: 'failed', error: outcome.error, leaseUntil: null, updatedAt: databaseTime(db) })
      .where('id', '=', id)
      .where('fence', '=', fence),
  )
}

/** True if an indexing job of the server waits or runs. */
export async function hasOpenIngests(db: Db, serverId: string): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('serverId', '=', serverId)
    .where('kind', '=', 'ingest')
    .where('state', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Requeues a job for another attempt at `runAt`. */
export async function retryLater(db: Db, { id, fence }: Job, runAt: number, error: string | null): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ state: 'queued', runAt, error, leaseUntil: null, updatedAt: databaseTime(db) })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .execute()
}

/** Requeues a job that was too early or interrupted by the database. The attempt does not count. */
export async function putOff(db: Db, { id, fence }: Job, runAt: number): Promise<void> {
  await db
    .updateTable('jobs')
    .set((is) => ({
      state: 'queued',
      runAt,
      leaseUntil: null,
      attempts: is('attempts', '-', 1),
      updatedAt: databaseTime(db),
    }))
    .where('id', '=', id)
    .where('fence', '=', fence)
    // Idempotent if the answer to the first update was lost.
    .where('state', '=', 'running')
    .execute()
}

/**
 * Revokes the running job with this key and requeues it from the beginning. It is due when its holder releases it
 * (`letGo`), or when the holder must have noticed at its next renewal. A job that waits for a retry is due immediately.
 */
export async function beginAnew(tx: Db, dedupeKey: string): Promise<void> {
  const now = databaseTime(tx)
  await tx
    .updateTable('jobs')
    .set({ attempts: 0, runAt: now, error: null, updatedAt: now })
    .where('dedupeKey', '=', dedupeKey)
    .where('state', '=', 'queued')
    .where('error', 'is not', null)
    .execute()
  await tx
    .updateTable('jobs')
    .set((is) => ({
      state: 'queued',
      attempts: 0,
      fence: is('fence', '+', 1),
      leaseUntil: null,
      runAt: after(now, LEASE_MS / 2),
      error: null,
      updatedAt: now,
    }))
    .where('dedupeKey', '=', dedupeKey)
    .where('state', '=', 'running')
    .execute()
}

/** Called by the holder of a revoked job after it stopped, so that the job can restart without delay. */
export async function letGo(db: Db, { id, fence }: Job): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ runAt: databaseTime(db) })
    .where('id', '=', id)
    .where('fence', '=', fence + 1)
    .where('state', '=', 'queued')
    .where('attempts', '=', 0)
    .execute()
}

/** Deletes the waiting job with this key, if any. */
export async function cancelQueued(tx: Db, dedupeKey: string): Promise<void> {
  await deleteRows(tx, 'jobs', { dedupeKey, state: 'queued' })
}

/** Deletes the waiting and running indexing jobs of a server. A running one finds its job gone and stops. */
export async function cancelIngests(tx: Db, serverId: string): Promise<void> {
  await tx
    .deleteFrom('jobs')
    .where('serverId', '=', serverId)
    .where('kind', '=', 'ingest')
    .where('state', 'in', ['queued', 'running'])
    .execute()
}

/**
 * Requeues all running jobs immediately. Only for the sole process on a database, at its start: any running job belongs
 * to a dead process.
 */
export async function requeueRunning(db: Db): Promise<void> {
  await updateRows(db, 'jobs', { state: 'running' }, { state: 'queued', leaseUntil: null })
}

/** Counts the jobs of a server by state. */
export async function countJobs(
  db: Db,
  serverId: string,
): Promise<{ queued: number; running: number; failed: number }> {
  const rows = await db
    .selectFrom('jobs')
    .select(['state', sql<number>`count(*)`.as('jobs')])
    .where('serverId', '=', serverId)
    .groupBy('state')
    .execute()
  const counts = { queued: 0, running: 0, failed: 0 }
  for (const { state, jobs } of rows) if (state !== 'done') counts[state] = jobs
  return counts
}

/**
 * Deletions belong to the service, not the account. Otherwise an account with many deletions would wait for them, and
 * delay others.
 */
function accountOf(kind: JobKind, serverId: string | undefined): RawBuilder<string> {
  if (kind === 'purge' || serverId === undefined) return sql<string>`''`
  return sql<string>`coalesce((select account_id from servers where id = ${serverId}), '')`
}

const after = (now: Moment, ms: number): RawBuilder<number> => sql<number>`cast(${now} as bigint) + ${sql.lit(ms)}`

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
