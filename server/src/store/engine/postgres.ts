import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { databaseTime } from '#store/rows.ts'
import type { Database } from '#store/db.ts'
import { createLocalWindows } from './local-windows.ts'
import { RUNNING_NODES } from './processes.ts'
import { BoundedPool } from './postgres-pool.ts'
import type { OutageReporter } from './outages.ts'
import { QUEUE_CHANNEL } from '#store/migrations/later.ts'
import { listenToQueue } from './queue-listener.ts'
import type { Schema } from '#store/schema.ts'
import { createSharedClients } from './shared-clients.ts'

/** Maximum drift of a node's clock between two readings: ten times that of a quartz. */
const DRIFT = 1e-4

const CLOCK_MS = 60_000

// Counters, sizes and times fit a double exactly. As strings they would differ from SQLite's results.
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** Connects to PostgreSQL 15 or newer on the first query. `process` names the connections unless the URL does. */
export function openPostgres(url: string, outages: OutageReporter, process: string): Database {
  const connection = { connectionString: url, types, fallback_application_name: process }
  const pool = new BoundedPool(connection, outages)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] })
  const clock = createDatabaseClock(() => performance.now(), Date.now)
  let nodes = 1
  const now = async () => {
    const askedAt = performance.now()
    const { rows } = await sql<{ now: number; nodes: number }>`
      select ${databaseTime(db)} as now, ${RUNNING_NODES} as nodes`.execute(db)
    const [row] = rows
    if (!row) throw new Error('The database does not tell the time')
    nodes = Math.max(1, row.nodes)
    clock.observe(row.now, askedAt, performance.now())
    return row.now
  }
  // On failure, the last reading stays in use.
  const timer = setInterval(() => void now().catch(() => {}), CLOCK_MS).unref()
  const queue = listenToQueue(connection, (own) => sql`select pg_notify(${QUEUE_CHANNEL}, ${own})`.execute(db))
  return {
    engine: 'postgres',
    read: db,
    write: db,
    transaction: (body) => db.transaction().execute(body),
    now,
    clock: clock.now,
    servedChanges: () => null,
    queue,
    isReadOnly: false,
    nodes: () => nodes,
    connections: () => pool.connections,
    localWindows: createLocalWindows(),
    sharedClients: createSharedClients(db),
    scrub: async () => {},
    releaseSpace: async () => {},
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await queue[Symbol.asyncDispose]()
      await db.destroy()
    },
  }
}

/** A clock that follows the database's. A reading with a short round trip is more accurate (Cristian 1989). */
export function createDatabaseClock(monotonic: () => number, before: () => number) {
  let best: { offset: number; doubt: number; heardAt: number } | null = null
  return {
    now: () => Math.floor(best ? monotonic() + best.offset : before()),
    /** Records a reading of the database's clock, with the monotonic times of the query and its answer. */
    observe(told: number, askedAt: number, heardAt: number): void {
      const doubt = (heardAt - askedAt) / 2
      const offset = told - (askedAt + heardAt) / 2
      const aged = best ? best.doubt + (heardAt - best.heardAt) * DRIFT : Number.POSITIVE_INFINITY
      // The database reports whole milliseconds.
      const isWrong = best !== null && Math.abs(offset - best.offset) > doubt + aged + 1
      if (doubt <= aged || isWrong) best = { offset, doubt, heardAt }
    },
  }
}
