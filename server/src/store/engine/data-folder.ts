import { accessSync, chmodSync, constants, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { differences } from '#lib/operating-system.ts'
import { StoreError, codeOf, outageOfSqlite } from './outages.ts'

/** Another process uses the data folder. */
export class FolderLockedError extends Error {
  override name = 'FolderLockedError'
}

/**
 * Locks the data folder until disposal, unless it is on a read-only disk, where processes cannot disturb each other.
 * Throws `FolderLockedError`, or `StoreError` if it cannot be written.
 */
export function lockFolder(dataDir: string): Disposable {
  if (isOnReadOnlyDisk(dataDir)) return { [Symbol.dispose]: () => undefined }
  const lock = new DatabaseSync(join(dataDir, 'docent.lock'))
  try {
    // A journal on disk would need space.
    lock.exec('pragma journal_mode = memory; begin exclusive')
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

/** The service's files in its data folder: database and its log, lock, process id, and the secret key. */
const OWN_FILE = /^(?:docent\.(?:sqlite(?:-wal|-shm)?|lock(?:-journal)?|pid)|secret\.key(?:\.new)?)$/

const OTHERS = 0o077
const OTHERS_WRITE = 0o022
const STICKY = 0o1000

/** True if other users can write to the data folder. */
export function isFolderShared(dataDir: string): boolean {
  const { mode } = lstatSync(dataDir)
  return differences.hasFileModes && (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0
}

/** The service's files in its data folder that other users have access to. */
export function listExposedFiles(dataDir: string): string[] {
  if (!differences.hasFileModes) return []
  const names = readdirSync(dataDir).filter((name) => OWN_FILE.test(name))
  return names.flatMap((name) => {
    const path = join(dataDir, name)
    const status = lstatSync(path)
    return status.isSymbolicLink() || (status.mode & OTHERS) === 0 ? [] : [path]
  })
}

/** Removes access by other users to the service's files. Returns a sentence about each that could not be changed. */
export function restrictFiles(dataDir: string): string[] {
  const problems = isFolderShared(dataDir)
    ? [`Other users can write to the data folder: ${dataDir}. Take that from them with chmod go-w.`]
    : []
  for (const path of listExposedFiles(dataDir)) {
    try {
      chmodSync(path, lstatSync(path).mode & ~OTHERS & 0o7777)
    } catch {
      problems.push(`Other users have access to ${path}, and this user may not change that. Do it with chmod go-rwx.`)
    }
  }
  return problems
}

/** True for a file or folder on a disk that takes no changes. */
export function isOnReadOnlyDisk(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return false
  } catch (error) {
    return codeOf(error) === 'EROFS'
  }
}

/** Creates the data folder if it is missing. Throws `StoreError` if this user may not write to it. */
export function ensureFolder(folder: string): void {
  let file = folder
  while (!existsSync(file) && dirname(file) !== file) file = dirname(file)
  if (!statSync(file).isDirectory()) {
    throw new StoreError(
      `The data folder cannot be made at ${folder}: ${file} is a file. Give a folder with DOCENT_DATA_DIR.`,
    )
  }
  try {
    makeFolder(folder)
    if (!isOnReadOnlyDisk(folder)) accessSync(folder, constants.W_OK)
  } catch (cause) {
    throw new StoreError(`The data folder cannot be written: ${folder}. Give another with DOCENT_DATA_DIR.`, { cause })
  }
}

/** One level at a time: Node's recursive mkdir never ends if a folder is visible but cannot be created, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  mkdirSync(folder, { mode: 0o700 })
}
