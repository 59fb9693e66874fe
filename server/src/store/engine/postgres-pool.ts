import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { HangDetector } from './hang-detector.ts'
import { PLANNED_ONCE } from './prepared.ts'
import { outageOfPostgres, type OutageReporter, type Outage, StoreUnavailableError, toStoreError } from './outages.ts'

/** Connections per node. Fewer saturate two PostgreSQL cores; the rest absorbs waiting. */
const POOL_SIZE = 12

/** Idle connections that stay open. By its connection, other processes see that this one runs. */
const KEPT = 1

/** Maximum wait for a new or busy connection. Callers give up after about 10 s. */
const ACQUIRE_MS = 5_000

/** Many firewalls drop a connection after two minutes without a packet. */
const KEEP_ALIVE_MS = 30_000

/** After a failed wait for a connection, new waits fail immediately for this time while all are in use. */
const FULL_MS = 1_000
/** Retry interval if the server has no free connection. */
const TOO_MANY_MS = 100

/** Lock timeout of a statement, for example while an operator alters a table. */
const LOCK_MS = 10_000

/** A statement outside a transaction. Callers give up after about 10 s, and jobs do large work in parts. */
const STATEMENT_MS = 10_000
/** A statement in a transaction. Deleting the texts of 100,000 pages takes seconds. */
const IN_TRANSACTION_MS = 60_000
const BEGINNING = /^(?:begin|start transaction)\b/

/** A transaction that asks nothing for this time belongs to a node that is paused or cut off, and keeps its locks. */
const IDLE_IN_TRANSACTION_MS = 15_000

/** Time for pending queries when the store closes. */
const END_MS = 2_000

/** pg's message when all connections were in use for too long. */
const FULL = 'timeout exceeded when trying to connect'

/**
 * PostgreSQL's codes for a plan that is not there, or another's, or of earlier tables. The first two come from poolers
 * that give a connection to several clients in turn.
 */
const LOST_PLAN: ReadonlySet<unknown> = new Set(['26000', '42P05', '0A000'])

/** A pool with bounded waits. If a probe finds the database hanging, all queries fail until it answers again. */
export class BoundedPool implements PostgresPool {
  readonly options: pg.PoolOptions
  readonly #pool: pg.Pool
  readonly #hangs: HangDetector
  readonly #outages: OutageReporter
  readonly #users = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  /** Names of queries that are planned once, by their text. Null: such plans do not last here. */
  #plans: Map<string, string> | null = new Map()
  #fullUntil = 0

  constructor(config: pg.PoolConfig, outages: OutageReporter) {
    const kept = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS }
    const connection = {
      ...config,
      ...kept,
      lock_timeout: LOCK_MS,
      statement_timeout: STATEMENT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    }
    this.#outages = outages
    this.#hangs = new HangDetector(connection)
    this.#pool = new pg.Pool({ ...connection, min: KEPT, max: POOL_SIZE, connectionTimeoutMillis: ACQUIRE_MS })
    this.options = this.#pool.options
    // Without a listener, an error on an active connection, such as a database restart, would end the process. The
    // query reports such errors to its caller. The pool removes and reports idle connections.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
    this.#hangs.follow(this.#pool)
    this.#pool.on('error', (error) => this.#failed(error, outageOfPostgres(error)))
  }

  async connect(): Promise<PostgresPoolClient> {
    if (this.#hangs.isHanging) throw new StoreUnavailableError('away', new Error('it has not answered for seconds'))
    if (this.#pool.idleCount === 0 && performance.now() < this.#fullUntil)
      throw new StoreUnavailableError('busy', new Error(FULL))
    const client = await this.#acquireOrReport()
    if (this.#hangs.isOld(client)) {
      client.release(true)
      return this.connect()
    }
    const user = this.#users.get(client) ?? this.#userOf(client)
    this.#users.set(client, user)
    return user
  }

  get connections() {
    const { totalCount, idleCount: idle, waitingCount: waiting } = this.#pool
    return { used: totalCount - idle, idle, waiting }
  }

  async end(): Promise<void> {
    this.#hangs.stop()
    const cutOff = setTimeout(() => this.#hangs.abortAfter(0), END_MS)
    await this.#pool.end()
    clearTimeout(cutOff)
    this.#hangs.unrefAll()
  }

  async #acquireOrReport(): Promise<pg.PoolClient> {
    try {
      return await this.#acquire()
    } catch (error) {
      // The probe determines whether the database hangs.
      this.#hangs.suspect()
      const isFull = outageOfPostgres(error) === 'busy' || (error instanceof Error && error.message === FULL)
      if (isFull) this.#fullUntil = performance.now() + FULL_MS
      // A failure to connect affects every query.
      throw this.#failed(error, isFull ? 'busy' : 'away')
    }
  }

  async #acquire(): Promise<pg.PoolClient> {
    const deadline = performance.now() + ACQUIRE_MS
    for (;;) {
      try {
        return await this.#pool.connect()
      } catch (error) {
        // One of our own connections may become free.
        if (outageOfPostgres(error) !== 'busy' || performance.now() > deadline) throw error
        await sleep(TOO_MANY_MS)
      }
    }
  }

  #userOf(client: pg.PoolClient): PostgresPoolClient {
    const query = async (sql: string, parameters: readonly unknown[]) => {
      // One message, and so one round trip.
      const text = BEGINNING.test(sql) ? `${sql}; set local statement_timeout = ${IN_TRANSACTION_MS}` : sql
      try {
        const values = parameters as unknown[]
        const result = await this.#hangs.watch(client, () => this.#planned(client, { text, values }))
        this.#outages.answered()
        return result
      } catch (error) {
        throw this.#failed(error, outageOfPostgres(error))
      }
    }
    return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) }
  }

  async #planned(client: pg.PoolClient, query: { text: string; values: unknown[] }): Promise<pg.QueryResult> {
    const { text } = query
    if (this.#plans === null || !text.startsWith(PLANNED_ONCE)) return client.query(query)
    // By its text, because others can use the same connection through a pooler.
    const name = this.#plans.get(text) ?? `docent_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
    this.#plans.set(text, name)
    try {
      return await client.query({ ...query, name })
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !LOST_PLAN.has(error.code)) throw error
      this.#plans = null
      return client.query(query)
    }
  }

  #failed(error: unknown, outage: Outage | null): unknown {
    return this.#outages.failed(toStoreError(error, () => outage))
  }
}
