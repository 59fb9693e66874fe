import { DamagedBackupError } from './damaged-backup-error.ts'
import type { Manifest } from './manifest.ts'
import { verifyBackup } from './verify-backup.ts'

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
