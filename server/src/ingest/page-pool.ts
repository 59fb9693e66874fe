import { availableParallelism } from 'node:os'
import { type ApartProcess, openApartProcess } from '#lib/apart-process.ts'
import type { Rejected } from './extract/extracted-page.ts'
import type { WorkerAnswer } from './page-worker.ts'
import type { PageTask, ProcessedPage } from './process-page.ts'

/** The page could not be read: it took too much, or met a bug of ours. */
export type Killed = { kind: 'killed'; reason: 'timeout' | 'memory' | 'fault' }

export type PageResult = ProcessedPage | Rejected | Killed

export type PagePoolOptions = {
  /** Processes; default one less than the processor has cores, at least one. */
  workers?: number
  /** Heap of each in MB. */
  memoryMb?: number
  /** Milliseconds a page may take, from when its worker begins with it. */
  killAfterMs?: number
  /** Milliseconds without work after which one ends. */
  idleAfterMs?: number
  /** Hears of bugs that were met on a page. */
  onFault?: (error: unknown, url: string) => void
}

/** The largest page a crawl accepts needs some 120 MB as a tree. */
const MEMORY_MB = 192
/** Beside the heap: the program, and the document as it came. */
const BESIDE_HEAP_MB = 96
const KILL_AFTER_MS = 10_000
/** Outlives the pauses of most crawls. */
const IDLE_AFTER_MS = 1_500
/** Pages waiting in each worker's line, so that it need not wait for this thread between two pages. */
const LINE = 3
/** Larger pages go alone, so that none waits long behind another. */
const LARGE = 1 << 18
/** An answer may have come while this process was the one that was busy: it is let in before its page is given up. */
const GRACE_MS = 100

type Job = {
  task: PageTask
  resolve: (result: PageResult) => void
  reject: (error: unknown) => void
  settled: boolean
  /** A process ended over its memory with it, which may have been that of pages before. */
  isSecondTry: boolean
}

type Line = {
  worker: ApartProcess<PageTask>
  /** In the worker's hands, the first being worked on. */
  jobs: Job[]
  /** Pages that it is done with. */
  done: number
  timer: NodeJS.Timeout
}

/**
 * Processes that turn fetched documents into pages. A page that takes too long or too much memory costs its process and
 * itself: the process is replaced, and the pages that waited behind it are done by another. Of too much memory a page is
 * convicted only by a process of its own: what pages before it left is not always collected when it begins.
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
      onFault: options.onFault ?? (() => undefined),
    }
  }

  /** Processes that are alive now. */
  get size(): number {
    return this.#lines.size
  }

  /**
   * Processes one document. Rejects with the signal's reason when aborted, and with an error when no process can
   * be had to read it.
   */
  async process(task: PageTask, signal?: AbortSignal): Promise<PageResult> {
    if (this.#closed) throw new Error('The page pool is closed.')
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      const job: Job = { task, resolve: settle(resolve), reject: settle(reject), settled: false, isSecondTry: false }
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

  /** Ends the processes that have nothing to do now, for who is about to need the memory. The next page starts another. */
  async rest(): Promise<void> {
    const idle = [...this.#lines].filter(({ jobs }) => jobs.length === 0)
    for (const line of idle) this.#lines.delete(line)
    await Promise.all(idle.map((line) => this.#end(line)))
  }

  /** Ends all processes. Pages that are not done are rejected. */
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
      line.worker.post(job.task)
      if (line.jobs.length === 1) this.#watch(line)
    }
  }

  /** First job that someone still waits for. */
  #next(): Job | undefined {
    while (this.#waiting[0]?.settled === true) this.#waiting.shift()
    return this.#waiting[0]
  }

  /** The shortest line with room for the job, or a new one while there are fewer processes than allowed. */
  #freeLine(job: Job): Line | undefined {
    let best: Line | undefined
    for (const line of this.#lines) if (best === undefined || line.jobs.length < best.jobs.length) best = line
    if (best === undefined || (best.jobs.length > 0 && this.#lines.size < this.#options.workers)) return this.#open()
    if (best.jobs.length === 0) return best
    const alone = isLarge(job.task) || best.jobs.some(({ task }) => isLarge(task))
    return alone || best.jobs.length >= LINE ? undefined : best
  }

  #open(): Line {
    const { memoryMb } = this.#options
    const worker = openApartProcess<PageTask, WorkerAnswer>({
      program: new URL('./page-worker.ts', import.meta.url),
      heapMb: memoryMb,
      memoryMb: memoryMb + BESIDE_HEAP_MB,
      onAnswer: (answer) => this.#onAnswer(line, answer),
      onEnd: (why) => this.#onEnd(line, why),
    })
    const line: Line = {
      worker,
      jobs: [],
      done: 0,
      timer: setTimeout(() => this.#onTimer(line), this.#options.killAfterMs),
    }
    line.timer.unref()
    this.#lines.add(line)
    return line
  }

  #onAnswer(line: Line, answer: WorkerAnswer): void {
    const job = line.jobs.shift()
    line.done++
    this.#watch(line)
    if (answer.ok) job?.resolve(answer.result)
    else if (job) {
      this.#options.onFault(answer.error, job.task.url)
      job.resolve({ kind: 'killed', reason: 'fault' })
    }
    this.#dispatch()
  }

  /** It died by itself: of its memory, or of something no page explains. */
  #onEnd(line: Line, why: 'memory' | Error): void {
    const job = line.jobs[0]
    if (job && why === 'memory' && line.done > 0 && !job.isSecondTry) job.isSecondTry = true
    else {
      line.jobs.shift()
      if (why === 'memory') job?.resolve({ kind: 'killed', reason: 'memory' })
      else job?.reject(why)
    }
    this.#replace(line)
  }

  /** Starts the clock of the page now first in line, or of idleness. */
  #watch(line: Line): void {
    clearTimeout(line.timer)
    const { killAfterMs, idleAfterMs } = this.#options
    const busy = line.jobs.length > 0
    line.timer = setTimeout(() => this.#onTimer(line), busy ? killAfterMs : idleAfterMs)
    line.worker.setBusy(busy)
    if (!busy) line.timer.unref()
  }

  #onTimer(line: Line): void {
    const job = line.jobs[0]
    if (job === undefined) {
      this.#lines.delete(line)
      void this.#end(line)
      return
    }
    line.timer = setTimeout(() => {
      line.jobs.shift()
      job.resolve({ kind: 'killed', reason: 'timeout' })
      this.#replace(line)
    }, GRACE_MS)
  }

  /** Takes a process out, and hands on what waited behind the page that broke it. */
  #replace(line: Line): void {
    this.#lines.delete(line)
    this.#waiting.unshift(...line.jobs.splice(0))
    void this.#end(line)
    this.#dispatch()
  }

  async #end(line: Line): Promise<void> {
    clearTimeout(line.timer)
    await line.worker.end()
  }
}

function isLarge({ bytes }: PageTask): boolean {
  return bytes.byteLength > LARGE
}
