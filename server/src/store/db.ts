import type { Kysely } from 'kysely'
import type { LocalWindows } from './local-windows.ts'
import type { Schema } from './schema.ts'

/** A database handle or a transaction: what every query function takes first. */
export type Db = Kysely<Schema>

/** An open database of either engine. */
export type Store = {
  engine: 'sqlite' | 'postgres'
  /** For single reads; sees what has been committed. On SQLite a handle of its own, never behind a writer. */
  read: Db
  /** For single writes. */
  write: Db
  /** All of the body or nothing; rolled back when it throws. Bodies must be short and wait for nothing but queries. */
  transaction<T>(body: (tx: Db) => Promise<T>): Promise<T>
  /**
   * The database's clock, in milliseconds since 1970: what retention is counted by, since the clocks of nodes differ.
   * Not to be called inside a transaction, which on PostgreSQL would need a second connection.
   */
  now(): Promise<number>
  /** The same without asking: as `now` has last told it, and gone on since. Off by milliseconds at most. */
  clock(): number
  /**
   * A number that is another one after each change of what `findServedServer` reads, by whatever process; null where
   * that is not to be had without a query.
   */
  servedChanges(): number | null
  /**
   * Overwrites what has been deleted, wherever the engine lets us: on SQLite the log of writes still holds it, the file
   * itself does not. On PostgreSQL its vacuum does so in time.
   */
  scrub(): Promise<void>
  /** Where this node counts limits while the database cannot. */
  localWindows: LocalWindows
  [Symbol.asyncDispose](): Promise<void>
}
