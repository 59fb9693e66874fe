import {
  type DeleteResult,
  type Insertable,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  type Selectable,
  type UpdateResult,
  type Updateable,
  sql,
} from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'

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

/** Columns of a table with the values that they must have. Null stands for no value. */
type Key<Table extends keyof Schema> = Partial<Selectable<Schema[Table]>>
type Row<Table extends keyof Schema> = Selectable<Schema[Table]>

/** Kysely cannot infer the columns of a table that is a type parameter. The signatures below check them. */
const anyTable = (db: Db) => db as unknown as Kysely<Record<string, Record<string, unknown>>>

/** The first row with these values. */
export async function findRow<Table extends keyof Schema>(
  db: Db,
  table: Table,
  key: Key<Table>,
): Promise<Row<Table> | undefined> {
  const query = anyTable(db)
    .selectFrom(table as string)
    .selectAll()
  return (await query.where((is) => is.and(key)).executeTakeFirst()) as Row<Table> | undefined
}

/** The rows with these values, by `order` and then by id. */
export async function listRows<Table extends keyof Schema>(
  db: Db,
  table: Table,
  key: Key<Table>,
  [column, direction = 'asc']: readonly [column: keyof Row<Table> & string, direction?: 'asc' | 'desc'],
): Promise<Row<Table>[]> {
  const query = anyTable(db)
    .selectFrom(table as string)
    .selectAll()
  const rows = query
    .where((is) => is.and(key))
    .orderBy(column, direction)
    .orderBy('id')
  return (await rows.execute()) as Row<Table>[]
}

export async function insertRow<Table extends keyof Schema>(
  db: Db,
  table: Table,
  row: Insertable<Schema[Table]>,
): Promise<void> {
  await anyTable(db).insertInto(table).values(row).execute()
}

/** Inserts the row unless it conflicts with another. True if it was inserted: of concurrent callers, one gets true. */
export async function insertNewRow<Table extends keyof Schema>(
  db: Db,
  table: Table,
  row: Insertable<Schema[Table]>,
): Promise<boolean> {
  const insert = anyTable(db).insertInto(table).values(row)
  const { numInsertedOrUpdatedRows } = await insert
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Changes the rows with these values of the key. True if there was one. */
export async function updateRows<Table extends keyof Schema>(
  db: Db,
  table: Table,
  key: Key<Table>,
  values: Updateable<Schema[Table]>,
): Promise<boolean> {
  const update = anyTable(db)
    .updateTable(table as string)
    .set(values)
  return updatesRow(update.where((is) => is.and(key)))
}

/** Deletes the rows with these values. Returns their number. */
export async function deleteRows<Table extends keyof Schema>(db: Db, table: Table, key: Key<Table>): Promise<number> {
  return deletedRows(
    anyTable(db)
      .deleteFrom(table as string)
      .where((is) => is.and(key)),
  )
}

/** Number of rows of a query without columns. */
export async function countRows<Tables extends keyof Schema>(
  query: SelectQueryBuilder<Schema, Tables, object>,
): Promise<number> {
  const { count } = await query.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return count
}
