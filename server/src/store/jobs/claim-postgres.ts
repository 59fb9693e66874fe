import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { type Job, type Wanted, NEXT_TURN, WAITING_ACCOUNTS, isNoneOf } from './job.ts'

/** Jobs per account that a claim considers. If more nodes claim in the same instant, the rest find nothing and poll. */
const HEADS = 8

/**
 * `skip locked`: concurrent nodes take different jobs without waiting for each other. Jobs of dead nodes come first,
 * then the first job of the account with the oldest turn. A second job of an account is taken if other nodes have
 * locked the first job of each.
 */
export async function claimFromPostgres(db: Db, { now, leaseMs, held, full }: Wanted): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    with recursive ${WAITING_ACCOUNTS},
    heads as (
      select id, 0 as place, -1 as turn from jobs
      where state = 'running' and lease_until < ${now}
        and ${isNoneOf('id', held)} and ${isNoneOf('accountId', full)}
      union all
      select head.id, head.place, coalesce(job_turns.turn, 0)
      from waiting
      left join job_turns on job_turns.account_id = waiting.account_id
      cross join lateral (
        select id, row_number() over (order by run_at, id) as place from (
          select id, run_at from jobs
          where state = 'queued' and jobs.account_id = waiting.account_id and run_at <= ${now}
          order by run_at, id limit ${sql.lit(HEADS)}) as first_jobs) as head
      where waiting.account_id is not null and ${isNoneOf('waiting.accountId', full)}),
    picked as (
      select jobs.id from jobs join heads on heads.id = jobs.id
      where jobs.state = 'queued' or (jobs.state = 'running' and jobs.lease_until < ${now})
      order by heads.place, heads.turn, jobs.id limit 1
      for update of jobs skip locked),
    claimed as (
      update jobs set state = 'running', attempts = attempts + 1, fence = fence + 1,
        lease_until = cast(${now} as bigint) + ${sql.lit(leaseMs)}, updated_at = ${now}
      from picked where jobs.id = picked.id
      returning jobs.id, kind, payload, attempts, fence, account_id),
    turned as (
      insert into job_turns (account_id, turn) select account_id, ${NEXT_TURN} from claimed
      on conflict (account_id) do update set turn = excluded.turn)
    select id, kind, payload, attempts, fence, account_id as "accountId" from claimed`.execute(db)
  return rows[0]
}
