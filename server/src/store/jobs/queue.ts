import { type RawBuilder, sql } from 'kysely'
import {
  AHEAD_MS,
  above,
  databaseTime,
  deleteRows,
  hasRow,
  insertNewRow,
  isOneOf,
  isPresent,
  updateRows,
} from '#store/rows.ts'
import type { Db } from '#store/db.ts'
import { type Job, type JobKind, LEASE_MS, type Moment, type Payload, after } from './job.ts'

type About = {
  serverId?: string
  sourceId?: string
  /** At most one waiting or running job per key. A duplicate is not added. */
  dedupeKey?: string
  runAt?: number
}

/** Adds a job in the caller's transaction, so that it commits together with its rows. */
export async function enqueue<K extends JobKind>(tx: Db, kind: K, payload: Payload<K>, about: About = {}) {
  const now = databaseTime(tx)
  const job = { kind, payload: JSON.stringify(payload), accountId: accountOf(kind, about.serverId) }
  const fresh = { state: 'queued', attempts: 0, fence: 0, createdAt: now, updatedAt: now } as const
  return insertNewRow(tx, 'jobs', { runAt: now, ...about, ...job, ...fresh })
}

/** Changes an open job, if it has this payload. */
export const changePayload = (tx: Db, dedupeKey: string, from: Payload<JobKind>, to: Payload<JobKind>) =>
  updateRows(tx, 'jobs', { dedupeKey, payload: JSON.stringify(from) }, { payload: JSON.stringify(to) })

/** Extends the lease. False if another node claimed the job or it was deleted: stop immediately. */
export const renew = (db: Db, { id, fence }: Job, now: Moment = databaseTime(db)): Promise<boolean> =>
  updateRows(db, 'jobs', { id, fence, state: 'running' }, { leaseUntil: after(now, LEASE_MS), updatedAt: now })

export type JobOutcome = { error: string } | 'done'

/** Ends a job. Only failed ones stay, for the operator. False if another node claimed it since, or it was deleted. */
export async function finish(db: Db, { id, fence }: Job, outcome: JobOutcome): Promise<boolean> {
  if (outcome === 'done') return (await deleteRows(db, 'jobs', { id, fence })) > 0
  const failed = { state: 'failed' as const, error: outcome.error, leaseUntil: null, updatedAt: databaseTime(db) }
  return updateRows(db, 'jobs', { id, fence }, failed)
}

export const hasOpenIngests = (db: Db, serverId: string) => hasRow(db, 'jobs', openIngests(serverId))

const openIngests = (serverId: string) => ({ serverId, kind: 'ingest', state: isOneOf(['queued', 'running']) })

const queued = (db: Db) => ({ state: 'queued' as const, leaseUntil: null, updatedAt: databaseTime(db) })

export async function retryLater(db: Db, { id, fence }: Job, runAt: number, error: string | null): Promise<void> {
  await updateRows(db, 'jobs', { id, fence }, { ...queued(db), runAt, error })
}

/** Requeues a job that was too early or interrupted by the database. The attempt does not count. Idempotent. */
export async function putOff(db: Db, { id, fence }: Job, runAt: number): Promise<void> {
  const attempts = sql<number>`attempts - 1`
  await updateRows(db, 'jobs', { id, fence, state: 'running' }, { ...queued(db), runAt, attempts })
}

/** Revokes the running job and requeues it, due when its holder lets go (`letGo`) or must have noticed. */
export async function beginAnew(tx: Db, dedupeKey: string): Promise<void> {
  const now = databaseTime(tx)
  const anew = { attempts: 0, error: null, updatedAt: now }
  await updateRows(tx, 'jobs', { dedupeKey, state: 'queued', error: isPresent }, { ...anew, runAt: now })
  await updateRows(tx, 'jobs', { dedupeKey, state: 'running' }, { ...anew, ...revoked(tx) })
}

const revoked = (db: Db) => ({
  ...queued(db),
  fence: sql<number>`fence + 1`,
  runAt: after(databaseTime(db), LEASE_MS / 2),
})

/** Revokes and requeues the running jobs of an account that is switched off. They wait until it is on again. */
export const pauseJobs = (tx: Db, accountId: string) =>
  updateRows(tx, 'jobs', { accountId, state: 'running' }, { ...revoked(tx), attempts: 0 })

/** Called by the holder of a revoked job after it stopped, so that the job can restart without delay. */
export async function letGo(db: Db, { id, fence }: Job): Promise<void> {
  await updateRows(db, 'jobs', { id, fence: fence + 1, state: 'queued', attempts: 0 }, { runAt: databaseTime(db) })
}

export const cancelQueued = (tx: Db, dedupeKey: string) => deleteRows(tx, 'jobs', { dedupeKey, state: 'queued' })

/** Deletes the waiting and running indexing jobs of a server. A running one finds its job gone and stops. */
export const cancelIngests = (tx: Db, serverId: string) => deleteRows(tx, 'jobs', openIngests(serverId))

/** Requeues all running jobs, which belong to dead processes. Only for the sole process on a database, at its start. */
export const requeueRunning = (db: Db) =>
  updateRows(db, 'jobs', { state: 'running' }, { state: 'queued', leaseUntil: null })

export async function countJobs(db: Db, serverId: string) {
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

/** Deletions belong to the service: an account with many would wait for them, and delay others. */
function accountOf(kind: JobKind, serverId: string | undefined): RawBuilder<string> {
  if (kind === 'purge' || serverId === undefined) return sql<string>`''`
  return sql<string>`coalesce((select account_id from servers where id = ${serverId}), '')`
}

/** Repairs times of a clock that was ahead, until which jobs would wait and leases of dead nodes hold. */
export async function healClock(db: Db, now: number): Promise<void> {
  const latest = now + AHEAD_MS
  // A job that is due later for a reason, such as a purge, is postponed again by the worker that claims it.
  const ahead = above(latest)
  await updateRows(db, 'jobs', { state: 'queued', updatedAt: ahead }, { runAt: now, updatedAt: now })
  const expiring = { leaseUntil: now + LEASE_MS, updatedAt: now }
  await updateRows(db, 'jobs', { state: 'running', leaseUntil: above(latest + LEASE_MS) }, expiring)
  await deleteRows(db, 'hostShares', { until: ahead })
  await deleteRows(db, 'hostSlots', { nextAt: above(now + 12 * AHEAD_MS) })
}
