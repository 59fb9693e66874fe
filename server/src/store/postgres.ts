import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { createDatabaseClock } from './database-clock.ts'
import { databaseTime } from './database-time.ts'
import type { Store } from './db.ts'
import type { Schema } from './schema.ts'

/** Connections of one node. Two cores of PostgreSQL are busy with fewer; the rest absorbs waiting. */
const POOL_SIZE = 12

/** The database's clock is read this often. */
const CLOCK_MS = 60_000

// Counters, sizes and times fit a double exactly; as strings they would differ from what SQLite returns.
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** Connects to PostgreSQL 15 or newer. `onError` hears of idle connections that break; without it they end the process. */
export function openPostgres(url: string, onError: (error: Error) => void): Store {
  const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE, connectionTimeoutMillis: 10_000, types })
  pool.on('error', onError)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] })
  const clock = createDatabaseClock(() => performance.now(), Date.now)
  const now = async () => {
    const askedAt = performance.now()
    const { rows } = await sql<{ now: number }>`select ${databaseTime(db)} as now`.execute(db)
    const [row] = rows
    if (!row) throw new Error('The database does not tell the time')
    clock.observe(row.now, askedAt, performance.now())
    return row.now
  }
  const timer = setInterval(() => void now().catch(onError), CLOCK_MS).unref()
  return {
    engine: 'postgres',
    read: db,
    write: db,
    transaction: (body) => db.transaction().execute(body),
    now,
    clock: clock.now,
    servedChanges: () => null,
    scrub: async () => {},
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await db.destroy()
    },
  }
}
