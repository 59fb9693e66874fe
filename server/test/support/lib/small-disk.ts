import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Mounts a disk of this size at a folder. False where file systems cannot be mounted. */
export function mountSmall(folder: string, megabytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'docent-test', folder], { stdio: 'ignore' })
  } catch {
    return false
  }
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  return true
}

export function unmount(folder: string): void {
  execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' })
}

/** Fills the disk. Returns a function that frees the space again. */
export function fillDisk(folder: string): () => void {
  const path = join(folder, 'ballast')
  const file = openSync(path, 'w')
  for (const size of [65_536, 4_096, 1]) {
    try {
      for (const block = Buffer.alloc(size, 1); ;) writeSync(file, block)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
  return () => rmSync(path)
}
