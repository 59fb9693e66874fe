import type { Insertable, InsertQueryBuilder, InsertResult } from 'kysely'
import type { Db } from './db.ts'
import { prepared } from './prepared.ts'
import type { Schema } from './schema.ts'

/**
 * Rows in one statement. With few sizes every statement is compiled once and found again among the prepared ones;
 * building one for each number of rows took more time than the database needs to insert them.
 */
const SIZES = [64, 16, 4, 1]

type Insert<Table extends keyof Schema> = InsertQueryBuilder<Schema, Table, InsertResult>

/**
 * Inserts rows with just these columns, for tables that are written to all the time. `settle` says what becomes of rows
 * that are there already; a key may stand only once among the rows of a call.
 */
export function insertMany<Table extends keyof Schema, Column extends keyof Insertable<Schema[Table]> & string>(
  table: Table,
  columns: readonly Column[],
  settle: (insert: Insert<Table>) => Insert<Table> = (insert) => insert,
): (tx: Db, rows: readonly Pick<Insertable<Schema[Table]>, Column>[]) => Promise<void> {
  const statements = SIZES.map((size) => ({ size, insert: preparedInsert({ table, columns, settle }, size) }))
  return async (tx, rows) => {
    let from = 0
    for (const { size, insert } of statements) {
      for (; from + size <= rows.length; from += size) {
        const values = rows.slice(from, from + size).flatMap((row) => columns.map((column): unknown => row[column]))
        await insert(tx, values)
      }
    }
  }
}

type Inserted<Table extends keyof Schema> = {
  table: Table
  columns: readonly string[]
  settle: (insert: Insert<Table>) => Insert<Table>
}

function preparedInsert<Table extends keyof Schema>({ table, columns, settle }: Inserted<Table>, size: number) {
  const placeholders: unknown[] = Array.from({ length: columns.length * size }, () => '')
  return prepared(placeholders, (db, values) => {
    const rows = Array.from({ length: size }, (_, row) =>
      Object.fromEntries(columns.map((column, at) => [column, values[row * columns.length + at]])),
    )
    return settle(db.insertInto(table).values(rows as Insertable<Schema[Table]>[]))
  })
}
