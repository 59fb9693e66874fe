import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DamagedBackupError } from './damaged-backup-error.ts'
import type { Manifest } from './manifest.ts'
import { verifyBackup } from './verify-backup.ts'

/** A file in the folder of backups. */
export type BackupFile = { path: string; name: string; bytes: number; modifiedAt: Date }

const NAME = /^docent-[\dTZ]+\.tar$/

/** Name of a backup. Names sort by time. */
export const nameOfBackup = (createdAt: Date): string =>
  `docent-${createdAt
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '')}.tar`

/** The files in a folder that have names of backups, the oldest first. */
export async function listBackups(folder: string): Promise<BackupFile[]> {
  if (!existsSync(folder)) return []
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const { size, mtime } = await stat(path)
      return { path, name, bytes: size, modifiedAt: mtime }
    }),
  )
}

/** Verifies a backup. A damaged one has no manifest, but a problem. */
export async function inspectBackup(
  path: string,
  signal?: AbortSignal,
): Promise<{ manifest: Manifest; problem: null } | { manifest: null; problem: string }> {
  try {
    return { manifest: await verifyBackup(path, signal), problem: null }
  } catch (error) {
    if (!(error instanceof DamagedBackupError)) throw error
    return { manifest: null, problem: error.message }
  }
}
