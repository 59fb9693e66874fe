import {
  type DeleteResult,
  type ExpressionBuilder,
  type InsertObject,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  type Selectable,
  sql,
} from 'kysely'
import { foldCase } from '#lib/text/fold-case.ts'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'

/** For statements that the engines write differently. */
export function runsOnPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** Database clocks are often corrected by seconds. Times further ahead were written by a wrong clock. */
export const AHEAD_MS = 5 * 60_000

/** The database's clock in a statement. On PostgreSQL a subquery, evaluated once, so that an index can be used. */
export function databaseTime(db: Db): RawBuilder<number> {
  return runsOnPostgres(db)
    ? sql<number>`(select floor(extract(epoch from clock_timestamp()) * 1000)::bigint)`
    : sql<number>`cast(${Date.now()} as bigint)`
}

/** Runs the deletion. The number of rows that met its conditions. */
export async function deletedRows(query: { executeTakeFirst: () => Promise<DeleteResult> }): Promise<number> {
  return Number((await query.executeTakeFirst()).numDeletedRows)
}

type Table = keyof Schema
type Row<T extends Table> = Selectable<Schema[T]>

/** A condition on a column other than equality. */
type Condition = (column: string) => RawBuilder<boolean>
type Bound = number | RawBuilder<number>

function compare(operator: '>' | '<' | '<=' | '!=' | 'in', value: unknown): Condition {
  return (column) => sql<boolean>`${sql.ref(column)} ${sql.raw(operator)} ${value}`
}

export const above = (bound: Bound): Condition => compare('>', bound)
export const below = (bound: Bound): Condition => compare('<', bound)
export const atMost = (bound: Bound): Condition => compare('<=', bound)
export const isNot = (value: string | number): Condition => compare('!=', value)
export const isPresent: Condition = (column) => sql<boolean>`${sql.ref(column)} is not null`
/** The list must not be empty. */
export const isOneOf = (values: readonly (string | number)[]): Condition => compare('in', sql`(${sql.join(values)})`)

/** Words of a search: each is a condition. */
const MOST_WORDS = 10

export const wordsOf = (search = ''): string[] => search.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)

/** Condition: one of the columns contains the words, in any case and with or without accents. */
export function containsText(db: Db, columns: readonly string[], words: string): RawBuilder<boolean> {
  const pattern = `%${foldCase(words).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const each = columns.map((column) => {
    const text = sql.ref(column)
    const plain = sql`lower(regexp_replace(normalize(${text}, NFD), '[\u0300-\u036f]', '', 'g'))`
    return sql`${runsOnPostgres(db) ? plain : sql`fold_case(${text})`} like ${pattern} escape '\\'`
  })
  return sql<boolean>`(${sql.join(each, sql` or `)})`
}

/** Columns of a table with the values that they must have, or other conditions. Null stands for no value. */
type Key<T extends Table> = { readonly [Column in keyof Row<T>]?: Row<T>[Column] | Condition }
type Values<T extends Table> = {
  readonly [Column in keyof Row<T>]?: Row<T>[Column] | RawBuilder<NonNullable<Row<T>[Column]>>
}

/** Kysely cannot infer the columns of a table that is a type parameter. The signatures below check them. */
type AnyTables = Record<string, Record<string, unknown>>
const anyTable = (db: Db) => db as unknown as Kysely<AnyTables>

const matching = (key: object) => (is: ExpressionBuilder<AnyTables, string>) =>
  is.and(
    Object.entries(key).map(([column, wanted]: [string, unknown]) =>
      typeof wanted === 'function' ? (wanted as Condition)(column) : is(column, wanted === null ? 'is' : '=', wanted),
    ),
  )

const select = (db: Db, table: string, key: object) => anyTable(db).selectFrom(table).where(matching(key))
const update = (db: Db, table: string, key: object, values: object) =>
  anyTable(db).updateTable(table).set(values).where(matching(key))

/** The first row with these values. */
export async function findRow<T extends Table>(db: Db, table: T, key: Key<T>): Promise<Row<T> | undefined> {
  return (await select(db, table, key).selectAll().executeTakeFirst()) as Row<T> | undefined
}

/** True if there is a row with these values. */
export async function hasRow<T extends Table>(db: Db, table: T, key: Key<T>): Promise<boolean> {
  const one = select(db, table, key).select(sql`1`.as('one'))
  return (await one.limit(1).executeTakeFirst()) !== undefined
}

/** The rows with these values, by `order` and then by id. */
export async function listRows<T extends Table>(
  db: Db,
  table: T,
  key: Key<T>,
  [column, direction = 'asc']: readonly [column: keyof Row<T> & string, direction?: 'asc' | 'desc'],
): Promise<Row<T>[]> {
  return (await select(db, table, key).selectAll().orderBy(column, direction).orderBy('id').execute()) as Row<T>[]
}

export async function insertRow<T extends Table>(db: Db, table: T, row: InsertObject<Schema, T>): Promise<void> {
  await anyTable(db).insertInto(table).values(row).execute()
}

/** Inserts the row unless it conflicts with another. True if it was inserted: of concurrent callers, one gets true. */
export async function insertNewRow<T extends Table>(db: Db, table: T, row: InsertObject<Schema, T>): Promise<boolean> {
  const insert = anyTable(db).insertInto(table).values(row)
  const { numInsertedOrUpdatedRows: inserted } = await insert
    .onConflict((at) => at.doNothing())
    .executeTakeFirstOrThrow()
  return (inserted ?? 0n) > 0n
}

/** Inserts the row, or replaces the one with the same values in the columns of `key`, which must be unique. */
export async function saveRow<T extends Table>(
  db: Db,
  table: T,
  key: readonly (keyof Row<T> & string)[],
  row: InsertObject<Schema, T>,
): Promise<void> {
  const others = Object.entries(row).filter(([column]) => !(key as readonly string[]).includes(column))
  const insert = anyTable(db).insertInto<string>(table).values(row)
  await insert.onConflict((conflict) => conflict.columns([...key]).doUpdateSet(Object.fromEntries(others))).execute()
}

/** Changes the rows with these values of the key. True if there was one. */
export async function updateRows<T extends Table>(db: Db, table: T, key: Key<T>, values: Values<T>): Promise<boolean> {
  return (await update(db, table, key, values).executeTakeFirst()).numUpdatedRows > 0n
}

/** Changes the row with these values of the key and returns it. Undefined if there is none. */
export async function changeRow<T extends Table>(db: Db, table: T, key: Key<T>, values: Values<T>) {
  return (await update(db, table, key, values).returningAll().executeTakeFirst()) as Row<T> | undefined
}

/** Deletes the rows with these values. Returns their number. */
export const deleteRows = <T extends Table>(db: Db, table: T, key: Key<T>): Promise<number> =>
  deletedRows(anyTable(db).deleteFrom<string>(table).where(matching(key)))

/** Deletes the rows with these values, and returns them. */
export async function takeRows<T extends Table>(db: Db, table: T, key: Key<T>): Promise<Row<T>[]> {
  return (await anyTable(db).deleteFrom<string>(table).where(matching(key)).returningAll().execute()) as Row<T>[]
}

/** Deletes up to `limit` of the rows with these values, which the column tells apart. Returns their number. */
export function deleteSomeRows<T extends Table>(
  db: Db,
  table: T,
  key: Key<T>,
  [column, limit]: readonly [column: string & keyof Row<T>, limit: number],
): Promise<number> {
  const some = select(db, table, key).select<string>(column).limit(limit)
  const isSome = (name: string) => sql<boolean>`${sql.ref(name)} in (${some})`
  return deleteRows(db, table, { ...key, [column]: isSome })
}

/** For a conflict: the stored values of these columns plus the inserted ones. */
export const sumsOf = <Column extends string>(table: string, ...columns: readonly Column[]) =>
  Object.fromEntries(
    columns.map((column) => [column, sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`]),
  ) as Record<Column, RawBuilder<number>>

/** For a conflict: the later one of the stored and the inserted time. */
export const laterOf = (table: string, column: string) => {
  const [stored, inserted] = [sql.ref(`${table}.${column}`), sql.ref(`excluded.${column}`)]
  return sql<number>`case when ${stored} > ${inserted} then ${stored} else ${inserted} end`
}

/** A part of a list: at most `limit` rows after the first `offset`. */
export type ListPart = { limit: number; offset: number }

/** Number of rows of a query without columns. */
export async function countRows<T extends Table>(query: SelectQueryBuilder<Schema, T, object>): Promise<number> {
  const { count } = await query.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return count
}
