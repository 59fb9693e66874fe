import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { threadEnvironment } from '#lib/thread-environment.ts'
import type { Merged } from './log-merger-thread.ts'

/**
 * Minimum time between two merges. Pages that change often are then copied once for many commits. At the most that
 * SQLite can write, 100 MB a second, the log stays below the size at which it merges within a commit.
 */
const EVERY_MS = 500
/** A shorter log is left for later, so that a quiet service starts no thread. */
const LEAST_BYTES = 4_000_000
/** The thread needs about 5 MB. */
const IDLE_MS = 60_000
/** In megabytes: slightly above the start size. */
const LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 }

/**
 * Merges the write-ahead log of a SQLite database in a thread ("checkpoint", https://sqlite.org/wal.html). A merge
 * waits for the disk for tens of milliseconds. SQLite itself would do it within a commit, which holds up all requests.
 */
export class LogMerger implements AsyncDisposable {
  readonly #path: string
  readonly #onError: (error: Error) => void
  #worker: Worker | null = null
  #isMerging = false
  #mergedAt = -EVERY_MS
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(path: string, onError: (error: Error) => void) {
    this.#path = path
    this.#onError = onError
  }

  /** To be called after each write. Returns immediately. */
  written(): void {
    if (this.#isMerging || this.#isClosed || performance.now() - this.#mergedAt < EVERY_MS) return
    this.#isMerging = true
    void this.#merge()
  }

  /** Ends the thread. Its handle would keep the last handle from removing the log. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.#end()
  }

  async #merge(): Promise<void> {
    const log = await stat(`${this.#path}-wal`).catch(() => null)
    if (log !== null && log.size >= LEAST_BYTES && !this.#isClosed) this.#thread().postMessage(null)
    else this.#finish()
  }

  #finish(): void {
    this.#mergedAt = performance.now()
    this.#isMerging = false
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref()
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(new URL('./log-merger-thread.ts', import.meta.url), {
      workerData: this.#path,
      env: threadEnvironment(),
      execArgv: [],
      resourceLimits: LIMITS,
    })
    worker.unref()
    worker.on('message', (merged: Merged) => {
      this.#finish()
      if (merged !== null) this.#onError(Object.assign(new Error(merged.message), { errcode: merged.errcode }))
    })
    worker.on('error', (error) => {
      this.#worker = null
      this.#finish()
      this.#onError(error)
    })
    this.#worker = worker
    return worker
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = null
    this.#isMerging = false
    await worker?.terminate()
  }
}
