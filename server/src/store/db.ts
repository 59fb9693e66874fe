import type { Kysely } from 'kysely'
import type { Blobs } from './engine/blobs/blobs.ts'
import type { LocalWindows } from '#store/engine/local-windows.ts'
import type { Schema } from './schema.ts'
import type { QueueChanges } from '#store/engine/queue-changes.ts'
import type { SharedClients } from '#store/engine/shared-clients.ts'

/** A database handle or a transaction, the first argument of every query function. */
export type Db = Kysely<Schema>

export const ENGINES = ['sqlite', 'postgres'] as const

/** An open database of either engine. */
export type Store = {
  engine: (typeof ENGINES)[number]
  /** For single reads of committed data. A separate handle on SQLite, never blocked by a writer. */
  read: Db
  /** Where the bytes of segments and uploads are. */
  blobs: Blobs
  /** For single writes. */
  write: Db
  /** Runs the body atomically and rolls back if it throws. Bodies must be short and await only queries. */
  transaction<T>(body: (tx: Db) => Promise<T>): Promise<T>
  /** The database's clock, in ms since 1970. Not inside a transaction: PostgreSQL would need a second connection. */
  now(): Promise<number>
  /** The same without a query: the last reading of `now`, advanced since. Accurate to milliseconds. */
  clock(): number
  /** A counter that changes with the data `findServedServer` reads, by any process. Null if it needs a query. */
  servedChanges(): number | null
  queue: QueueChanges
  /** True if this process can change nothing until it is started again: the disk was full or read-only. */
  isReadOnly: boolean
  /** Overwrites deleted data in SQLite's file, not in its write-ahead log. PostgreSQL's vacuum does it eventually. */
  scrub(): Promise<void>
  /** Gives free pages of SQLite's file back to the system. `whole` rewrites the file, which blocks all writes. */
  releaseSpace(how?: { whole?: boolean }): Promise<void>
  /** Connections of this process to PostgreSQL, and queries that wait for one. Null on SQLite. */
  connections(): { used: number; idle: number; waiting: number } | null
  /** Running nodes that share this database, as last known: one on SQLite. */
  nodes(): number
  /** Rate limit counts of this node while the database is unavailable. */
  localWindows: LocalWindows
  /** Clients that other nodes know. Null if the engine allows one node only. */
  sharedClients: SharedClients | null
  [Symbol.asyncDispose](): Promise<void>
}

export type Database = Omit<Store, 'blobs'>
