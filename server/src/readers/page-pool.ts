import { availableParallelism } from 'node:os'
import { type Trace, traceOf } from '#lib/trace.ts'
import type { Rejected } from '#extract/extracted-page.ts'
import { programAt } from '#lib/place.ts'
import type { RobotsRules } from '#net/robots-rules.ts'
import { openChildPool, resultOf } from '#workers/children.ts'
import type { Killed, OnFault } from '#workers/kill-reason.ts'
import type { ReaderMemory } from '#workers/reader-memory.ts'
import type { WorkerPool } from '#workers/worker-pool.ts'
import type { WorkerResult, WorkerTask } from './page-worker.ts'
import type { PageTask, ProcessedPage } from './process-page.ts'
import type { ListKind, ListTask, SiteList } from './read-list.ts'

export type PagePoolOptions = {
  /** Number of processes, default one less than the processor cores, at least one. */
  workers?: number
  /** Heap per process in MB. */
  memoryMb?: number
  killAfterMs?: number
  slowAfterMs?: number
  idleAfterMs?: number
  memory?: ReaderMemory
  /** Called for bugs met on a page. */
  onFault?: OnFault
  /** Called with what each document gave. */
  onRead?: ((result: PageResult['kind']) => void) | undefined
  trace?: Trace | undefined
}

export type PageResult = ProcessedPage | Rejected | Killed

/** Reads the documents of one crawl. */
export type PageReader = {
  /** Processes one document. Rejects with the signal's reason, and with an error if no process can be started. */
  process(task: PageTask, signal?: AbortSignal): Promise<PageResult>
  /** Reads a list of pages such as a sitemap; null if that exceeds the limits. Rejects as `process` does. */
  readList<K extends ListKind>(task: ListTask<K>, signal?: AbortSignal): Promise<SiteList<K> | null>
}

/** Larger pages are sent alone, so that no page waits long behind another. */
const LARGE = 1 << 18
/** Typical pages need some 30 MB, the largest accepted ones 70. */
const MEMORY_MB = 112
/** Memory beside the heap: the program, and the raw document. */
const BESIDE_HEAP_MB = 80
/**
 * Nearly all pages take a hundredth of the time after which one is slow; starting a process takes half. An idle process
 * lives longer than most pauses.
 */
const TIMES = { slowAfterMs: 2_000, idleAfterMs: 1_500, killAfterMs: 10_000 }

/** Processes that turn fetched documents into pages. Crawls share them in equal amounts of time. */
export class PagePool implements AsyncDisposable {
  readonly #pool: WorkerPool<WorkerTask, WorkerResult>
  readonly #onFault: OnFault | undefined
  readonly #onRead: PagePoolOptions['onRead']
  readonly #trace: Trace
  #shares = 0

  constructor({
    workers,
    memoryMb: heapMb = MEMORY_MB,
    onFault,
    onRead,
    trace,
    memory,
    ...times
  }: PagePoolOptions = {}) {
    this.#onFault = onFault
    this.#onRead = onRead
    this.#trace = trace ?? traceOf(null)
    const { killAfterMs: deadlineMs, ...others } = { ...TIMES, ...times }
    this.#pool = openChildPool({
      program: programAt('readers/page-worker'),
      workers: Math.max(1, workers ?? availableParallelism() - 1),
      heapMb,
      memoryMb: heapMb + BESIDE_HEAP_MB,
      ahead: 2,
      isAlone: ({ bytes }) => bytes.byteLength > LARGE,
      deadlineMs,
      ...others,
      memory,
    })
  }

  get size(): number {
    return this.#pool.size
  }

  /** Opens a share of the pool for one crawl. It needs no release. */
  share(): PageReader {
    const queue = `${++this.#shares}`
    const read = async (task: WorkerTask, signal?: AbortSignal): Promise<WorkerResult | Killed> => {
      const result = await resultOf(this.#pool.run({ task, queue, signal }), task.url, this.#onFault)
      return result.kind === 'done' ? result.value : result
    }
    return {
      process: async (task, signal) => {
        const result = (await this.#trace('parse', () => read(task, signal))) as PageResult
        this.#onRead?.(result.kind)
        return result
      },
      readList: async <K extends ListKind>(task: ListTask<K>, signal?: AbortSignal) => {
        const result = (await read(task, signal)) as SiteList<K> | Killed
        return 'kind' in result ? null : result
      },
    }
  }

  /** Ends idle processes, to free memory for another task. The next page starts a new one. */
  async rest(): Promise<void> {
    await this.#pool.rest()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]()
  }
}

/** Parses robots.txt files in the page pool, under a share that belongs to no crawl. */
export function parseRobotsInChild(pool: Pick<PagePool, 'share'>) {
  const reader = pool.share()
  return async (bytes: Uint8Array, productToken: string, url: string): Promise<RobotsRules | null> =>
    reader.readList({ list: 'robots', url, bytes, productToken })
}
