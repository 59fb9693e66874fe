import { type ApartProcess, openApartProcess } from '#lib/apart-process.ts'
import type { BuildTask, PageToBuild, PageToKeep, StoredPage } from './build-tasks.ts'
import type { BuildAnswer } from './build-worker.ts'

export type BuildPoolOptions = {
  /** Heap of the process in MB. Most of what building needs lies in typed arrays outside of it. */
  memoryMb?: number
  /** Milliseconds without work after which it ends. */
  idleAfterMs?: number
}

const MEMORY_MB = 384
/** Less than there is between two publishes of a first crawl, so that it gives back what the one before took. */
const IDLE_AFTER_MS = 1_500

type Job = {
  task: BuildTask
  resolve: (bytes: Uint8Array<ArrayBuffer> | null) => void
  reject: (error: unknown) => void
}

/**
 * A process that builds and merges segments, one task at a time, so that this one goes on answering. It is started by
 * the first task and ends when idle, which gives its memory back; when it dies, the tasks it was given are rejected, and
 * the next one starts another.
 */
export class BuildPool implements AsyncDisposable {
  readonly #memoryMb: number
  readonly #idleAfterMs: number
  /** In the worker's hands, the first being worked on. */
  #jobs: Job[] = []
  #worker: ApartProcess<BuildTask> | null = null
  #idle: NodeJS.Timeout | null = null
  #closed = false

  constructor({ memoryMb = MEMORY_MB, idleAfterMs = IDLE_AFTER_MS }: BuildPoolOptions = {}) {
    this.#memoryMb = memoryMb
    this.#idleAfterMs = idleAfterMs
  }

  /** A segment of the pages. Rejects when a page is malformed, memory does not suffice or the pool is closed. */
  async build(pages: readonly (PageToBuild | StoredPage)[]): Promise<Uint8Array<ArrayBuffer>> {
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

  /** Ends the process. Tasks that are not done are rejected. */
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
      worker.setBusy(true)
      worker.post(task)
    })
  }

  #start(): ApartProcess<BuildTask> {
    const worker = openApartProcess<BuildTask, BuildAnswer>({
      program: new URL('./build-worker.ts', import.meta.url),
      heapMb: this.#memoryMb,
      // What it holds beside its heap follows the size of the source, and is not the stranger's choice.
      memoryMb: Number.POSITIVE_INFINITY,
      onAnswer: (answer) => this.#onAnswer(answer),
      onEnd: (cause) => void this.#end(new Error('The process that builds segments died.', { cause })),
    })
    this.#worker = worker
    return worker
  }

  #onAnswer(answer: BuildAnswer): void {
    const job = this.#jobs.shift()
    if (this.#jobs.length === 0) {
      this.#worker?.setBusy(false)
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
    await worker.end()
  }
}
