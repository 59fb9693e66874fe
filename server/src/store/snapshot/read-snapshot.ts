import { type RawBuilder, sql } from 'kysely'
import type { Db, Store } from '#store/db.ts'
import {
  CREATED_TABLES,
  readSchemaState,
  refuseUnknownSchema,
  type Table,
  readTables,
} from '#store/migrations/migrate.ts'

/** Tables whose rows are useful for hours at most, or which the database maintains. */
export const OTHER_TABLES: readonly string[] =
  'schema_version served_changes rate_limits host_shares host_slots known_clients setup_links object_deletions object_prefix'.split(
    ' ',
  )

/** The tables of a backup. Each comes after the tables that its rows refer to. */
export const BACKED_UP_TABLES: readonly string[] = CREATED_TABLES.filter((name) => !OTHER_TABLES.includes(name))

/** A value of either engine. Flags and times are numbers, and JSON is text. */
export type Value = string | number | null | Uint8Array

/** All data at one moment, whatever is written meanwhile. */
export type Snapshot = {
  schema: number
  tables: { name: string; columns: readonly string[]; rows: AsyncIterable<Value[]> }[]
}

const BEGIN: Record<Store['engine'], RawBuilder<unknown>> = {
  // Without `immediate`, because that would keep writers waiting. In WAL mode a reader keeps its version of the data.
  sqlite: sql`begin`,
  postgres: sql`begin isolation level repeatable read, read only`,
}

/** Runs `body` on a snapshot, without making writers wait. Its tables must be read one after the other. */
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
        return table ? [{ name, columns: table.columns, rows: readRows({ ...store, db }, name, table) }] : []
      })
      return await body({ schema, tables })
    } finally {
      await sql`rollback`.execute(db)
    }
  })
}

type From = Pick<Store, 'engine' | 'blobs'> & { db: Db }

async function* readRows({ db, engine, blobs }: From, name: string, { columns }: Table): AsyncGenerator<Value[]> {
  const names = sql.join(columns.map((column) => sql.id(column)))
  const query = sql<Record<string, Value>>`select ${names} from ${sql.id(name)}`
  const rows = engine === 'sqlite' ? readRowsSqlite(db, query) : readRowsPostgres(db, query)
  for await (const row of rows) {
    const whole = row['object']
      ? { ...row, ...(await bytesIn(blobs, String(row['object']), Number(row['object_bytes']))) }
      : row
    yield columns.map((column) => whole[column] ?? null)
  }
}

/**
 * A backup has the bytes of objects in the rows, so that it can be restored to any place. Deleted ones, whose version was
 * replaced since the moment of the backup, are empty.
 */
async function bytesIn(blobs: Store['blobs'], object: string, size: number) {
  const data = new Uint8Array(size)
  return { data: (await blobs.read(object, data)) ? data : new Uint8Array(0), object: null, object_bytes: 0 }
}

/** Rows per fetch. Rows with large values are about 2 MB each, and most others a few hundred bytes. */
const FEWEST = 4
const MOST = 1_000
/** A fetch grows below the first size and shrinks above the second. */
const SMALL_BYTES = 1_000_000
const LARGE_BYTES = 8_000_000

/** Reads the rows of a query in batches through a cursor. Needs a transaction on a single connection. */
async function* readRowsPostgres<Row extends object>(db: Db, query: RawBuilder<Row>): AsyncGenerator<Row> {
  await sql`declare backup_rows no scroll cursor for ${query}`.execute(db)
  for (let count = FEWEST; ;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(count)} from backup_rows`.execute(db)
    yield* rows
    if (rows.length < count) break
    const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0)
    if (bytes < SMALL_BYTES) count = Math.min(MOST, count * 2)
    else if (bytes > LARGE_BYTES) count = Math.max(1, Math.floor(count / 2))
  }
  await sql`close backup_rows`.execute(db)
}

/** Approximate size of the large values. */
function bytesOf(row: object): number {
  return Object.values(row).reduce<number>((sum, value: unknown) => {
    if (value instanceof Uint8Array) return sum + value.byteLength
    return sum + (typeof value === 'string' ? value.length : 8)
  }, 0)
}

async function* readRowsSqlite<Row>(db: Db, query: RawBuilder<Row>): AsyncGenerator<Row> {
  for await (const { rows } of db.getExecutor().stream<Row>(query.compile(db), 1)) yield* rows
}
