import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The service's files in its data folder: database and its log, lock, process id, and the secret key. */
const OWN_FILE = /^(?:docent\.(?:sqlite(?:-wal|-shm)?|lock(?:-journal)?|pid)|secret\.key(?:\.new)?)$/

/** Permission bits of group and others. */
const OTHERS = 0o077
const OTHERS_WRITE = 0o022
const STICKY = 0o1000

/** True if other users can write to the data folder. */
export function isFolderShared(dataDir: string): boolean {
  const { mode } = lstatSync(dataDir)
  return (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0
}

/** The service's files in its data folder that other users have access to. */
export function listExposedFiles(dataDir: string): string[] {
  // Windows has other permissions, and its mode bits mean little.
  if (process.platform === 'win32') return []
  const paths = readdirSync(dataDir)
    .filter((entry) => OWN_FILE.test(entry))
    .map((name) => join(dataDir, name))
  return paths.filter((path) => {
    const status = lstatSync(path)
    return !status.isSymbolicLink() && (status.mode & OTHERS) !== 0
  })
}

/**
 * Removes access by other users to the service's files in its data folder, which earlier versions or another umask may
 * have left. Returns a sentence for the operator about each file that could not be changed or is not ours.
 */
export function restrictFiles(dataDir: string): string[] {
  const problems: string[] = []
  if (isFolderShared(dataDir)) {
    problems.push(`Other users can write to the data folder: ${dataDir}. Take that from them with chmod go-w.`)
  }
  for (const path of listExposedFiles(dataDir)) {
    try {
      chmodSync(path, lstatSync(path).mode & ~OTHERS & 0o7777)
    } catch {
      problems.push(`Other users have access to ${path}, and this user may not change that. Do it with chmod go-rwx.`)
    }
  }
  return problems
}
