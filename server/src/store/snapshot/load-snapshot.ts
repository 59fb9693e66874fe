import { sql } from 'kysely'
import type { Db, Store } from '#store/db.ts'
import { findRow, hasRow, insertNewRow } from '#store/rows.ts'
import { createSchema, migrate, readTables } from '#store/migrations/migrate.ts'
import { BACKED_UP_TABLES, OTHER_TABLES, type Value } from './read-snapshot.ts'

export type Batch = { table: string; columns: readonly string[]; rows: readonly Value[][] }

/** Rows per statement, and the values that a statement can have on SQLite. */
const ROWS = 100
const VALUES = 32_000
/** Bytes of large values per statement. */
const BYTES = 4_000_000

/** True if the database has an account. Everything else belongs to accounts. */
export async function hasAccounts(db: Db): Promise<boolean> {
  if (!(await readTables(db)).has('accounts')) return false
  return hasRow(db, 'accounts', {})
}

/** The folder of a database's objects. Null if it has none. */
export async function readObjectPrefix(db: Db): Promise<string | null> {
  if (!(await readTables(db)).has('object_prefix')) return null
  return (await findRow(db, 'objectPrefix', { id: 1 }))?.prefix ?? null
}

/** Continues the folder of the objects of replaced data. The sweep deletes them, because no row refers to them. */
export async function keepObjectPrefix(db: Db, prefix: string | null): Promise<void> {
  if (prefix !== null) await insertNewRow(db, 'objectPrefix', { id: 1, prefix })
}

/** Replaces all data and migrates it, in one transaction on PostgreSQL. On SQLite the database must be new. */
export async function loadSnapshot(store: Store, schema: number, batches: AsyncIterable<Batch>): Promise<void> {
  if (store.engine === 'sqlite') {
    await store.transaction((tx) => createSchema(tx, store.engine, schema))
    for await (const batch of batches) await store.transaction((tx) => insertBatch(tx, batch))
  } else {
    await store.transaction(async (tx) => {
      await dropTables(tx)
      await createSchema(tx, store.engine, schema)
      for await (const batch of batches) await insertBatch(tx, withoutNul(batch))
      await continueSerials(tx)
    })
  }
  await migrate(store)
  await rebuildIncomplete(store.write)
}

/** Marks segments whose objects were deleted while the backup was written. The service builds them from the texts. */
async function rebuildIncomplete(db: Db): Promise<void> {
  await sql`update segments set format = 0 where bytes <> (
    select coalesce(sum(length(data) + object_bytes), 0) from segment_parts where segment_id = segments.id)`.execute(db)
}

async function insertBatch(tx: Db, { table, columns, rows }: Batch): Promise<void> {
  const most = Math.max(1, Math.min(ROWS, Math.floor(VALUES / columns.length)))
  const into = sql`insert into ${sql.id(table)} (${sql.join(columns.map((column) => sql.id(column)))})`
  const insert = (some: readonly Value[][]) =>
    sql`${into} values ${sql.join(some.map((row) => sql`(${sql.join(row)})`))}`.execute(tx)
  let waiting: Value[][] = []
  let bytes = 0
  for (const row of rows) {
    waiting.push(row)
    bytes += row.reduce<number>((sum, value) => sum + (value instanceof Uint8Array ? value.byteLength : 0), 0)
    if (waiting.length < most && bytes < BYTES) continue
    await insert(waiting)
    waiting = []
    bytes = 0
  }
  if (waiting.length > 0) await insert(waiting)
}

/** PostgreSQL's text cannot contain the character NUL, but SQLite's can. */
function withoutNul(batch: Batch): Batch {
  const clean = (value: Value) => (typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value)
  return { ...batch, rows: batch.rows.map((row) => row.map(clean)) }
}

async function dropTables(tx: Db): Promise<void> {
  const present = await readTables(tx)
  for (const name of [...BACKED_UP_TABLES, ...OTHER_TABLES])
    if (present.has(name)) await sql`drop table ${sql.id(name)} cascade`.execute(tx)
}

/** New rows get numbers after those of the loaded rows. SQLite does this by itself. */
async function continueSerials(tx: Db): Promise<void> {
  for (const [name, { serial }] of await readTables(tx)) {
    if (serial === null || !BACKED_UP_TABLES.includes(name)) continue
    const last = sql`(select max(${sql.id(serial)}) from ${sql.id(name)})`
    await sql`select setval(pg_get_serial_sequence(${name}, ${serial}), coalesce(${last}, 1), ${last} is not null)`.execute(
      tx,
    )
  }
}
