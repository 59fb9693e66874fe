import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  CamelCasePlugin,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { Database } from '#store/db.ts'
import { isOnReadOnlyDisk } from './data-folder.ts'
import { createLocalWindows } from './local-windows.ts'
import { LogMerger } from './log-merger.ts'
import { CHANGES_QUEUE, createQueueChanges } from './queue-changes.ts'
import { outageOfSqlite, type OutageReporter, StoreUnavailableError, toStoreError } from './outages.ts'
import { rememberRecent } from '#lib/objects.ts'
import { BUSY_MS, SHRINKING, openOrOnlyRead } from './sqlite-file.ts'
import type { Schema } from '#store/schema.ts'

/** Compiled statements per handle; the oldest is evicted. Queries form a closed set, except for `in` lists. */
const CACHED_STATEMENTS = 300

/** Query time after which the connection yields: awaiting a finished query does not. In milliseconds. */
const YIELD_AFTER_MS = 5
/** A backup of 500 MB reads for 15 seconds. Later writes overwrite the rest of the log. */
const SCRUB_TRIES = 60
const SCRUB_MS = 500
/** Free pages of the file that stay for new rows, at least, and as a part of all pages. */
const [KEPT_PAGES, KEPT_SHARE] = [2_000, 0.2]
/** Pages given back at once: about 3 ms, which blocks everything else. */
const RELEASED_PAGES = 500

/**
 * Opens two handles, so that no read waits for a transaction. A file on a full or read-only disk can only be read until
 * it is opened again. Throws the errors of `node:sqlite`.
 */
export function openSqlite(path: string, outages: OutageReporter): Database {
  const writing = openOrOnlyRead(path)
  const reading = openOrOnlyRead(path)
  const served = countServedChanges(reading, outages)
  // The log grows until a merge succeeds, so an unknown error is reported like an outage.
  const onMergeError = (error: Error) =>
    void outages.failed(new StoreUnavailableError(outageOfSqlite(error) ?? 'away', error))
  const merger = new LogMerger(path, onMergeError)
  // Only this process adds jobs.
  const queue = createQueueChanges({ isHeard: () => true })
  const write = openHandle(writing, outages, {
    beforeUse: () => merger.beforeWrite(),
    afterQuery: () => {
      served.lookAgain()
      merger.written()
    },
    queueChanged: queue.changed,
  })
  const read = openHandle(reading, outages, { beforeUse: async () => {}, afterQuery: () => {}, queueChanged: () => {} })
  return {
    engine: 'sqlite',
    read,
    write,
    transaction: (body) => write.transaction().execute(body),
    // The database runs in this process and uses its clock.
    now: async () => Date.now(),
    clock: Date.now,
    servedChanges: served.read,
    queue,
    isReadOnly: isOnReadOnlyDisk(path) || writing.prepare('pragma query_only').get()?.['query_only'] === 1,
    nodes: () => 1,
    connections: () => null,
    localWindows: createLocalWindows(),
    sharedClients: null,
    async scrub() {
      for (let tries = 0; tries < SCRUB_TRIES && !(await truncateLog(write)); tries++) await sleep(SCRUB_MS)
    },
    async releaseSpace({ whole = false } = {}) {
      if (whole) {
        writing.exec(SHRINKING)
        await sql`vacuum`.execute(write)
      } else await merger.beforeWrite()
      await releasePages(writing)
    },
    async [Symbol.asyncDispose]() {
      await merger[Symbol.asyncDispose]()
      await read.destroy()
      await write.destroy()
      // Kysely closes only a handle that had a query. An open one would keep the write-ahead log from being merged.
      for (const database of [reading, writing]) if (database.isOpen) database.close()
    },
  }
}

/** Moves free pages to the end of the file and cuts it. Does nothing in files of versions that could not do this. */
async function releasePages(database: DatabaseSync): Promise<void> {
  const read = (name: string) => Number(database.prepare(`pragma ${name}`).get()?.[name])
  for (let before = Infinity; !database.isTransaction;) {
    const free = read('freelist_count')
    if (free >= before || free <= Math.max(KEPT_PAGES, read('page_count') * KEPT_SHARE)) return
    // A statement would be run up to its first row only.
    database.exec(`pragma incremental_vacuum(${RELEASED_PAGES})`)
    before = free
    await nextTurn()
  }
}

/** Merges the write-ahead log and empties its file. False at once if another process reads an earlier version. */
function truncateLog(write: Kysely<Schema>): Promise<boolean> {
  return write.connection().execute(async (db) => {
    await sql`pragma busy_timeout = 0`.execute(db)
    try {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
      return rows[0]?.busy === 0
    } finally {
      await sql`pragma busy_timeout = ${sql.lit(BUSY_MS)}`.execute(db)
    }
  })
}

/**
 * Reads the counter in table `served_changes` only after a commit by another handle, which `data_version` detects
 * (https://sqlite.org/pragma.html#pragma_data_version). Requests in one turn of the event loop share a look.
 */
function countServedChanges(database: DatabaseSync, outages: OutageReporter) {
  let statements: Record<'version' | 'count', StatementSync> | null = null
  let version: unknown
  let count = 0
  let isFresh = false
  const lookAgain = () => void (isFresh = false)
  const read = () => {
    if (isFresh) return count
    try {
      statements ??= {
        version: database.prepare('pragma data_version'),
        count: database.prepare('select count from served_changes where id = 1'),
      }
      const now = statements.version.get()?.['data_version']
      if (now !== version) count = Number(statements.count.get()?.['count'])
      version = now
    } catch (error) {
      throw outages.failed(toStoreError(error, outageOfSqlite))
    }
    isFresh = true
    setImmediate(lookAgain)
    return count
  }
  return { read, lookAgain }
}

/**
 * The driver awaits `beforeUse` before each transaction and before each query outside one. `queueChanged` is called after
 * the commit.
 */
type HandleHooks = { beforeUse: () => Promise<void>; afterQuery: () => void; queueChanged: () => void }

function openHandle(database: DatabaseSync, outages: OutageReporter, hooks: HandleHooks): Kysely<Schema> {
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(database, new NodeSqliteConnection(database, outages, hooks), hooks),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
  return new Kysely<Schema>({ dialect, plugins: [new CamelCasePlugin()] })
}

function createDriver(database: DatabaseSync, connection: NodeSqliteConnection, hooks: HandleHooks): Driver {
  const execute = async (sql: string) => void (await connection.executeQuery(CompiledQuery.raw(sql)))
  return {
    init: async () => {},
    acquireConnection: async () => {
      await hooks.beforeUse()
      return connection
    },
    // Immediate: a transaction that upgrades from reading to writing fails immediately if another process writes.
    beginTransaction: () => execute('begin immediate'),
    commitTransaction: () => execute('commit'),
    // A full disk, or a disk error, can already have rolled the transaction back.
    rollbackTransaction: async () => {
      if (database.isTransaction) await execute('rollback')
    },
    releaseConnection: async () => {},
    destroy: async () => database.close(),
  }
}

type Prepared = { statement: StatementSync; answersRows: boolean; changesQueue: boolean }

class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync
  readonly #outages: OutageReporter
  readonly #hooks: HandleHooks
  readonly #statements = new Map<string, Prepared>()
  #msWithoutYield = 0
  #hasChangedQueue = false

  constructor(database: DatabaseSync, outages: OutageReporter, hooks: HandleHooks) {
    this.#database = database
    this.#outages = outages
    this.#hooks = hooks
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const from = performance.now()
    let result: QueryResult<Row>
    try {
      result = this.#execute<Row>(query)
      this.#hooks.afterQuery()
      if (this.#hasChangedQueue && !this.#database.isTransaction) {
        this.#hasChangedQueue = false
        this.#hooks.queueChanged()
      }
      this.#outages.answered()
    } catch (error) {
      throw this.#outages.failed(toStoreError(error, outageOfSqlite))
    }
    this.#msWithoutYield += performance.now() - from
    if (this.#msWithoutYield >= YIELD_AFTER_MS) {
      this.#msWithoutYield = 0
      await nextTurn()
    }
    return result
  }

  #execute<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const { statement, answersRows, changesQueue } = this.#prepare(sql)
    const values = parameters as readonly SQLInputValue[]
    if (answersRows) {
      const rows = statement.all(...values) as Row[]
      if (changesQueue && rows.length > 0) this.#hasChangedQueue = true
      return { rows }
    }
    const { changes, lastInsertRowid } = statement.run(...values)
    if (changesQueue && changes > 0) this.#hasChangedQueue = true
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    // Not cached: two streams of one query would share a cursor.
    for (const row of this.#database.prepare(sql).iterate(...(parameters as readonly SQLInputValue[]))) {
      yield { rows: [row as Row] }
    }
  }

  #prepare(sql: string): Prepared {
    const cached = this.#statements.get(sql)
    if (cached) return cached
    const statement = this.#database.prepare(sql)
    const prepared = {
      statement,
      answersRows: statement.columns().length > 0,
      changesQueue: CHANGES_QUEUE.test(sql),
    }
    rememberRecent(this.#statements, sql, prepared, CACHED_STATEMENTS)
    return prepared
  }
}
