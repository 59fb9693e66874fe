import { type RawBuilder, sql } from 'kysely'
import { databaseTime } from '#store/database-time.ts'
import type { Db, Store } from '#store/db.ts'
import { claimFromPostgres } from './claim-postgres.ts'
import { claimFromSqlite } from './claim-sqlite.ts'
import type { Job, Moment } from './job.ts'
import type { JobKind, Payload } from './kinds.ts'

/** How long a claim holds without being renewed. A node that dies holds its jobs up for this long at most. */
export const LEASE_MS = 30_000

/** What is put on the queue beside its kind and payload. */
type About = {
  serverId?: string
  sourceId?: string
  /** At most one waiting or running job for each key; a second one is not added. */
  dedupeKey?: string
  runAt?: number
}

/** Adds a job in the caller's transaction, so that it exists if and only if the rows it is about do. */
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
 * Takes the next job that is due by the database's clock, or one whose lease has run out: accounts take turns, and each
 * gives its oldest job. What the caller has in hand itself (`held`) it never takes from itself, however late it is with
 * its lease, as after the machine has slept; nor anything of accounts that are `full`.
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

/** Extends the lease. False when the job has been claimed by another or deleted: stop at once. */
export async function renew(db: Db, { id, fence }: Job, now: Moment = databaseTime(db)): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('jobs')
    .set({ leaseUntil: after(now, LEASE_MS), updatedAt: now })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends a job. Done ones are deleted; failed ones stay for the operator to see. */
export async function finish(db: Db, { id, fence }: Job, outcome: { error: string } | 'done'): Promise<void> {
  if (outcome === 'done') {
    await db.deleteFrom('jobs').where('id', '=', id).where('fence', '=', fence).execute()
    return
  }
  await db
    .updateTable('jobs')
    .set({ state: 'failed', error: outcome.error, leaseUntil: null, updatedAt: databaseTime(db) })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .execute()
}

/** Puts a job back, to be tried again at `runAt`. */
export async function retryLater(db: Db, { id, fence }: Job, runAt: number, error: string | null): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ state: 'queued', runAt, error, leaseUntil: null, updatedAt: databaseTime(db) })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .execute()
}

/** Puts a job back that came too early, or that the database broke off; the try does not count. */
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
    // Once, also where the answer to the first time was lost.
    .where('state', '=', 'running')
    .execute()
}

/**
 * Takes the running job with this key from whoever has it and puts it back, to be done again from its beginning. It is
 * due once its holder has let go of it (`letGo`), or must have found out, which is when it next renews its lease. One
 * that waits to be tried again is due at once.
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

/** Called by a holder whose job was taken to begin anew, and who has stopped: nobody need wait for it any longer. */
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

/** Deletes the waiting job with this key, if there is one. */
export async function cancelQueued(tx: Db, dedupeKey: string): Promise<void> {
  await tx.deleteFrom('jobs').where('dedupeKey', '=', dedupeKey).where('state', '=', 'queued').execute()
}

/** Deletes a server's waiting and running indexing. What runs finds its job gone and stops. */
export async function cancelIngests(tx: Db, serverId: string): Promise<void> {
  await tx
    .deleteFrom('jobs')
    .where('serverId', '=', serverId)
    .where('kind', '=', 'ingest')
    .where('state', 'in', ['queued', 'running'])
    .execute()
}

/**
 * Puts every running job back at once. Only for a process that knows itself to be the only one on its database, at its
 * start: whatever is running then belongs to a process that has died.
 */
export async function requeueRunning(db: Db): Promise<void> {
  await db.updateTable('jobs').set({ state: 'queued', leaseUntil: null }).where('state', '=', 'running').execute()
}

/** How many jobs of a server are in which state. */
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

/** Deleting is the service's own work: whoever deletes much must not be the one to wait for it, nor keep others waiting. */
function accountOf(kind: JobKind, serverId: string | undefined): RawBuilder<string> {
  if (kind === 'purge' || serverId === undefined) return sql<string>`''`
  return sql<string>`coalesce((select account_id from servers where id = ${serverId}), '')`
}

const after = (now: Moment, ms: number): RawBuilder<number> => sql<number>`cast(${now} as bigint) + ${sql.lit(ms)}`
