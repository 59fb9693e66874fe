import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Rejected } from './extract/extracted-page.ts'
import type { WorkerAnswer } from './page-worker.ts'
import type { PageTask, ProcessedPage } from './process-page.ts'

/** The worker was ended while it had this page in hand. */
export type Killed = { kind: 'killed'; reason: 'timeout' | 'memory' }

export type PageResult = ProcessedPage | Rejected | Killed

export type PagePoolOptions = {
  /** Threads; default one less than the processor has cores, at least one. */
  workers?: number
  /** Old-space limit of each thread in MB. */
  memoryMb?: number
  /** Milliseconds a page may take, from when its worker begins with it. */
  killAfterMs?: number
  /** Milliseconds without work after which a thread ends. */
  idleAfterMs?: number
}

/** The largest page a crawl accepts needs some 120 MB as a tree. */
const MEMORY_MB = 192
const KILL_AFTER_MS = 10_000
/** Outlives the pauses of most crawls, and ends while the segments of a finished one are joined, when memory is at its peak. */
const IDLE_AFTER_MS = 1_500
/** Pages waiting in each worker's line, so that it need not wait for this thread between two pages. */
const LINE = 3
/** Copying a page of this size costs less than a hundredth of reading it. Larger ones are transferred, and go alone. */
const COPY_LIMIT = 1 << 18

type Job = {
  task: PageTask
  resolve: (result: PageResult) => void
  reject: (error: unknown) => void
  settled: boolean
}

type Line = {
  worker: Worker
  /** In the worker's hands, the first being worked on. */
  jobs: Job[]
  timer: NodeJS.Timeout
}

/**
 * Worker threads that turn fetched documents into pages. A page that takes too long or too much memory costs its worker
 * and itself: the worker is replaced, and the pages that waited behind it are done by another.
 */
export class PagePool implements AsyncDisposable {
  readonly #options: Required<PagePoolOptions>
  readonly #waiting: Job[] = []
  readonly #lines = new Set<Line>()
  #closed = false

  constructor(options: PagePoolOptions = {}) {
    this.#options = {
      workers: Math.max(1, options.workers ?? availableParallelism() - 1),
      memoryMb: options.memoryMb ?? MEMORY_MB,
      killAfterMs: options.killAfterMs ?? KILL_AFTER_MS,
      idleAfterMs: options.idleAfterMs ?? IDLE_AFTER_MS,
    }
  }

  /** Threads that are alive now. */
  get size(): number {
    return this.#lines.size
  }

  /**
   * Processes one document. `task.bytes` may be transferred: do not use them afterwards. Rejects with the signal's
   * reason when aborted, and with the error itself when the extraction has a bug.
   */
  async process(task: PageTask, signal?: AbortSignal): Promise<PageResult> {
    if (this.#closed) throw new Error('The page pool is closed.')
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      const job: Job = { task, resolve: settle(resolve), reject: settle(reject), settled: false }
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
      this.#waiting.push(job)
      this.#dispatch()
    })
  }

  /** Ends all threads. Pages that are not done are rejected. */
  async close(): Promise<void> {
    this.#closed = true
    const lines = [...this.#lines]
    this.#lines.clear()
    const left = [...this.#waiting.splice(0), ...lines.flatMap((line) => line.jobs.splice(0))]
    for (const job of left) job.reject(new Error('The page pool was closed.'))
    await Promise.all(lines.map((line) => this.#end(line)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #dispatch(): void {
    for (let job = this.#next(); job !== undefined; job = this.#next()) {
      const line = this.#freeLine(job)
      if (line === undefined) return
      this.#waiting.shift()
      line.jobs.push(job)
      post(line.worker, job.task)
      if (line.jobs.length === 1) this.#watch(line)
    }
  }

  /** First job that someone still waits for. */
  #next(): Job | undefined {
    while (this.#waiting[0]?.settled === true) this.#waiting.shift()
    return this.#waiting[0]
  }

  /** The shortest line with room for the job, or a new one while there are fewer threads than allowed. */
  #freeLine(job: Job): Line | undefined {
    let best: Line | undefined
    for (const line of this.#lines) if (best === undefined || line.jobs.length < best.jobs.length) best = line
    if (best === undefined || (best.jobs.length > 0 && this.#lines.size < this.#options.workers)) return this.#open()
    if (best.jobs.length === 0) return best
    const alone = isLarge(job.task) || best.jobs.some(({ task }) => isLarge(task))
    return alone || best.jobs.length >= LINE ? undefined : best
  }

  #open(): Line {
    const worker = new Worker(new URL('./page-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.memoryMb },
    })
    const line: Line = { worker, jobs: [], timer: setTimeout(() => this.#onTimer(line), this.#options.killAfterMs) }
    line.timer.unref()
    worker.unref()
    worker.on('message', (answer: WorkerAnswer) => this.#onAnswer(line, answer))
    worker.on('error', (error) => this.#onError(line, error))
    this.#lines.add(line)
    return line
  }

  #onAnswer(line: Line, answer: WorkerAnswer): void {
    const job = line.jobs.shift()
    this.#watch(line)
    if (answer.ok) job?.resolve(answer.result)
    else job?.reject(answer.error)
    this.#dispatch()
  }

  /** The worker died by itself: of its memory limit, or of something no page explains. */
  #onError(line: Line, error: unknown): void {
    const outOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    const job = line.jobs.shift()
    if (outOfMemory) job?.resolve({ kind: 'killed', reason: 'memory' })
    else job?.reject(error)
    this.#replace(line)
  }

  /** Starts the clock of the page now first in line, or of idleness. */
  #watch(line: Line): void {
    clearTimeout(line.timer)
    const { killAfterMs, idleAfterMs } = this.#options
    const busy = line.jobs.length > 0
    line.timer = setTimeout(() => this.#onTimer(line), busy ? killAfterMs : idleAfterMs)
    if (busy) line.worker.ref()
    else {
      line.worker.unref()
      line.timer.unref()
    }
  }

  #onTimer(line: Line): void {
    const job = line.jobs[0]
    if (job === undefined) {
      this.#lines.delete(line)
      void this.#end(line)
      return
    }
    // When this thread was the one that was busy, the answer is already in the mailbox: let it be read first.
    setImmediate(() => {
      if (line.jobs[0] !== job || !this.#lines.has(line)) return
      line.jobs.shift()
      job.resolve({ kind: 'killed', reason: 'timeout' })
      this.#replace(line)
    })
  }

  /** Takes a worker out, and hands on what waited behind the page that broke it. */
  #replace(line: Line): void {
    this.#lines.delete(line)
    this.#waiting.unshift(...line.jobs.splice(0))
    void this.#end(line)
    this.#dispatch()
  }

  async #end(line: Line): Promise<void> {
    clearTimeout(line.timer)
    line.worker.removeAllListeners()
    // A worker that is being ended may still fail; nobody waits for it any more.
    line.worker.on('error', () => undefined)
    await line.worker.terminate()
  }
}

function isLarge({ bytes }: PageTask): boolean {
  return bytes.byteLength > COPY_LIMIT
}

function post(worker: Worker, task: PageTask): void {
  const { bytes } = task
  const { buffer } = bytes
  // A view into a larger buffer would be sent with all of it.
  const whole = bytes.byteOffset === 0 && bytes.byteLength === buffer.byteLength
  if (!isLarge(task)) worker.postMessage(whole ? task : { ...task, bytes: bytes.slice() })
  else if (whole && buffer instanceof ArrayBuffer) worker.postMessage(task, [buffer])
  else {
    const copy = new Uint8Array(bytes)
    worker.postMessage({ ...task, bytes: copy }, [copy.buffer])
  }
}
