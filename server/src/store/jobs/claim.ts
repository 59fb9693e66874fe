import { type RawBuilder, sql } from 'kysely'
import type { Db, Store } from '#store/db.ts'
import { isSwitchedOn } from '#store/accounts/accounts.ts'
import { databaseTime } from '#store/rows.ts'
import { type Job, LEASE_MS, type Moment, after } from './job.ts'

/** Accounts with queued jobs, one index seek each (wiki.postgresql.org/wiki/Loose_indexscan). The last is null. */
const WAITING_ACCOUNTS = sql`waiting (account_id) as (
  select min(account_id) from jobs where state = 'queued'
  union all
  select (select min(account_id) from jobs where state = 'queued' and jobs.account_id > waiting.account_id)
  from waiting where account_id is not null)`

/** New turn of an account after a claim. All other accounts with jobs come before its next turn. */
const NEXT_TURN = sql`(select coalesce(max(turn), 0) + 1 from job_turns)`
const NOTE_TURN = sql`on conflict (account_id) do update set turn = excluded.turn`

/** Jobs per account that a claim considers. If more nodes claim in the same instant, the rest find nothing and poll. */
const HEADS = 8

/**
 * Claims the next job that is due by the database's clock, or whose lease has expired. Jobs of dead nodes come first,
 * then accounts take turns, each with its oldest job. Never claims a job the caller already holds (`held`), even with an
 * expired lease (for example after sleep), nor a job of an account at its concurrency limit (`full`).
 */
export async function claim(
  { engine, write }: Store,
  now: Moment = databaseTime(write),
  held: readonly number[] = [],
  full: readonly string[] = [],
): Promise<Job | undefined> {
  const parts: Parts = {
    expired: sql`state = 'running' and lease_until < ${now} and ${isNoneOf('id', held)} and ${isNoneOf('accountId', full)}
      and ${isSwitchedOn('jobs.accountId')}`,
    open: isOpen(full),
    due: sql`state = 'queued' and jobs.account_id = waiting.account_id and run_at <= ${now}`,
    claimed: sql`state = 'running', attempts = attempts + 1, fence = fence + 1,
      lease_until = ${after(now, LEASE_MS)}, updated_at = ${now}`,
  }
  const { rows } = await (engine === 'sqlite' ? claimOnSqlite(parts) : claimOnPostgres(parts, now)).execute(write)
  const [job] = rows
  if (job && engine === 'sqlite')
    await sql`insert into job_turns (account_id, turn) values (${job.accountId}, ${NEXT_TURN}) ${NOTE_TURN}`.execute(
      write,
    )
  return job
}

type Parts = Record<'expired' | 'open' | 'due' | 'claimed', RawBuilder<unknown>>

/** One statement under SQLite's write lock, so two claims never take the same job. */
const claimOnSqlite = ({ expired, open, due, claimed }: Parts) => sql<Job>`
  with recursive ${WAITING_ACCOUNTS}
  update jobs set ${claimed}
  where id = (
    select id from (
      select id, -1 as turn from jobs where ${expired}
      union all
      select (select id from jobs where ${due} order by run_at, id limit 1) as id,
        coalesce((select turn from job_turns where job_turns.account_id = waiting.account_id), 0) as turn
      from waiting where ${open}) as heads
    where id is not null order by turn, id limit 1)
  returning id, kind, payload, attempts, fence, account_id as "accountId"`

/** Concurrent nodes do not wait for each other: if all first jobs are locked, one takes an account's second job. */
const claimOnPostgres = ({ expired, open, due, claimed }: Parts, now: Moment) => sql<Job>`
  with recursive ${WAITING_ACCOUNTS},
  heads as (
    select id, 0 as place, -1 as turn from jobs where ${expired}
    union all
    select head.id, head.place, coalesce(job_turns.turn, 0)
    from waiting
    left join job_turns on job_turns.account_id = waiting.account_id
    cross join lateral (
      select id, row_number() over (order by run_at, id) as place from (
        select id, run_at from jobs where ${due} order by run_at, id limit ${sql.lit(HEADS)}) as first_jobs) as head
    where ${open}),
  picked as (
    select jobs.id from jobs join heads on heads.id = jobs.id
    where jobs.state = 'queued' or (jobs.state = 'running' and jobs.lease_until < ${now})
    order by heads.place, heads.turn, jobs.id limit 1
    for update of jobs skip locked),
  claimed as (
    update jobs set ${claimed} from picked where jobs.id = picked.id
    returning jobs.id, kind, payload, attempts, fence, account_id),
  turned as (insert into job_turns (account_id, turn) select account_id, ${NEXT_TURN} from claimed ${NOTE_TURN})
  select id, kind, payload, attempts, fence, account_id as "accountId" from claimed`

/** True for accounts that have jobs, can start another one, and are not switched off. */
const isOpen = (full: readonly string[]) =>
  sql`waiting.account_id is not null and ${isNoneOf('waiting.accountId', full)} and ${isSwitchedOn('waiting.accountId')}`

function isNoneOf(column: string, values: readonly (string | number)[]): RawBuilder<boolean> {
  return values.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} not in (${sql.join(values)})`
}

/** When the next job is due, or the lease of a running one ends. Null if there is neither. */
export async function nextJobAt(db: Db): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`select min(at) as at from (
    select min(run_at) as at from jobs where state = 'queued'
    union all select min(lease_until) from jobs where state = 'running') as next`.execute(db)
  return rows[0]?.at ?? null
}

/** True if a job is due at `now` for an account not in `full`. */
export async function hasWaitingJobs(db: Db, now: Moment, full: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    with recursive ${WAITING_ACCOUNTS}
    select 1 from waiting
    where ${isOpen(full)} and exists (
      select 1 from jobs
      where state = 'queued' and jobs.account_id = waiting.account_id and run_at <= ${now})
    limit 1`.execute(db)
  return rows.length > 0
}
