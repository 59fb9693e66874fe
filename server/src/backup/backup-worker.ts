import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { Config } from '#config.ts'
import { openStore } from '#store/engine/open.ts'
import { createBackup } from './create-backup.ts'
import { placeInBucket } from './list-backups.ts'

/** Input of the thread that writes a backup. */
export type BackupTask = Pick<Config, 'database' | 'blobs'> & { path: string; createdAt: number; version: string }

/** Writes the backup. An error ends the thread with it. Any message stops it. */
async function writeBackup({ database, blobs, path, createdAt, version }: BackupTask): Promise<void> {
  const stopping = new AbortController()
  parentPort?.once('message', () => stopping.abort(new Error('The service stops.')))
  if (placeInBucket(path) === null) await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // Its own handle: what a backup reads is of one moment, and requests must see later changes.
  await using store = await openStore({ database, blobs, onError: () => {}, migrates: false })
  const options = {
    path,
    bucket: blobs.s3,
    createdAt: new Date(createdAt),
    version,
    key: null,
    signal: stopping.signal,
  }
  await createBackup(store, options)
  parentPort?.close()
}

await writeBackup(workerData as BackupTask)
