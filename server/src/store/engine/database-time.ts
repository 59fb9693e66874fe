import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { runsOnPostgres } from './engine-of.ts'

/**
 * The database's clock inside a statement, in milliseconds since 1970, for deadlines that all nodes share. SQLite runs
 * in this process and uses its clock. On PostgreSQL it is a subquery, evaluated once per statement, so that an index
 * can be used.
 */
export function databaseTime(db: Db): RawBuilder<number> {
  return runsOnPostgres(db)
    ? sql<number>`(select floor(extract(epoch from clock_timestamp()) * 1000)::bigint)`
    : sql<number>`cast(${Date.now()} as bigint)`
}
