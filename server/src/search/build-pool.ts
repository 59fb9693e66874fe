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

/** Processes that a task may lose to signals from outside. */
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
 * A process that builds and merges segments, one task at a time, so that this one goes on answering. It is started by
 * the first task and ends when idle, which gives its memory back; when it dies, the task that it was busy with is
 * rejected, or tried again where it was ended from outside, and the next one starts another.
 */
export class BuildPool implements AsyncDisposable {
  readonly #memoryMb: number
  readonly #idleAfterMs: number
  /** The first is in the worker's hands. */
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

  /** Gives the worker the task that is first in line. */
  #next(): void {
    const [job] = this.#jobs
    if (job === undefined) return
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    this.#worker.setBusy(true)
    this.#worker.post(job.task)
  }

  #start(): ApartProcess<BuildTask> {
    return openApartProcess<BuildTask, BuildAnswer>({
      program: new URL('./build-worker.ts', import.meta.url),
      heapMb: this.#memoryMb,
      // What it holds beside its heap follows the size of the source, and is not the stranger's choice.
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
