import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#store/db.ts'

/** Rows per fetch. Rows with large values are about 2 MB each, and most others a few hundred bytes. */
const FEWEST = 4
const MOST = 1_000
/** A fetch grows below the first size and shrinks above the second. */
const SMALL_BYTES = 1_000_000
const LARGE_BYTES = 8_000_000

/** Reads the rows of a query in batches through a cursor. Needs a transaction on a single connection. */
export async function* readRowsPostgres<Row extends object>(db: Db, query: RawBuilder<Row>): AsyncGenerator<Row> {
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
