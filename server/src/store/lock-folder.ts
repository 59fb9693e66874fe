import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'

/** Another process has the data folder. */
export class FolderLockedError extends Error {
  override name = 'FolderLockedError'
}

/**
 * Takes the data folder for this process alone, until it is disposed of or the process ends, however it ends: the lock
 * is the operating system's, on a small SQLite file beside the data. Throws `FolderLockedError`.
 */
export function lockFolder(dataDir: string): Disposable {
  const lock = new DatabaseSync(join(dataDir, 'docent.lock'))
  try {
    lock.exec('begin exclusive')
  } catch (cause) {
    lock.close()
    throw new FolderLockedError(
      `The data folder is in use by another Docent: ${dataDir}. Stop that one, or give another folder with DOCENT_DATA_DIR.`,
      { cause },
    )
  }
  return { [Symbol.dispose]: () => lock.close() }
}
