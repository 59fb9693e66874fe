import { availableParallelism } from 'node:os'
import { type TaskProcess, type EndReason, ProcessExit, openChildProcess } from '#workers/child-process.ts'
import { startCpuDeadline } from '#workers/process-status.ts'
import { FairShares, type Share, newShare } from '#workers/fair-queue.ts'
import { type Killed, MOST_TRIES, faultOf } from '#workers/kill-reason.ts'
import type { MemoryShare, ReaderMemory } from '#workers/reader-memory.ts'
import type { WorkerAnswer, WorkerResult, WorkerTask } from './page-worker.ts'
import type { ListKind, ListTask, SiteList } from './read-list.ts'
import type { Rejected } from '#extract/extracted-page.ts'
import type { PageTask, ProcessedPage } from './process-page.ts'
import type { RobotsRules } from '#net/robots-rules.ts'

/** Pages queued per worker, so that it need not wait for this thread between pages. */
const LINE = 3
/** Larger pages are sent alone, so that no page waits long behind another. */
const LARGE = 1 << 18
/** Grace period for an answer that has arrived while this process was busy itself. */
const GRACE_MS = 100

type Job = {
  task: WorkerTask
  share: Share<Job>
  resolve: (result: WorkerResult | Killed) => void
  reject: (error: unknown) => void
  settled: boolean
  /** A process that had read other pages ran out of memory on this one, so it gets a fresh process. */
  isSecondTry: boolean
  /** Times that its process was ended from outside or got no CPU time. */
  interruptions: number
}

type Line = {
  worker: TaskProcess<WorkerTask>
  /** Set for an extra process. */
  share: MemoryShare | null
  /** Jobs sent to the worker; it works on the first. */
  jobs: Job[]
  /** Start of the first job or of idleness. */
  since: number
  /** The first job is slow, so no others are queued behind it. */
  isSlow: boolean
  /** Pages completed by this process. */
  done: number
  timer: NodeJS.Timeout | undefined
  /** Stops the CPU deadline of the first job. */
  stopClock: () => void
}

export type PagePoolOptions = {
  /** Number of processes, default one less than the processor cores, at least one. */
  workers?: number
  /** Heap per process in MB. */
  memoryMb?: number
  /** Milliseconds of CPU time per page, from the moment its worker starts it. */
  killAfterMs?: number
  /** Milliseconds after which a page is slow, and others stop waiting behind it. */
  slowAfterMs?: number
  /** Milliseconds of idleness after which a process ends. */
  idleAfterMs?: number
  /** Grants memory for the extra process started while a page is slow. Without it the process is always started. */
  memory?: ReaderMemory
  /** Called for bugs met on a page. */
  onFault?: (error: unknown, url: string) => void
}

/** Reads the documents of one crawl. */
export type PageReader = {
  /**
   * Processes one document. Rejects with the signal's reason when aborted, and with an error if no process can be
   * started.
   */
  process(task: PageTask, signal?: AbortSignal): Promise<PageResult>
  /** Reads a list of pages such as a sitemap; null if that exceeds the limits. Rejects as `process` does. */
  readList<K extends ListKind>(task: ListTask<K>, signal?: AbortSignal): Promise<SiteList<K> | null>
}
export type PageResult = ProcessedPage | Rejected | Killed

/** Memory beside the heap: the program, and the raw document. */
const BESIDE_HEAP_MB = 80

/**
 * Processes that turn fetched documents into pages. A page that exceeds its time or memory fails and ends its process.
 * A new process takes its place, and the pages queued behind go to another. A page that hits the memory limit is first
 * retried in a fresh process: memory of earlier pages may not be collected yet.
 *
 * Crawls share the pool in equal amounts of time. While a page is slow, one extra process serves the other crawls.
 */
export class PagePool implements AsyncDisposable {
  readonly #options: Required<Omit<PagePoolOptions, 'memory'>>
  readonly #memory: ReaderMemory | undefined
  readonly #shares = new FairShares<Job>()
  readonly #lines = new Set<Line>()
  #closed = false

  constructor(options: PagePoolOptions = {}) {
    this.#memory = options.memory
    this.#options = withDefaults(options)
  }

  /** Number of running processes. */
  get size(): number {
    return this.#lines.size
  }

  /** Opens a share of the pool for one crawl. It needs no release. */
  share(): PageReader {
    const share = newShare<Job>()
    return {
      process: async (task, signal) => (await this.#run(share, task, signal)) as PageResult,
      readList: async <K extends ListKind>(task: ListTask<K>, signal?: AbortSignal) => {
        const result = (await this.#run(share, task, signal)) as SiteList<K> | Killed
        return 'kind' in result ? null : result
      },
    }
  }

  /** Ends idle processes, to free memory for another task. The next page starts a new one. */
  async rest(): Promise<void> {
    const idle = [...this.#lines].filter(({ jobs }) => jobs.length === 0)
    for (const line of idle) this.#lines.delete(line)
    await Promise.all(idle.map((line) => this.#end(line)))
  }

  /** Ends all processes and rejects unfinished pages. */
  async close(): Promise<void> {
    this.#closed = true
    const lines = [...this.#lines]
    this.#lines.clear()
    const left = [...this.#shares.clear(), ...lines.flatMap((line) => line.jobs.splice(0))]
    for (const job of left) job.reject(new Error('The page pool was closed.'))
    await Promise.all(lines.map((line) => this.#end(line)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async #run(share: Share<Job>, task: WorkerTask, signal: AbortSignal | undefined): Promise<WorkerResult | Killed> {
    if (this.#closed) throw new Error('The page pool is closed.')
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      const settled = { settled: false, isSecondTry: false, interruptions: 0 }
      const job: Job = { task, share, resolve: settle(resolve), reject: settle(reject), ...settled }
      const abort = () => job.reject(signal?.reason)
      function settle<T>(then: (value: T) => void) {
        return (value: T) => {
          if (job.settled) return
          job.settled = true
          signal?.removeEventListener('abort', abort)
          then(value)
        }
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#shares.push(share, job)
      this.#dispatch()
    })
  }

  #dispatch(): void {
    for (let job = this.#next(); job !== undefined; job = this.#next()) {
      const line = this.#freeLine(job)
      if (line === undefined) return
      this.#shares.take(job.share)
      line.jobs.push(job)
      line.worker.post(job.task)
      if (line.jobs.length === 1) this.#watch(line)
    }
  }

  /** Returns the next unsettled job of the share whose turn it is. */
  #next(): Job | undefined {
    const now = performance.now()
    const running = (share: Share<Job>) => {
      let ms = 0
      for (const { jobs, since } of this.#lines) if (jobs[0]?.share === share) ms += now - since
      return ms
    }
    const slowOf = (share: Share<Job>) =>
      [...this.#lines].filter(({ isSlow, jobs }) => isSlow && jobs[0]?.share === share).length
    for (const share of this.#shares.inOrder(running)) {
      while (share.waiting[0]?.settled === true) share.waiting.shift()
      this.#shares.settle(share)
      const [job] = share.waiting
      // Slow pages of one crawl may occupy all regular processes, but not the extra one.
      if (job && slowOf(share) < this.#options.workers) return job
    }
    return undefined
  }

  /** Returns the shortest queue with room for the job, or a new process while fewer than allowed are running. */
  #freeLine({ task }: Job): Line | undefined {
    const { workers } = this.#options
    const lines = [...this.#lines].filter(({ isSlow }) => !isSlow).slice(0, workers)
    let best: Line | undefined
    for (const line of lines) if (best === undefined || line.jobs.length < best.jobs.length) best = line
    if (best === undefined && this.#lines.size < workers) return this.#open(null)
    if (best === undefined) return this.#lines.size === workers ? this.#openAdditional() : undefined
    if (best.jobs.length > 0 && this.#lines.size < workers) return this.#open(null)
    if (best.jobs.length === 0) return best
    const alone = isLarge(task) || best.jobs.some((job) => isLarge(job.task))
    return alone || best.jobs.length >= LINE ? undefined : best
  }

  /** Starts the extra process if its memory is granted. Otherwise jobs wait for the slow page. */
  #openAdditional(): Line | undefined {
    if (this.#memory === undefined) return this.#open(null)
    const share = this.#memory.tryReserve(this.#options.memoryMb + BESIDE_HEAP_MB)
    return share ? this.#open(share) : undefined
  }

  #open(share: MemoryShare | null): Line {
    const { memoryMb } = this.#options
    const worker = openChildProcess<WorkerTask, WorkerAnswer>({
      program: new URL('./page-worker.ts', import.meta.url),
      heapMb: memoryMb,
      memoryMb: memoryMb + BESIDE_HEAP_MB,
      onAnswer: (answer) => this.#onAnswer(line, answer),
      onEnd: (why) => this.#onEnd(line, why),
    })
    const stopClock = () => undefined
    const line: Line = {
      worker,
      share,
      jobs: [],
      since: performance.now(),
      isSlow: false,
      done: 0,
      timer: undefined,
      stopClock,
    }
    this.#lines.add(line)
    return line
  }

  #onAnswer(line: Line, answer: WorkerAnswer): void {
    const job = this.#takeFirst(line)
    line.done++
    this.#watch(line)
    if (answer.ok) job?.resolve(answer.result)
    else if (job) this.#fail(job, answer.error)
    this.#dispatch()
  }

  #fail(job: Job, error: unknown): void {
    const fault = faultOf(error)
    if (!fault) return job.reject(error)
    this.#options.onFault(error, job.task.url)
    job.resolve(fault)
  }

  #onEnd(line: Line, why: EndReason): void {
    const [first] = line.jobs
    if (first && !this.#isTriedAgain(first, why, line.done)) {
      this.#takeFirst(line)
      if (why instanceof ProcessExit) this.#fail(first, why)
      else if (why instanceof Error) first.reject(why)
      else first.resolve({ kind: 'killed', reason: why === 'killed' ? 'ended' : why })
    }
    this.#replace(line)
  }

  /** Returns whether a page that lost its process is retried. An outside kill says nothing about the page. */
  #isTriedAgain(job: Job, why: EndReason, done: number): boolean {
    if (why === 'killed') return ++job.interruptions < MOST_TRIES
    if (why instanceof Error || done === 0 || job.isSecondTry) return false
    job.isSecondTry = true
    return true
  }

  /** Removes the first job, and charges its time to its share. */
  #takeFirst(line: Line): Job | undefined {
    const job = line.jobs.shift()
    if (job) this.#shares.release(job.share, performance.now() - line.since)
    return job
  }

  /** Starts the deadline of the first job, or the idle timer. */
  #watch(line: Line): void {
    clearTimeout(line.timer)
    line.stopClock()
    const { slowAfterMs, killAfterMs, idleAfterMs } = this.#options
    const busy = line.jobs.length > 0
    line.since = performance.now()
    line.isSlow = false
    line.worker.setBusy(busy)
    if (busy) {
      line.timer = setTimeout(() => this.#onSlow(line), slowAfterMs)
      line.stopClock = startCpuDeadline(line.worker, {
        limitMs: killAfterMs,
        onOver: (why) => (line.timer = setTimeout(() => this.#giveUp(line, why), GRACE_MS)),
      })
    }
    // A process above the regular number ends at once.
    else if (this.#lines.size > this.#options.workers) this.#endIdle(line)
    else line.timer = setTimeout(() => this.#endIdle(line), idleAfterMs).unref()
  }

  #endIdle(line: Line): void {
    this.#lines.delete(line)
    void this.#end(line)
  }

  #onSlow(line: Line): void {
    line.isSlow = true
    this.#dispatch()
  }

  #giveUp(line: Line, why: 'timeout' | 'busy'): void {
    const [first] = line.jobs
    const isTriedAgain = why === 'busy' && first !== undefined && ++first.interruptions < MOST_TRIES
    if (!isTriedAgain) this.#takeFirst(line)?.resolve({ kind: 'killed', reason: why })
    this.#replace(line)
  }

  /** Removes a process, and requeues the jobs behind the page that broke it. */
  #replace(line: Line): void {
    this.#lines.delete(line)
    for (const job of line.jobs.splice(0).toReversed()) this.#shares.putBack(job.share, job)
    void this.#end(line)
    this.#dispatch()
  }

  async #end(line: Line): Promise<void> {
    clearTimeout(line.timer)
    line.stopClock()
    await line.worker.end()
    line.share?.release()
  }
}

function isLarge({ bytes }: WorkerTask): boolean {
  return bytes.byteLength > LARGE
}

/** Typical pages need some 30 MB, the largest accepted ones 70. */
const MEMORY_MB = 112

const KILL_AFTER_MS = 10_000
/** Nearly all pages take a hundredth of this; starting a process on a busy machine takes half. */
const SLOW_AFTER_MS = 2_000
/** Longer than the pauses of most crawls. */
const IDLE_AFTER_MS = 1_500

/** Returns the options with their defaults. */
function withDefaults(options: PagePoolOptions): Required<Omit<PagePoolOptions, 'memory'>> {
  return {
    workers: Math.max(1, options.workers ?? availableParallelism() - 1),
    memoryMb: options.memoryMb ?? MEMORY_MB,
    killAfterMs: options.killAfterMs ?? KILL_AFTER_MS,
    slowAfterMs: options.slowAfterMs ?? SLOW_AFTER_MS,
    idleAfterMs: options.idleAfterMs ?? IDLE_AFTER_MS,
    onFault: options.onFault ?? (() => undefined),
  }
}

/** Parses robots.txt files in the page pool, under a share that belongs to no crawl. */
export function parseRobotsInChild(pool: Pick<PagePool, 'share'>) {
  const reader = pool.share()
  return async (bytes: Uint8Array, productToken: string, url: string): Promise<RobotsRules | null> =>
    reader.readList({ list: 'robots', url, bytes, productToken })
}
