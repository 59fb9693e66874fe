import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** `isComplete` is set to 1 when a merge has left nothing in the log. */
export type LogThreadData = { path: string; isComplete: Int32Array }

export type LogTask = 'merge' | 'restart'

/** Answer of the thread: null, or the error. A structured clone of an error would lose SQLite's result code. */
export type LogAnswer = { errcode: number | undefined; message: string } | null

/** A commit can come between a pass and its end. The next pass then has a few pages to copy. */
const PASSES = 8
/** Another process writes or merges. The low byte of an extended code, https://sqlite.org/rescode.html. */
const BUSY = 5

/** Does a task with each message. Never waits for a lock. */
function serveTasks({ path, isComplete }: LogThreadData): void {
  const database = new DatabaseSync(path)
  // The first use of the handle, so that it does not wait for the lock of another process.
  database.exec('pragma busy_timeout = 0')
  database.exec('pragma synchronous = normal')
  // It reads nothing but the log.
  database.exec('pragma cache_size = 0')
  const merge = database.prepare('pragma wal_checkpoint(passive)')
  const tasks: Record<LogTask, () => void> = {
    merge() {
      for (let pass = 0; pass < PASSES; pass++) {
        const { busy, log, checkpointed } = merge.get() ?? {}
        if (busy !== 0) break
        // Otherwise new commits are appended instead of overwriting the log.
        if (log !== checkpointed) continue
        Atomics.store(isComplete, 0, 1)
        break
      }
    },
    restart: () => restartLog(database),
  }
  parentPort?.on('message', (task: LogTask) => {
    let answer: LogAnswer = null
    try {
      tasks[task]()
    } catch (error) {
      const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined
      if (errcode === undefined || (errcode & 0xff) !== BUSY) answer = { errcode, message: String(error) }
    }
    parentPort?.postMessage(answer)
  })
}

/** Makes the first commit after a complete merge, which restarts the log. It overwrites page 1 with itself. */
function restartLog(database: DatabaseSync): void {
  database.exec('begin immediate')
  try {
    const version = Number(database.prepare('pragma user_version').get()?.['user_version'])
    database.exec(`pragma user_version = ${version}`)
    database.exec('commit')
  } finally {
    if (database.isTransaction) database.exec('rollback')
  }
}

serveTasks(workerData as LogThreadData)
