import { PostgresAdapter } from 'kysely'
import type { Db } from '#store/db.ts'

/** For statements that the engines write differently. */
export function runsOnPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
