import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Moment } from './job.ts'

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
