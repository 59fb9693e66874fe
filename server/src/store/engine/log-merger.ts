import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { programAt } from '#lib/place.ts'
import { threadEnvironment } from '#workers/isolation.ts'
import type { LogAnswer, LogTask, LogThreadData } from './log-merger-thread.ts'

/** Minimum time between two merges. Even at 100 MB a second, the log stays below the size at which SQLite merges. */
const EVERY_MS = 500
/** A shorter log is left for later, so that a quiet service starts no thread. */
const LEAST_BYTES = 4_000_000
/** The thread needs about 5 MB. */
const IDLE_MS = 60_000
/** In megabytes: slightly above the start size. */
const LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 }

/** Merges the write-ahead log in a thread (https://sqlite.org/wal.html), because a merge waits for the disk. */
export class LogMerger implements AsyncDisposable {
  readonly #path: string
  readonly #onError: (error: Error) => void
  /** Set by the thread, so that a write notices a complete merge before its message arrives. */
  readonly #isComplete = new Int32Array(new SharedArrayBuffer(4))
  #worker: Worker | null = null
  #task: Promise<void> | null = null
  #onAnswer = () => {}
  #mergedAt = -EVERY_MS
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(path: string, onError: (error: Error) => void) {
    this.#path = path
    this.#onError = onError
  }

  /** Await it before each write: after a complete merge, the thread first restarts the log. Never rejects. */
  async beforeWrite(): Promise<void> {
    if (Atomics.exchange(this.#isComplete, 0, 0) === 0) return
    // Keeps the process alive: this write may be its last work.
    this.#worker?.ref()
    await this.#task
    if (this.#worker !== null) await this.#start(this.#ask(this.#worker, 'restart'))
    this.#worker?.unref()
  }

  /** To be called after each write. Returns immediately. */
  written(): void {
    if (this.#task !== null || this.#isClosed || performance.now() - this.#mergedAt < EVERY_MS) return
    void this.#start(this.#merge())
  }

  /** Ends the thread. Its handle would keep the last handle from removing the log. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.#end()
  }

  #start(task: Promise<void>): Promise<void> {
    this.#task = task.then(() => {
      this.#mergedAt = performance.now()
      this.#task = null
      clearTimeout(this.#idle)
      this.#idle = this.#isClosed ? undefined : setTimeout(() => void this.#end(), IDLE_MS).unref()
    })
    return this.#task
  }

  async #merge(): Promise<void> {
    const log = await stat(`${this.#path}-wal`).catch(() => null)
    if (log !== null && log.size >= LEAST_BYTES && !this.#isClosed) await this.#ask(this.#thread(), 'merge')
  }

  /** Resolves after the task, also if it failed: errors are reported. */
  #ask(worker: Worker, task: LogTask): Promise<void> {
    return new Promise((resolve) => {
      this.#onAnswer = resolve
      worker.postMessage(task)
    })
  }

  #thread(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(programAt('store/engine/log-merger-thread'), {
      workerData: { path: this.#path, isComplete: this.#isComplete } satisfies LogThreadData,
      env: threadEnvironment(),
      execArgv: [],
      resourceLimits: LIMITS,
    })
    worker.unref()
    worker.on('message', (error: LogAnswer) => {
      this.#onAnswer()
      if (error !== null) this.#onError(Object.assign(new Error(error.message), { errcode: error.errcode }))
    })
    worker.on('error', (error) => this.#onError(error))
    // Otherwise writes would wait for the answer of an ended thread.
    worker.on('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = null
      this.#onAnswer()
    })
    this.#worker = worker
    return worker
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    const onAnswer = this.#onAnswer
    this.#worker = null
    await worker?.terminate()
    onAnswer()
  }
}
