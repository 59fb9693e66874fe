import pg from 'pg'

/** After this time, a pending query triggers a probe of the database. Nearly all queries take milliseconds. */
const SLOW_MS = 1_500
/** Timeout of the probe, on a new connection. A database on another continent needs half a second. */
const PROBE_MS = 1_500
/** PostgreSQL can say of a query that it is running. One of which it knows nothing after this time was lost on the way. */
const SILENT_MS = 5_000
/** The same behind a pooler such as PgBouncer, whose connections PostgreSQL does not know. */
const SILENT_BEHIND_POOLER_MS = 60_000
/** Consecutive failed probes before the database counts as hanging. One can fail because our own thread was busy. */
const PROBES = 2
/** Check interval for pending queries, and for a hanging database. */
const LOOK_MS = 500

/** No query takes longer, not even a new index on millions of rows: its answer was lost. */
const LOST_MS = 10 * 60_000

/** What a probe on a new connection learned: the processes of PostgreSQL that run a query, or that know our connections. */
type Sight = { running: ReadonlySet<number>; known: ReadonlySet<number> }

/**
 * While a query is slow, probes PostgreSQL on a new connection. If that fails, all queries fail until it answers. If it
 * succeeds, queries that PostgreSQL is not running were lost, and their connections and all older ones are closed:
 * firewalls that forget connections swallow packets without a word.
 */
export class HangDetector {
  readonly #connection: pg.ClientConfig
  readonly #clients = new Set<pg.PoolClient>()
  /** Start of each pending query, by the monotonic clock. */
  readonly #sentAt = new Map<pg.PoolClient, number>()
  /** Connections from before the database hung. */
  readonly #old = new WeakSet<pg.PoolClient>()
  #timer: NodeJS.Timeout | undefined
  #isHanging = false
  #isProbing = false
  #isSuspect = false
  #isStopped = false
  #unanswered = 0
  #answeredAt = 0

  constructor(connection: pg.ClientConfig) {
    this.#connection = connection
  }

  get isHanging(): boolean {
    return this.#isHanging
  }

  follow(pool: pg.Pool): void {
    pool.on('connect', (client) => this.#clients.add(client))
    pool.on('remove', (client) => this.#clients.delete(client))
  }

  /** True for a connection from before the database hung. It must not be reused. */
  isOld(client: pg.PoolClient): boolean {
    return this.#old.has(client)
  }

  /** Runs a query, and fails it if the database hangs. */
  async watch<Result>(client: pg.PoolClient, query: () => Promise<Result>): Promise<Result> {
    this.#sentAt.set(client, performance.now())
    this.#lookSoon()
    try {
      const result = await query()
      this.#answeredAt = performance.now()
      return result
    } finally {
      this.#sentAt.delete(client)
    }
  }

  /** Probes the database soon, because a connection attempt failed. */
  suspect(): void {
    this.#isSuspect = true
    this.#lookSoon()
  }

  /** Aborts and fails the queries pending for longer than `ms`. Ending a connection does that. */
  abortAfter(ms: number): void {
    const now = performance.now()
    for (const [client, since] of this.#sentAt) if (now - since > ms) void client.end()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  /** Lets the process exit in spite of the remaining connections. */
  unrefAll(): void {
    for (const client of this.#clients) unref(client)
  }

  /** Looks after a while, and again as long as a query is pending or the database may hang. */
  #lookSoon(): void {
    if (this.#isStopped) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#look()
      if (this.#sentAt.size > 0 || this.#isProbing || this.#isHanging || this.#isSuspect) this.#lookSoon()
    }, LOOK_MS).unref()
  }

  async #look(): Promise<void> {
    const now = performance.now()
    this.abortAfter(LOST_MS)
    const isSlow = [...this.#sentAt.values()].some((since) => now - since > SLOW_MS)
    if (this.#isProbing || !(isSlow || this.#isHanging || this.#isSuspect)) return
    this.#isProbing = true
    this.#isSuspect = false
    // If other connections get answers while the probe gets none, the database does not hang.
    const pending = new Map(this.#sentAt)
    const sight = await this.#probe()
    if (sight !== null) this.#retireLost(pending, sight)
    const isAnswering = sight !== null || this.#answeredAt > now
    this.#unanswered = isAnswering ? 0 : this.#unanswered + 1
    this.#isProbing = false
    this.#isHanging = this.#unanswered >= PROBES
    if (this.#isHanging) this.#giveUp()
    // A failed connection attempt is not retried by itself.
    else if (this.#unanswered > 0) this.#isSuspect = true
  }

  /** Null if PostgreSQL does not answer. */
  async #probe(): Promise<Sight | null> {
    const probe = new pg.Client({ ...this.#connection, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS })
    probe.on('error', () => {})
    try {
      await probe.connect()
      const { rows } = await probe.query<{ pid: number; state: string | null }>(
        'select pid, state from pg_stat_activity where usename = current_user',
      )
      const running = rows.filter(({ state }) => state === 'active')
      return { running: new Set(running.map(({ pid }) => pid)), known: new Set(rows.map(({ pid }) => pid)) }
    } catch (error) {
      // A server that refuses is reachable. One that is starting or stopping refuses everybody.
      return error instanceof pg.DatabaseError ? { running: this.#processes(), known: this.#processes() } : null
    } finally {
      // Without keeping the process alive for an answer, which a hanging database never sends.
      void probe.end().catch(() => {})
      unref(probe)
    }
  }

  #processes(): Set<number> {
    return new Set([...this.#clients].map(processOf))
  }

  /** Fails the queries of `pending` that PostgreSQL did not get, or whose answers were lost. */
  #retireLost(pending: ReadonlyMap<pg.PoolClient, number>, { running, known }: Sight): void {
    const now = performance.now()
    const lost = [...pending].filter(([client, since]) => {
      const limit = known.has(processOf(client)) ? SILENT_MS : SILENT_BEHIND_POOLER_MS
      return now - since > limit && !running.has(processOf(client)) && this.#sentAt.get(client) === since
    })
    if (lost.length === 0) return
    for (const client of this.#clients) this.#old.add(client)
    for (const [client] of lost) void client.end()
  }

  #giveUp(): void {
    for (const client of this.#clients) this.#old.add(client)
    this.abortAfter(SLOW_MS)
  }
}

// pg has had these for years, but its types lack them.
const processOf = (client: pg.PoolClient): number => (client as unknown as { processID: number }).processID
/** Lets the process exit in spite of the connection. */
export const unref = (client: pg.ClientBase): void => (client as unknown as { unref(): void }).unref()
