import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { foldCase } from '#lib/text/fold-case.ts'
import { outageOfSqlite } from './outages.ts'

/** Wait for a lock of another process. */
export const BUSY_MS = 5_000
/** Keeps free pages apart, so that they can be given back. Takes effect with the first table, or with `vacuum`. */
export const SHRINKING = 'pragma auto_vacuum = incremental'

/** A write-ahead log needs files that a full or read-only disk does not take. Without a log, the file alone is whole. */
export function openOrOnlyRead(path: string): DatabaseSync {
  try {
    return prepare(new DatabaseSync(path))
  } catch (error) {
    const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
    const outage = outageOfSqlite(error)
    if (outage === null || outage === 'busy' || sizeOf(`${path}-wal`) > 0 || sizeOf(path) === 0) throw error
    const whole = prepare(new DatabaseSync(new URL(`${pathToFileURL(path).href}?immutable=1`), { readOnly: true }))
    whole.exec('pragma query_only = on')
    return whole
  }
}

function prepare(database: DatabaseSync): DatabaseSync {
  try {
    setUp(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function setUp(database: DatabaseSync): void {
  // The timeout comes first, because switching to WAL already takes a lock.
  database.exec(`pragma busy_timeout = ${BUSY_MS}`)
  // It needs a lock that another process can hold, and changes nothing in a file with tables.
  if (database.prepare('pragma page_count').get()?.['page_count'] === 0) database.exec(SHRINKING)
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = normal')
  // In pages. `LogMerger` usually merges before the log has 64 MB.
  database.exec('pragma wal_autocheckpoint = 16000')
  // In bytes. After a merge, a larger log is cut to this: the file of a busy hour would keep its size.
  database.exec('pragma journal_size_limit = 16000000')
  database.exec('pragma foreign_keys = on')
  // Overwrites deleted content, so that no data of a purged server can be read from the file.
  database.exec('pragma secure_delete = on')
  database.exec('pragma cache_size = -8000')
  // The function `lower` of SQLite knows the letters of ASCII only.
  database.function('fold_case', { deterministic: true }, (text) => (typeof text === 'string' ? foldCase(text) : null))
}
