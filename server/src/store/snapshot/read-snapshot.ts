import { type RawBuilder, sql } from 'kysely'
import { BACKED_UP_TABLES } from './backed-up-tables.ts'
import type { Db, Store } from '#store/db.ts'
import { readSchemaState, refuseUnknownSchema } from '#store/migrations/migrate.ts'
import { readRowsPostgres } from './read-rows-postgres.ts'
import { readRowsSqlite } from './read-rows-sqlite.ts'
import { type Table, readTables } from '#store/migrations/read-tables.ts'

/** A value of either engine. Flags and times are numbers, and JSON is text. */
export type Value = string | number | null | Uint8Array

/** All data at one moment, whatever is written meanwhile. */
export type Snapshot = {
  /** Version of the schema. */
  schema: number
  tables: { name: string; columns: readonly string[]; rows: AsyncIterable<Value[]> }[]
}

const BEGIN: Record<Store['engine'], RawBuilder<unknown>> = {
  // Without `immediate`, because that would keep writers waiting. In WAL mode a reader keeps its version of the data.
  sqlite: sql`begin`,
  postgres: sql`begin isolation level repeatable read, read only`,
}

/**
 * Runs `body` on a snapshot of the database. Writers do not wait for it. The tables must be read one after the other.
 * Throws `UnknownSchemaError` if a newer program wrote the data.
 */
export async function readSnapshot<T>(store: Store, body: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  return store.read.connection().execute(async (connection) => {
    const db = connection.withoutPlugins()
    await BEGIN[store.engine].execute(db)
    try {
      const { current: schema } = await readSchemaState(db)
      refuseUnknownSchema(schema)
      const present = await readTables(db)
      const tables = BACKED_UP_TABLES.flatMap((name) => {
        const table = present.get(name)
        return table ? [{ name, columns: table.columns, rows: readRows(db, store.engine, name, table) }] : []
      })
      return await body({ schema, tables })
    } finally {
      await sql`rollback`.execute(db)
    }
  })
}

async function* readRows(db: Db, engine: Store['engine'], name: string, { columns }: Table): AsyncGenerator<Value[]> {
  const query = sql<
    Record<string, Value>
  >`select ${sql.join(columns.map((column) => sql.id(column)))} from ${sql.id(name)}`
  const rows = engine === 'sqlite' ? readRowsSqlite(db, query) : readRowsPostgres(db, query)
  for await (const row of rows) yield columns.map((column) => row[column] ?? null)
}
