import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#store/db.ts'

export type JobKind = keyof typeof jobKinds

/** A claimed job, valid until somebody claims it with a higher fence. */
export type Job = { id: number; kind: JobKind; payload: string; attempts: number; fence: number; accountId: string }

/** Milliseconds since 1970, or a database expression for them. */
export type Moment = number | RawBuilder<number>

/**
 * Claimable jobs at `now`: all due jobs except those the caller holds (`held`), and those of accounts at their
 * concurrency limit (`full`).
 */
export type Wanted = { now: Moment; leaseMs: number; held: readonly number[]; full: readonly string[] }

/** All kinds of background jobs and their payload schemas. */
export const jobKinds = {
  /** Crawls a source and publishes the result. */
  ingest: z.object({ sourceId: z.string() }),
  /** Deletes all data of a server after its retention period. */
  purge: z.object({ serverId: z.string() }),
} as const

export type Payload<K extends JobKind> = z.infer<(typeof jobKinds)[K]>

/**
 * `waiting (account_id)`: accounts with queued jobs, by one index seek per account
 * (https://wiki.postgresql.org/wiki/Loose_indexscan). Its last row is null.
 */
export const WAITING_ACCOUNTS = sql`waiting (account_id) as (
  select min(account_id) from jobs where state = 'queued'
  union all
  select (select min(account_id) from jobs where state = 'queued' and jobs.account_id > waiting.account_id)
  from waiting where account_id is not null)`

/** New turn of an account after a claim. All other accounts with jobs come before its next turn. */
export const NEXT_TURN = sql`(select coalesce(max(turn), 0) + 1 from job_turns)`

/** SQL condition that a column has none of these values. */
export function isNoneOf(column: string, values: readonly (string | number)[]): RawBuilder<boolean> {
  return values.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} not in (${sql.join(values)})`
}

/** True if a job is due at `now` for an account not in `full`. */
export async function hasWaitingJobs(db: Db, now: Moment, full: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    with recursive ${WAITING_ACCOUNTS}
    select 1 from waiting
    where account_id is not null and ${isNoneOf('waiting.account_id', full)} and exists (
      select 1 from jobs
      where state = 'queued' and jobs.account_id = waiting.account_id and run_at <= ${now})
    limit 1`.execute(db)
  return rows.length > 0
}
