import { type TaskProcess, openChildProcess } from '#workers/child-process.ts'
import type { BuildTask, PageToBuild, PageToKeep, StoredPage } from './build-tasks.ts'
import type { BuildAnswer } from './build-worker.ts'

export type BuildPoolOptions = {
  /** Heap limit of the process in MB. Building uses mostly typed arrays outside the heap. */
  memoryMb?: number
  /** Idle time in milliseconds before the process ends. */
  idleAfterMs?: number
}

const MEMORY_MB = 384
/** Shorter than the interval between two publishes of a first crawl, so that memory is released in between. */
const IDLE_AFTER_MS = 1_500

/** Attempts per task if signals from outside kill the process. */
const MOST_TRIES = 3

const SENTENCES = {
  error: 'The process that builds segments died.',
  crash: 'The process that builds segments crashed.',
  memory: 'The process that builds segments took too much memory.',
  killed: `The process that builds segments was ended from outside ${MOST_TRIES} times.`,
} as const

type Job = {
  task: BuildTask
  tries: number
  resolve: (bytes: Uint8Array<ArrayBuffer> | null) => void
  reject: (error: unknown) => void
}

/**
 * Builds and merges segments in a child process, one task at a time, so that the main process stays responsive. The
 * first task starts the process, and idleness ends it to release memory. If it dies, its current task is rejected, or
 * retried after a signal from outside. The next task starts another process.
 */
export class BuildPool implements AsyncDisposable {
  readonly #memoryMb: number
  readonly #idleAfterMs: number
  /** Queue of tasks. The first one is in progress. */
  #jobs: Job[] = []
  #worker: TaskProcess<BuildTask> | null = null
  #idle: NodeJS.Timeout | null = null
  #closed = false

  constructor({ memoryMb = MEMORY_MB, idleAfterMs = IDLE_AFTER_MS }: BuildPoolOptions = {}) {
    this.#memoryMb = memoryMb
    this.#idleAfterMs = idleAfterMs
  }

  /** Builds a segment from pages. Rejects if a page is malformed, memory runs out or the pool is closed. */
  async build(pages: readonly (PageToBuild | StoredPage)[]): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.#run({ kind: 'build', pages })
    if (bytes === null) throw new TypeError('A build gives a segment.')
    return bytes
  }

  /**
   * Merges segments, given oldest first, into one. Keeps only the pages in `keep`, in the copy with that text hash;
   * null keeps all. Returns null if a single segment would stay unchanged. Rejects like `build`, and with
   * `SegmentError` for a damaged segment.
   */
  async merge(
    segments: readonly Uint8Array[],
    keep: readonly PageToKeep[] | null = null,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.#run({ kind: 'merge', segments, keep })
  }

  /** Ends the process and rejects unfinished tasks. */
  async close(): Promise<void> {
    this.#closed = true
    for (const { reject } of this.#jobs.splice(0)) reject(new Error('The build pool was closed.'))
    await this.#end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #run(task: BuildTask): Promise<Uint8Array<ArrayBuffer> | null> {
    if (this.#closed) throw new Error('The build pool is closed.')
    return new Promise((resolve, reject) => {
      this.#jobs.push({ task, tries: 0, resolve, reject })
      if (this.#jobs.length === 1) this.#next()
    })
  }

  /** Sends the first queued task to the worker. */
  #next(): void {
    const [job] = this.#jobs
    if (job === undefined) return
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    this.#worker.setBusy(true)
    this.#worker.post(job.task)
  }

  #start(): TaskProcess<BuildTask> {
    return openChildProcess<BuildTask, BuildAnswer>({
      program: new URL('./build-worker.ts', import.meta.url),
      heapMb: this.#memoryMb,
      // Memory outside the heap grows with the size of the source, and page authors cannot inflate it.
      memoryMb: Number.POSITIVE_INFINITY,
      onAnswer: (answer) => this.#onAnswer(answer),
      onEnd: (why) => {
        this.#worker = null
        const [job] = this.#jobs
        if (job && (why !== 'killed' || ++job.tries === MOST_TRIES)) {
          this.#jobs.shift()
          job.reject(new Error(SENTENCES[why instanceof Error ? 'error' : why], { cause: why }))
        }
        this.#next()
      },
    })
  }

  #onAnswer(answer: BuildAnswer): void {
    const job = this.#jobs.shift()
    this.#next()
    if (this.#jobs.length === 0) {
      this.#worker?.setBusy(false)
      this.#idle = setTimeout(() => void this.#end(), this.#idleAfterMs)
      this.#idle.unref()
    }
    if (answer.ok) job?.resolve(answer.bytes)
    else job?.reject(answer.error)
  }

  async #end(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    if (this.#idle !== null) clearTimeout(this.#idle)
    await worker?.end()
  }
}
