import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { outageOfPostgres } from './outage-postgres.ts'
import type { OutageReporter } from './report-outages.ts'
import { type Outage, StoreUnavailableError, toStoreError } from './store-unavailable.ts'

/** Connections of one node. Two cores of PostgreSQL are busy with fewer; the rest absorbs waiting. */
const POOL_SIZE = 12

/** Longest wait for a connection, new or one that others use. Callers give up after some 10 s. */
const ACQUIRE_MS = 5_000

/** A query that takes longer makes us ask whether the database still answers at all. Nearly all take milliseconds. */
const SLOW_MS = 1_500
/** The answer to that, on a new connection: a database on another continent needs half a second. */
const PROBE_MS = 1_500
/** Unanswered probes in a row before the database counts as hanging: one can be our own thread that was busy. */
const PROBES = 2
/** Queries in hand are looked at this often, and so is a database that hangs. */
const LOOK_MS = 500

/** No query takes longer, not even a new index on millions of rows: its answer was lost on the way. */
const LOST_MS = 10 * 60_000

/** Two minutes without a packet are enough for many firewalls to forget a connection. */
const KEEP_ALIVE_MS = 30_000

/** After a wait for a connection that was in vain, further ones are not begun for so long while all are in use. */
const FULL_MS = 1_000
/** A server without a connection to give is asked again this often. */
const TOO_MANY_MS = 100

/** A statement waits for locks of others so long, as for a table that an operator changes. */
const LOCK_MS = 10_000

/** Open queries get so long to end when the store is closed. */
const END_MS = 2_000

/** What pg says when all connections have been in use for too long. */
const FULL = 'timeout exceeded when trying to connect'

type Client = pg.PoolClient

/**
 * A pool whose users never wait for ever. A connection that breaks fails its query alone; a query that takes long while
 * the database does not answer on a new connection either is given up with all others; and until it answers again every
 * further one fails at once. Errors are `StoreUnavailableError` where the database is to blame.
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
  /** When the query in hand was sent, by the monotonic clock. */
  const sentAt = new Map<Client, number>()
  /** Connections from before the database hung, which are not used again. */
  const suspects = new WeakSet<Client>()
  let isHanging = false
  let isAsking = false
  let isSuspect = false
  let unanswered = 0
  let answeredAt = 0
  let fullUntil = 0

  const failed = (error: unknown, outage: Outage | null): unknown => outages.failed(toStoreError(error, () => outage))

  // Without a listener an error on a connection in use, as when the database restarts, would end the process. Whoever
  // uses the connection learns it by the query; idle ones are taken out of the pool, which tells of it as well.
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
      // A server that says no is there. One that is starting or stopping will say so to everybody else too.
      return error instanceof pg.DatabaseError
    } finally {
      leave(probe)
    }
  }

  const giveUp = () => {
    for (const client of clients) suspects.add(client)
    // Ending a connection with a query in hand cuts it off, which fails the query.
    for (const [client, since] of sentAt) if (performance.now() - since > SLOW_MS) void client.end()
  }

  const look = async () => {
    const now = performance.now()
    for (const [client, since] of sentAt) if (now - since > LOST_MS) void client.end()
    const isSlow = [...sentAt.values()].some((since) => now - since > SLOW_MS)
    if (isAsking || !(isSlow || isHanging || isSuspect)) return
    isAsking = true
    isSuspect = false
    // Answers on another connection, while the probe gets none, mean that it is not the database that hangs.
    const isAnswering = (await answers()) || answeredAt > now
    unanswered = isAnswering ? 0 : unanswered + 1
    isAsking = false
    isHanging = unanswered >= PROBES
    if (isHanging) giveUp()
    // A connection that could not be made is not tried again by itself.
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
        // One of our own may come free meanwhile.
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
      // Whether it hangs, the probe tells.
      isSuspect = true
      const isFull = outageOfPostgres(error) === 'busy' || (error instanceof Error && error.message === FULL)
      if (isFull) fullUntil = performance.now() + FULL_MS
      // Whatever keeps a connection from being made keeps every query from being run.
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

/** Says goodbye, and does not keep the process for the answer, which does not come from a database that hangs. */
function leave(client: pg.Client): void {
  void client.end().catch(() => {})
  unref(client)
}

// pg has had it for years, its types have not.
const unref = (client: pg.ClientBase): void => (client as unknown as { unref(): void }).unref()
