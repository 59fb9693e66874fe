import { sql } from 'kysely'
import type { Db } from '#store/db.ts'

/** A table as it is in the database: its columns in order, and the column that numbers its rows, if it has one. */
export type Table = { columns: string[]; serial: string | null }

/** Reads the tables of the database, by name. On PostgreSQL, those in the schema that our tables are in. */
export async function readTables(db: Db): Promise<Map<string, Table>> {
  const plain = db.withoutPlugins()
  const tables = await plain.introspection.getTables()
  // SQLite's tables have no schema.
  const isShared = tables.some(({ schema }) => schema !== undefined)
  const { rows } = isShared ? await sql<{ name: string }>`select current_schema() as name`.execute(plain) : { rows: [] }
  const own = tables.filter(({ schema, isView }) => !isView && schema === rows[0]?.name)
  return new Map(
    own.map(({ name, columns }) => {
      const serial = columns.find(({ isAutoIncrementing }) => isAutoIncrementing)?.name ?? null
      return [name, { columns: columns.map((column) => column.name), serial }]
    }),
  )
}
