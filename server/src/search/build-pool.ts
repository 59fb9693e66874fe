import { Worker } from 'node:worker_threads'
import type { BuildTask, PageToBuild, PageToKeep } from './build-tasks.ts'
import type { BuildAnswer } from './build-worker.ts'

export type BuildPoolOptions = {
  /** Old-space limit of the thread in MB. Most of what building needs lies in typed arrays outside of it. */
  memoryMb?: number
  /** Milliseconds without work after which the thread ends. */
  idleAfterMs?: number
}

const MEMORY_MB = 384
const IDLE_AFTER_MS = 5_000

type Job = {
  task: BuildTask
  resolve: (bytes: Uint8Array<ArrayBuffer> | null) => void
  reject: (error: unknown) => void
}

/**
 * A worker thread that builds and merges segments, one task at a time, so that the main thread goes on answering. It is
 * started by the first task and ends when idle; when it dies, the tasks it was given are rejected, and the next one
 * starts another.
 */
export class BuildPool implements AsyncDisposable {
  readonly #memoryMb: number
  readonly #idleAfterMs: number
  /** In the worker's hands, the first being worked on. */
  #jobs: Job[] = []
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | null = null
  #closed = false

  constructor({ memoryMb = MEMORY_MB, idleAfterMs = IDLE_AFTER_MS }: BuildPoolOptions = {}) {
    this.#memoryMb = memoryMb
    this.#idleAfterMs = idleAfterMs
  }

  /** A segment of the pages. Rejects when a page is malformed, memory does not suffice or the pool is closed. */
  async build(pages: readonly PageToBuild[]): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.#run({ kind: 'build', pages })
    if (bytes === null) throw new TypeError('A build gives a segment.')
    return bytes
  }

  /**
   * One segment of several, oldest first, with the pages of `keep` only (all when it is left out), each in the copy that
   * has the named text. Null when there is one segment and all of it stays. Rejects as `build` does, and with a
   * `SegmentError` when a segment is damaged.
   */
  async merge(
    segments: readonly Uint8Array[],
    keep: readonly PageToKeep[] | null = null,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.#run({ kind: 'merge', segments, keep })
  }

  /** Ends the thread. Tasks that are not done are rejected. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#end(new Error('The build pool was closed.'))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #run(task: BuildTask): Promise<Uint8Array<ArrayBuffer> | null> {
    if (this.#closed) throw new Error('The build pool is closed.')
    return new Promise((resolve, reject) => {
      const worker = this.#worker ?? this.#start()
      this.#jobs.push({ task, resolve, reject })
      if (this.#idle !== null) clearTimeout(this.#idle)
      worker.ref()
      worker.postMessage(task)
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('./build-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb },
    })
    worker.on('message', (answer: BuildAnswer) => this.#onAnswer(answer))
    worker.on('error', (cause) => void this.#end(new Error('The thread that builds segments died.', { cause })))
    this.#worker = worker
    return worker
  }

  #onAnswer(answer: BuildAnswer): void {
    const job = this.#jobs.shift()
    if (this.#jobs.length === 0) {
      this.#worker?.unref()
      this.#idle = setTimeout(() => void this.#end(new Error('The build pool was idle.')), this.#idleAfterMs)
      this.#idle.unref()
    }
    if (answer.ok) job?.resolve(answer.bytes)
    else job?.reject(answer.error)
  }

  async #end(reason: Error): Promise<void> {
    const worker = this.#worker
    const jobs = this.#jobs
    this.#worker = null
    this.#jobs = []
    if (this.#idle !== null) clearTimeout(this.#idle)
    for (const { reject } of jobs) reject(reason)
    if (worker === null) return
    worker.removeAllListeners()
    // A thread that is being ended may still fail; nobody waits for it any more.
    worker.on('error', () => undefined)
    await worker.terminate()
  }
}
