import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { outageOfPostgres } from './outage-postgres.ts'
import type { OutageReporter } from './report-outages.ts'
import { type Outage, StoreUnavailableError, toStoreError } from './store-unavailable.ts'

/** Connections per node. Fewer saturate two PostgreSQL cores; the rest absorbs waiting. */
const POOL_SIZE = 12

/** Maximum wait for a new or busy connection. Callers give up after about 10 s. */
const ACQUIRE_MS = 5_000

/** After this time, a pending query triggers a probe of the database. Nearly all queries take milliseconds. */
const SLOW_MS = 1_500
/** Timeout of the probe, on a new connection. A database on another continent needs half a second. */
const PROBE_MS = 1_500
/**
 * Consecutive failed probes before the database counts as hanging. A single one can fail because our own thread was
 * busy.
 */
const PROBES = 2
/** Check interval for pending queries, and for a hanging database. */
const LOOK_MS = 500

/** No query takes longer, not even a new index on millions of rows: its answer was lost. */
const LOST_MS = 10 * 60_000

/** Many firewalls drop a connection after two minutes without a packet. */
const KEEP_ALIVE_MS = 30_000

/** After a failed wait for a connection, new waits fail immediately for this time while all are in use. */
const FULL_MS = 1_000
/** Retry interval if the server has no free connection. */
const TOO_MANY_MS = 100

/** Lock timeout of a statement, for example while an operator alters a table. */
const LOCK_MS = 10_000

/** Time for pending queries when the store closes. */
const END_MS = 2_000

/** pg's message when all connections were in use for too long. */
const FULL = 'timeout exceeded when trying to connect'

type Client = pg.PoolClient

/**
 * A connection pool with bounded waits. A broken connection fails only its query. A slow query triggers a probe on a
 * new connection. If the probe fails, all pending queries fail, and new ones fail immediately until the database
 * answers again. Errors caused by the database are `StoreUnavailableError`.
 */
export function createPostgresPool(config: pg.PoolConfig, outages: OutageReporter): PostgresPool {
  const connection = {
    ...config,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    lock_timeout: LOCK_MS,
  }
  const pool = new pg.Pool({ ...connection, max: POOL_SIZE, connectionTimeoutMillis: ACQUIRE_MS })
  const users = new WeakMap<Client, PostgresPoolClient>()
  const clients = new Set<Client>()
  /** Start of each pending query, by the monotonic clock. */
  const sentAt = new Map<Client, number>()
  /** Connections from before the database hung. They are not reused. */
  const suspects = new WeakSet<Client>()
  let isHanging = false
  let isAsking = false
  let isSuspect = false
  let unanswered = 0
  let answeredAt = 0
  let fullUntil = 0

  const failed = (error: unknown, outage: Outage | null): unknown => outages.failed(toStoreError(error, () => outage))

  // Without a listener, an error on an active connection, such as a database restart, would end the process. The query
  // reports such errors to its caller. The pool removes and reports idle connections.
  pool.on('connect', (client) => {
    clients.add(client)
    client.on('error', () => {})
  })
  pool.on('remove', (client) => clients.delete(client))
  pool.on('error', (error) => failed(error, outageOfPostgres(error)))

  const answers = async (): Promise<boolean> => {
    const probe = new pg.Client({ ...connection, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS })
    probe.on('error', () => {})
    try {
      await probe.connect()
      await probe.query('select 1')
      return true
    } catch (error) {
      // A server that refuses is reachable. One that is starting or stopping refuses everybody.
      return error instanceof pg.DatabaseError
    } finally {
      leave(probe)
    }
  }

  const giveUp = () => {
    for (const client of clients) suspects.add(client)
    // Ending a connection with a pending query aborts and fails the query.
    for (const [client, since] of sentAt) if (performance.now() - since > SLOW_MS) void client.end()
  }

  const look = async () => {
    const now = performance.now()
    for (const [client, since] of sentAt) if (now - since > LOST_MS) void client.end()
    const isSlow = [...sentAt.values()].some((since) => now - since > SLOW_MS)
    if (isAsking || !(isSlow || isHanging || isSuspect)) return
    isAsking = true
    isSuspect = false
    // If other connections get answers while the probe gets none, the database does not hang.
    const isAnswering = (await answers()) || answeredAt > now
    unanswered = isAnswering ? 0 : unanswered + 1
    isAsking = false
    isHanging = unanswered >= PROBES
    if (isHanging) giveUp()
    // A failed connection attempt is not retried by itself.
    else if (unanswered > 0) isSuspect = true
  }
  const timer = setInterval(() => void look(), LOOK_MS).unref()

  const userOf = (client: Client): PostgresPoolClient => {
    const query = async (sql: string, parameters: readonly unknown[]) => {
      sentAt.set(client, performance.now())
      try {
        const result = await client.query(sql, parameters as unknown[])
        answeredAt = performance.now()
        outages.answered()
        return result
      } catch (error) {
        throw failed(error, outageOfPostgres(error))
      } finally {
        sentAt.delete(client)
      }
    }
    return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) }
  }

  const acquire = async (): Promise<Client> => {
    const deadline = performance.now() + ACQUIRE_MS
    for (;;) {
      try {
        return await pool.connect()
      } catch (error) {
        // One of our own connections may become free.
        if (outageOfPostgres(error) !== 'busy' || performance.now() > deadline) throw error
        await sleep(TOO_MANY_MS)
      }
    }
  }

  const connect = async (): Promise<PostgresPoolClient> => {
    if (isHanging) throw new StoreUnavailableError('away', new Error('it has not answered for seconds'))
    if (pool.idleCount === 0 && performance.now() < fullUntil) throw new StoreUnavailableError('busy', new Error(FULL))
    let client: Client
    try {
      client = await acquire()
    } catch (error) {
      // The probe determines whether the database hangs.
      isSuspect = true
      const isFull = outageOfPostgres(error) === 'busy' || (error instanceof Error && error.message === FULL)
      if (isFull) fullUntil = performance.now() + FULL_MS
      // A failure to connect affects every query.
      throw failed(error, isFull ? 'busy' : 'away')
    }
    if (suspects.has(client)) {
      client.release(true)
      return connect()
    }
    const user = users.get(client) ?? userOf(client)
    users.set(client, user)
    return user
  }

  return {
    connect,
    options: pool.options,
    async end() {
      clearInterval(timer)
      const cutOff = setTimeout(() => {
        for (const client of sentAt.keys()) void client.end()
      }, END_MS)
      await pool.end()
      clearTimeout(cutOff)
      for (const client of clients) unref(client)
    },
  }
}

/** Closes the connection without keeping the process alive for an answer, which a hanging database never sends. */
function leave(client: pg.Client): void {
  void client.end().catch(() => {})
  unref(client)
}

// pg has had this method for years, but its types lack it.
const unref = (client: pg.ClientBase): void => (client as unknown as { unref(): void }).unref()
