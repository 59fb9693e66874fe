import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Answer of the thread: null, or the error. A structured clone of an error would lose SQLite's result code. */
export type Merged = { errcode: number | undefined; message: string } | null

/** A commit can come between a pass and its end. The next pass then has a few pages to copy. */
const PASSES = 8

/** Merges the write-ahead log of the database at the path in `workerData` with each message. Never waits for a lock. */
function serveMerges(path: string): void {
  const database = new DatabaseSync(path)
  // The first use of the handle, so that it does not wait for the lock of another process.
  database.exec('pragma busy_timeout = 0')
  database.exec('pragma synchronous = normal')
  // It reads nothing but the log.
  database.exec('pragma cache_size = 0')
  const merge = database.prepare('pragma wal_checkpoint(passive)')
  parentPort?.on('message', () => {
    let answer: Merged = null
    try {
      for (let pass = 0; pass < PASSES; pass++) {
        const { busy, log, checkpointed } = merge.get() ?? {}
        // Otherwise new commits are appended instead of overwriting the log.
        if (busy !== 0 || log === checkpointed) break
      }
    } catch (error) {
      const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined
      answer = { errcode, message: String(error) }
    }
    parentPort?.postMessage(answer)
  })
}

serveMerges(workerData as string)
