import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { StoreError } from './open.ts'
import { outageOfSqlite } from './outage-sqlite.ts'

/** Another process uses the data folder. */
export class FolderLockedError extends Error {
  override name = 'FolderLockedError'
}

/**
 * Locks the data folder for this process until disposal or the end of the process. It is an operating system lock on a
 * small SQLite file beside the data. Throws `FolderLockedError`, and `StoreError` if the folder is not writable.
 */
export function lockFolder(dataDir: string): Disposable {
  const lock = new DatabaseSync(join(dataDir, 'docent.lock'))
  try {
    lock.exec('begin exclusive')
  } catch (cause) {
    lock.close()
    // A full or broken disk is not a lock by another process.
    if (outageOfSqlite(cause) !== 'busy')
      throw new StoreError(`The data folder cannot be written: ${dataDir} (${(cause as Error).message}).`, { cause })
    throw new FolderLockedError(
      `The data folder is in use by another Docent: ${dataDir}. Stop that one, or give another folder with DOCENT_DATA_DIR.`,
      { cause },
    )
  }
  return { [Symbol.dispose]: () => lock.close() }
}
