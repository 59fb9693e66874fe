import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { StoreError } from './open.ts'
import { outageOfSqlite } from './outage-sqlite.ts'

/** Another process has the data folder. */
export class FolderLockedError extends Error {
  override name = 'FolderLockedError'
}

/**
 * Takes the data folder for this process alone, until it is disposed of or the process ends, however it ends: the lock
 * is the operating system's, on a small SQLite file beside the data. Throws `FolderLockedError`, and
 * `StoreError` where the folder cannot be written.
 */
export function lockFolder(dataDir: string): Disposable {
  const lock = new DatabaseSync(join(dataDir, 'docent.lock'))
  try {
    lock.exec('begin exclusive')
  } catch (cause) {
    lock.close()
    // A disk that is full or broken is not another process.
    if (outageOfSqlite(cause) !== 'busy')
      throw new StoreError(`The data folder cannot be written: ${dataDir} (${(cause as Error).message}).`, { cause })
    throw new FolderLockedError(
      `The data folder is in use by another Docent: ${dataDir}. Stop that one, or give another folder with DOCENT_DATA_DIR.`,
      { cause },
    )
  }
  return { [Symbol.dispose]: () => lock.close() }
}
