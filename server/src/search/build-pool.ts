import { programAt } from '#lib/place.ts'
import { ProcessExit } from '#workers/child-process.ts'
import { TaskFault, openChildPool } from '#workers/children.ts'
import { MOST_TRIES } from '#workers/kill-reason.ts'
import { PoolError } from '#workers/pool-worker.ts'
import type { WorkerPool } from '#workers/worker-pool.ts'
import type { BuildTask, PageToBuild, PageToKeep, StoredPage } from './build-tasks.ts'

export type BuildPoolOptions = {
  /** Heap limit of the process in MB. Building uses mostly typed arrays outside the heap. */
  memoryMb?: number
  /** Idle time in milliseconds before the process ends. */
  idleAfterMs?: number
  /** As `TaskProcessOptions.hides`. */
  hides?: string
}

const MEMORY_MB = 384
/**
 * Longer than the usual interval between two publishes of a first crawl: a new process takes half a second and more of
 * processor time to compile its code. The idle one has 80 MB.
 */
const IDLE_AFTER_MS = 20_000

const SENTENCES: Readonly<Record<string, string>> = {
  crash: 'The process that builds segments crashed.',
  memory: 'The process that builds segments took too much memory.',
  ended: `The process that builds segments was ended from outside ${MOST_TRIES} times.`,
}

type Built = Uint8Array<ArrayBuffer> | null

/** Builds segments in a child process, one task at a time. The first one starts it, and idleness ends it. */
export class BuildPool implements AsyncDisposable {
  readonly #pool: WorkerPool<BuildTask, Built>

  constructor({ memoryMb: heapMb = MEMORY_MB, idleAfterMs = IDLE_AFTER_MS, hides }: BuildPoolOptions = {}) {
    this.#pool = openChildPool({
      program: programAt('search/build-worker'),
      heapMb,
      hides,
      // Memory outside the heap grows with the size of the source, and page authors cannot inflate it.
      memoryMb: Number.POSITIVE_INFINITY,
      idleAfterMs,
    })
  }

  get size(): number {
    return this.#pool.size
  }

  /** Builds a segment from pages. Rejects if a page is malformed, memory runs out or the pool is closed. */
  async build(pages: readonly (PageToBuild | StoredPage)[]): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = await this.#bytesOf({ kind: 'build', pages })
    if (bytes === null) throw new TypeError('A build gives a segment.')
    return bytes
  }

  /**
   * Merges segments, given oldest first, into one. Keeps only the pages in `keep`, in the copy with that text hash;
   * null keeps all. Returns null if a single segment would stay unchanged. Rejects like `build`, and with
   * `SegmentError` for a damaged segment.
   */
  async merge(segments: readonly Uint8Array[], keep: readonly PageToKeep[] | null = null): Promise<Built> {
    return this.#bytesOf({ kind: 'merge', segments, keep })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]()
  }

  async #bytesOf(task: BuildTask): Promise<Built> {
    try {
      return await this.#pool.run({ task, queue: 'builds' })
    } catch (error) {
      if (error instanceof PoolError && error.reason in SENTENCES) {
        throw new Error(SENTENCES[error.reason], { cause: error })
      }
      if (!(error instanceof TaskFault)) throw error
      if (!(error.cause instanceof ProcessExit)) throw error.cause
      throw new Error('The process that builds segments died.', { cause: error })
    }
  }
}
