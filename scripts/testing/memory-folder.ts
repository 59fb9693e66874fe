import { readFileSync, statfsSync } from 'node:fs'
import process from 'node:process'

/** What the tests that run at once keep in temporary files, and as much for their processes. */
const LEAST_BYTES = 8_000_000_000
const FOLDER = '/dev/shm'

/**
 * The folder in memory for temporary files of tests, whose databases take half the system time there that they take on a
 * disk. Null where there is none (only Linux has it), where it has little room, or where its programs must not run.
 */
export function memoryFolder(leastBytes = LEAST_BYTES): string | null {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === FOLDER)
    const { bavail, bsize } = statfsSync(FOLDER)
    const room = Math.min(bavail * bsize, process.availableMemory())
    return mount !== undefined && !mount.includes('noexec') && room >= leastBytes ? FOLDER : null
  } catch {
    // There is no such folder.
    return null
  }
}
