import { PostgresAdapter, type RawBuilder, sql, type DeleteResult, type UpdateResult } from 'kysely'
import type { Db } from '#store/db.ts'

/** For statements that the engines write differently. */
export function runsOnPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

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

type Executable<Result> = { executeTakeFirst: () => Promise<Result> }

/** Runs the update. True if a row met its conditions. */
export async function updatesRow(query: Executable<UpdateResult>): Promise<boolean> {
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

/** Runs the deletion. The number of rows that met its conditions. */
export async function deletedRows(query: Executable<DeleteResult>): Promise<number> {
  return Number((await query.executeTakeFirst()).numDeletedRows)
}

/** Runs the deletion. True if a row met its conditions. */
export async function deletesRow(query: Executable<DeleteResult>): Promise<boolean> {
  return (await deletedRows(query)) > 0
}
