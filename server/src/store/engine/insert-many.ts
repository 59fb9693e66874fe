import type { Insertable, InsertQueryBuilder, InsertResult } from 'kysely'
import type { Db } from '#store/db.ts'
import { prepared } from './prepared.ts'
import type { Schema } from '#store/schema.ts'

/**
 * Rows per statement. With few sizes, every statement is compiled once and reused as a prepared one. Building a
 * statement per row count took longer than the insertion itself.
 */
const SIZES = [64, 16, 4, 1]

type Insert<Table extends keyof Schema> = InsertQueryBuilder<Schema, Table, InsertResult>

/**
 * Inserts rows with exactly these columns, for frequently written tables. `settle` is the conflict clause for existing
 * rows. A key may occur only once per call.
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
        const values: unknown[] = []
        for (const row of rows.slice(from, from + size)) for (const column of columns) values.push(row[column])
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
