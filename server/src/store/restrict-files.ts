import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What the service writes into its data folder: database and its log, lock, process id, and the key of secrets. */
const OWN_FILE = /^(?:docent\.(?:sqlite(?:-wal|-shm)?|lock(?:-journal)?|pid)|secret\.key(?:\.new)?)$/

/** Permissions of a file that others than its owner have. */
const OTHERS = 0o077
const OTHERS_WRITE = 0o022
const STICKY = 0o1000

/**
 * Takes from others what they may do with the service's files in its data folder, as earlier versions or another umask
 * left them. Returns a sentence for the operator about each thing that could not be changed, or is not ours to change.
 */
export function restrictFiles(dataDir: string): string[] {
  const problems: string[] = []
  const folder = lstatSync(dataDir)
  if ((folder.mode & OTHERS_WRITE) !== 0 && (folder.mode & STICKY) === 0) {
    problems.push(`Other users can write to the data folder: ${dataDir}. Take that from them with chmod go-w.`)
  }
  for (const name of readdirSync(dataDir).filter((entry) => OWN_FILE.test(entry))) {
    const path = join(dataDir, name)
    const status = lstatSync(path)
    const { mode } = status
    // Windows has other permissions, and tells of these as it likes.
    if (status.isSymbolicLink() || (mode & OTHERS) === 0 || process.platform === 'win32') continue
    try {
      chmodSync(path, mode & ~OTHERS & 0o7777)
    } catch {
      problems.push(`Other users have access to ${path}, and this user may not change that. Do it with chmod go-rwx.`)
    }
  }
  return problems
}
