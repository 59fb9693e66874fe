import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Job, Wanted } from './job.ts'

/** One statement under SQLite's write lock: no two claims can take the same job. */
export async function claimFromSqlite(db: Db, { now, leaseMs, held }: Wanted): Promise<Job | undefined> {
  const isFree = held.length === 0 ? sql`true` : sql`id not in (${sql.join(held)})`
  const { rows } = await sql<Job>`
    update jobs set state = 'running', attempts = attempts + 1, fence = fence + 1,
      lease_until = cast(${now} as bigint) + ${sql.lit(leaseMs)}, updated_at = ${now}
    where id = (
      select id from jobs
      where (state = 'queued' and run_at <= ${now}) or (state = 'running' and lease_until < ${now} and ${isFree})
      order by run_at, id limit 1)
    returning id, kind, payload, attempts, fence`.execute(db)
  return rows[0]
}
