import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Job } from './job.ts'

/** One statement under SQLite's write lock: no two claims can take the same job. */
export async function claimFromSqlite(db: Db, now: number, leaseMs: number): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    update jobs set state = 'running', attempts = attempts + 1, fence = fence + 1, lease_until = ${now + leaseMs},
      updated_at = ${now}
    where id = (
      select id from jobs
      where (state = 'queued' and run_at <= ${now}) or (state = 'running' and lease_until < ${now})
      order by run_at, id limit 1)
    returning id, kind, payload, attempts, fence`.execute(db)
  return rows[0]
}
