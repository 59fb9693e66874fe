import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { type Job, type Wanted, NEXT_TURN, WAITING_ACCOUNTS, isNoneOf } from './job.ts'

/**
 * One statement under SQLite's write lock, so two claims never take the same job. Jobs of dead workers come first, then
 * the first job of the account with the oldest turn.
 */
export async function claimFromSqlite(db: Db, { now, leaseMs, held, full }: Wanted): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    with recursive ${WAITING_ACCOUNTS}
    update jobs set state = 'running', attempts = attempts + 1, fence = fence + 1,
      lease_until = cast(${now} as bigint) + ${sql.lit(leaseMs)}, updated_at = ${now}
    where id = (
      select id from (
        select id, -1 as turn from jobs
        where state = 'running' and lease_until < ${now}
          and ${isNoneOf('id', held)} and ${isNoneOf('accountId', full)}
        union all
        select (
            select id from jobs
            where state = 'queued' and jobs.account_id = waiting.account_id and run_at <= ${now}
            order by run_at, id limit 1) as id,
          coalesce((select turn from job_turns where job_turns.account_id = waiting.account_id), 0) as turn
        from waiting where account_id is not null and ${isNoneOf('waiting.accountId', full)}) as heads
      where id is not null order by turn, id limit 1)
    returning id, kind, payload, attempts, fence, account_id as "accountId"`.execute(db)
  const [job] = rows
  if (job) await noteTurn(db, job.accountId)
  return job
}

async function noteTurn(db: Db, accountId: string): Promise<void> {
  await sql`
    insert into job_turns (account_id, turn) values (${accountId}, ${NEXT_TURN})
    on conflict (account_id) do update set turn = excluded.turn`.execute(db)
}
