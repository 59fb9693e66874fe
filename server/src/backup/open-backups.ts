import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Config } from '#config.ts'
import { programAt } from '#lib/place.ts'
import type { BackupTask } from './backup-worker.ts'
import { listBackups, pathOfBackup, unfinishedPath } from './list-backups.ts'

type Deps = Pick<Config, 'backupDir' | 'database' | 'blobs'> & {
  version: string
  onError: (error: unknown) => void
}

type ListedBackup = { name: string; bytes: number; createdAt: string; isComplete: boolean }

export type Backups = ReturnType<typeof openBackups>

type Current = { path: string; name: string; createdAt: Date; worker: Worker; ended: Promise<unknown> }

/** Backups that this node writes to its folder or the bucket, one at a time. */
export function openBackups({ backupDir, database, blobs, version, onError }: Deps) {
  let current: Current | null = null
  let lastError: string | null = null
  let isStopping = false

  const fail = (error: unknown) => {
    if (isStopping) return
    lastError = `The backup could not be written: ${error instanceof Error ? error.message : String(error)}`
    onError(error)
  }

  const listCurrent = async ({ path, name, createdAt }: Current): Promise<ListedBackup> => {
    const facts = await stat(unfinishedPath(path)).catch(() => null)
    return { name, bytes: facts?.size ?? 0, createdAt: createdAt.toISOString(), isComplete: false }
  }

  return {
    /** The files in the folder, the newest first, and why the last backup of this node failed. */
    async list() {
      const running = current
      const files = await listBackups(backupDir, blobs.s3)
      const complete = files.map(({ name, bytes, modifiedAt }) => {
        return { name, bytes, createdAt: modifiedAt.toISOString(), isComplete: true }
      })
      const isNew = running !== null && !complete.some(({ name }) => name === running.name)
      const begun = isNew ? [await listCurrent(running)] : []
      return { folder: backupDir, backups: [...begun, ...complete.toReversed()], lastError }
    },
    /** Begins a backup in a thread. Null if one is being written. */
    async begin(): Promise<ListedBackup | null> {
      if (current) return null
      const createdAt = new Date()
      const path = pathOfBackup(backupDir, createdAt)
      // Names have seconds.
      if (existsSync(path)) return null
      lastError = null
      const workerData: BackupTask = { database, blobs, path, createdAt: createdAt.getTime(), version }
      const worker = new Worker(programAt('backup/backup-worker'), { workerData, execArgv: [] })
      const ended = once(worker, 'exit')
        .catch(fail)
        .finally(() => (current = null))
      current = { path, name: basename(path), createdAt, worker, ended }
      return listCurrent(current)
    },
    async [Symbol.asyncDispose]() {
      isStopping = true
      current?.worker.postMessage('stop')
      await current?.ended
    },
  }
}
