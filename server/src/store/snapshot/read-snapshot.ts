import { type RawBuilder, sql } from 'kysely'
import type { Db, Store } from '#store/db.ts'
import type { Bytes } from '#store/engine/blobs/blobs.ts'
import { type TextBytes, findText, readThrough } from '#store/pages/packed-texts.ts'
import {
  CREATED_TABLES,
  readSchemaState,
  refuseUnknownSchema,
  type Table,
  readTables,
} from '#store/migrations/migrate.ts'

/** Tables whose rows are useful for hours at most, or which the database maintains. */
export const OTHER_TABLES: readonly string[] =
  'schema_version served_changes rate_limits host_shares host_slots known_clients setup_links object_deletions object_prefix text_packs packed_texts'.split(
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
        const from = { ...store, db }
        if (!table) return []
        const isPacked = name === 'texts' && present.has('packed_texts')
        const rows = isPacked ? readTexts({ ...from, read: store.write }, table) : readRows(from, name, table)
        return [{ name, columns: table.columns, rows }]
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

/** All texts as rows, also those in packs. A pack that was replaced since the moment of the backup leaves their bytes in another. */
async function* readTexts(from: From & Bytes, table: Table): AsyncGenerator<Value[]> {
  yield* readRows(from, 'texts', table)
  const query = sql<PackedText>`select p.source_id, p.hash, p.size, p.place, text_packs.object, text_packs.object_bytes
    from packed_texts p join text_packs on text_packs.id = p.pack
    where not exists (select 1 from texts where texts.source_id = p.source_id and texts.hash = p.hash) order by p.pack`
  const readText = readThrough(from.blobs)
  const rows = from.engine === 'sqlite' ? readRowsSqlite(from.db, query) : readRowsPostgres(from.db, query)
  for await (const { place, object, object_bytes: objectBytes, ...row } of rows) {
    const found = await readText({ place, object, objectBytes: Number(objectBytes) })
    const text = found ?? (await findText(from, row.source_id, row.hash))
    // Null: it was deleted since.
    if (text) yield table.columns.map((column) => ({ ...row, ...text })[column as keyof TextBytes] ?? null)
  }
}

type PackedText = {
  source_id: string
  hash: string
  size: number
  place: Uint8Array
  object: string
  object_bytes: Value
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
