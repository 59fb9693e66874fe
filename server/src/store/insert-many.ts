import type { Insertable } from 'kysely'
import type { Db } from './db.ts'
import { prepared } from './prepared.ts'
import type { Schema } from './schema.ts'

/**
 * Rows in one statement. With few sizes every statement is compiled once and found again among the prepared ones;
 * building one for each number of rows took more time than the database needs to insert them.
 */
const SIZES = [64, 16, 4, 1]

/** Inserts rows with just these columns, for tables that are written to all the time. */
export function insertMany<Table extends keyof Schema, Column extends keyof Insertable<Schema[Table]> & string>(
  table: Table,
  columns: readonly Column[],
): (tx: Db, rows: readonly Pick<Insertable<Schema[Table]>, Column>[]) => Promise<void> {
  const statements = SIZES.map((size) => ({ size, insert: preparedInsert(table, columns, size) }))
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

function preparedInsert(table: keyof Schema, columns: readonly string[], size: number) {
  const placeholders: unknown[] = Array.from({ length: columns.length * size }, () => '')
  return prepared(placeholders, (db, values) => {
    const rows = Array.from({ length: size }, (_, row) =>
      Object.fromEntries(columns.map((column, at) => [column, values[row * columns.length + at]])),
    )
    return db.insertInto(table).values(rows)
  })
}
