import { type EndReason, ProcessExit, type TaskProcess, openChildProcess } from './child-process.ts'
import { FairShares, type Share, newShare } from './fair-queue.ts'
import { type Killed, MOST_TRIES, killedBy } from './kill-reason.ts'
import { startCpuDeadline } from './process-status.ts'
import type { MemoryShare, ReaderMemory } from './reader-memory.ts'
import type { TaskAnswer } from './serve-child.ts'

export type ChildPoolOptions<Task> = {
  /** The program of the processes, which calls `serveTasks`. */
  program: URL
  /** Number of processes. */
  workers: number
  /** Heap per process, and heap and buffers together, in megabytes. */
  heapMb: number
  memoryMb: number
  /** Tasks sent to a process at once, so that it need not wait for this thread between them. */
  ahead: number
  /** A task for which the others do not wait behind it, nor it behind them. */
  isAlone?: (task: Task) => boolean
  /** Milliseconds of CPU time per task, from the moment its process starts it. Default: no limit. */
  killAfterMs?: number
  /** Milliseconds after which a task is slow, and the others get one extra process. Default: never. */
  slowAfterMs?: number
  /** Milliseconds of idleness after which a process ends. */
  idleAfterMs: number
  /** Grants memory for the extra process. Without it the process is always started. */
  memory?: ReaderMemory | undefined
}

/** The result of a task, the exception of its program, or the reason why the task was stopped. */
export type ChildResult<Result> = { kind: 'done'; value: Result } | { kind: 'failed'; error: unknown } | Killed

/** Grace period for an answer that has arrived while this process was busy itself. */
const GRACE_MS = 100

type Tries = {
  /** A process that had done other tasks ran out of memory on this one, so it gets a fresh process. */
  isSecondTry: boolean
  /** Times that its process was ended from outside or got no CPU time. */
  interruptions: number
}

type Job<Task, Result> = Tries & {
  task: Task
  share: Share<Job<Task, Result>>
  resolve: (result: ChildResult<Result>) => void
  reject: (error: unknown) => void
  settled: boolean
}

type Line<Task, Result> = {
  worker: TaskProcess<Task>
  /** Set for an extra process. */
  share: MemoryShare | null
  /** Jobs sent to the process; it works on the first. */
  jobs: Job<Task, Result>[]
  /** Start of the first job or of idleness. */
  since: number
  /** The first job is slow, so no others are queued behind it. */
  isSlow: boolean
  /** Tasks completed by this process. */
  done: number
  timers: NodeJS.Timeout[]
  /** Stops the CPU deadline of the first job. */
  stopClock: () => void
}

/**
 * Child processes that run tasks. A task that exceeds its time or memory fails and ends its process. A new process takes
 * its place, and the tasks sent behind go to another. A task that hits the memory limit is first retried in a fresh
 * process: memory of earlier tasks may not be collected yet. One whose process is ended from outside is retried too.
 *
 * Queues share the pool in equal amounts of time. While a task is slow, one extra process serves the other queues.
 */
export class ChildPool<Task, Result> implements AsyncDisposable {
  readonly #options: ChildPoolOptions<Task>
  readonly #shares = new FairShares<Job<Task, Result>>()
  readonly #lines = new Set<Line<Task, Result>>()
  #closed = false

  constructor(options: ChildPoolOptions<Task>) {
    this.#options = options
  }

  /** Number of running processes. */
  get size(): number {
    return this.#lines.size
  }

  /** Opens a queue, which needs no release. The function rejects with the signal's reason when aborted. */
  queue(): (task: Task, signal?: AbortSignal) => Promise<ChildResult<Result>> {
    const share = newShare<Job<Task, Result>>()
    return async (task, signal) => this.#run(share, task, signal)
  }

  /** Ends idle processes, to free memory for something else. The next task starts a new one. */
  async rest(): Promise<void> {
    const idle = [...this.#lines].filter(({ jobs }) => jobs.length === 0)
    for (const line of idle) this.#lines.delete(line)
    await Promise.all(idle.map(endLine))
  }

  /** Ends all processes and rejects unfinished tasks. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    const lines = [...this.#lines]
    this.#lines.clear()
    const left = [...this.#shares.clear(), ...lines.flatMap((line) => line.jobs.splice(0))]
    for (const job of left) job.reject(new Error('The pool was closed.'))
    await Promise.all(lines.map(endLine))
  }

  async #run(
    share: Share<Job<Task, Result>>,
    task: Task,
    signal: AbortSignal | undefined,
  ): Promise<ChildResult<Result>> {
    if (this.#closed) throw new Error('The pool is closed.')
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      const settled = { settled: false, isSecondTry: false, interruptions: 0 }
      const job: Job<Task, Result> = { task, share, resolve: settle(resolve), reject: settle(reject), ...settled }
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

  /** Returns the next unsettled job of the queue whose turn it is. */
  #next(): Job<Task, Result> | undefined {
    const now = performance.now()
    const running = (share: Share<Job<Task, Result>>) => {
      let ms = 0
      for (const { jobs, since } of this.#lines) if (jobs[0]?.share === share) ms += now - since
      return ms
    }
    const slowOf = (share: Share<Job<Task, Result>>) =>
      [...this.#lines].filter(({ isSlow, jobs }) => isSlow && jobs[0]?.share === share).length
    for (const share of this.#shares.inOrder(running)) {
      while (share.waiting[0]?.settled === true) share.waiting.shift()
      this.#shares.settle(share)
      const [job] = share.waiting
      // Slow tasks of one queue may occupy all regular processes, but not the extra one.
      if (job && slowOf(share) < this.#options.workers) return job
    }
    return undefined
  }

  /** Returns the shortest line with room for the job, or a new process while fewer than allowed are running. */
  #freeLine({ task }: Job<Task, Result>): Line<Task, Result> | undefined {
    const { workers, ahead, isAlone = () => false } = this.#options
    const lines = [...this.#lines].filter(({ isSlow }) => !isSlow).slice(0, workers)
    const [best] = lines.toSorted((a, b) => a.jobs.length - b.jobs.length)
    if (best === undefined && this.#lines.size < workers) return this.#open(null)
    if (best === undefined) return this.#lines.size === workers ? this.#openAdditional() : undefined
    if (best.jobs.length > 0 && this.#lines.size < workers) return this.#open(null)
    if (best.jobs.length === 0) return best
    const alone = isAlone(task) || best.jobs.some((job) => isAlone(job.task))
    return alone || best.jobs.length >= ahead ? undefined : best
  }

  /** Starts the extra process if its memory is granted. Otherwise jobs wait for the slow task. */
  #openAdditional(): Line<Task, Result> | undefined {
    if (this.#options.memory === undefined) return this.#open(null)
    const share = this.#options.memory.tryReserve(this.#options.memoryMb)
    return share ? this.#open(share) : undefined
  }

  #open(share: MemoryShare | null): Line<Task, Result> {
    const { program, heapMb, memoryMb } = this.#options
    const worker = openChildProcess<Task, TaskAnswer<Result>>({
      program,
      heapMb,
      memoryMb,
      onAnswer: (answer) => this.#onAnswer(line, answer),
      onEnd: (why) => this.#onEnd(line, why),
    })
    const idle = { since: performance.now(), isSlow: false, done: 0, timers: [], stopClock: () => undefined }
    const line: Line<Task, Result> = { worker, share, jobs: [], ...idle }
    this.#lines.add(line)
    return line
  }

  #onAnswer(line: Line<Task, Result>, answer: TaskAnswer<Result>): void {
    const job = this.#takeFirst(line)
    line.done++
    this.#watch(line)
    job?.resolve(answer.ok ? { kind: 'done', value: answer.value } : { kind: 'failed', error: answer.error })
    this.#dispatch()
  }

  #onEnd(line: Line<Task, Result>, why: EndReason): void {
    const [first] = line.jobs
    if (first && !isTriedAgain(first, why, line.done)) {
      this.#takeFirst(line)
      if (why instanceof ProcessExit) first.resolve({ kind: 'failed', error: why })
      else if (why instanceof Error) first.reject(why)
      else first.resolve(killedBy(why))
    }
    this.#replace(line)
  }

  /** Removes the first job, and charges its time to its queue. */
  #takeFirst(line: Line<Task, Result>): Job<Task, Result> | undefined {
    const job = line.jobs.shift()
    if (job) this.#shares.release(job.share, performance.now() - line.since)
    return job
  }

  /** Starts the deadline of the first job, or the idle timer. */
  #watch(line: Line<Task, Result>): void {
    stopTimers(line)
    const { slowAfterMs, killAfterMs, idleAfterMs, workers } = this.#options
    const busy = line.jobs.length > 0
    line.since = performance.now()
    line.isSlow = false
    line.worker.setBusy(busy)
    if (busy) {
      if (slowAfterMs !== undefined) line.timers.push(setTimeout(() => this.#onSlow(line), slowAfterMs))
      if (killAfterMs === undefined) return
      const onOver = (why: 'timeout' | 'busy') => line.timers.push(setTimeout(() => this.#giveUp(line, why), GRACE_MS))
      line.stopClock = startCpuDeadline(line.worker, { limitMs: killAfterMs, onOver })
    }
    // A process above the regular number ends at once.
    else if (this.#lines.size > workers) this.#endIdle(line)
    else line.timers.push(setTimeout(() => this.#endIdle(line), idleAfterMs).unref())
  }

  #endIdle(line: Line<Task, Result>): void {
    this.#lines.delete(line)
    void endLine(line)
  }

  #onSlow(line: Line<Task, Result>): void {
    line.isSlow = true
    this.#dispatch()
  }

  #giveUp(line: Line<Task, Result>, why: 'timeout' | 'busy'): void {
    const [first] = line.jobs
    const isAgain = why === 'busy' && first !== undefined && ++first.interruptions < MOST_TRIES
    if (!isAgain) this.#takeFirst(line)?.resolve({ kind: 'killed', reason: why })
    this.#replace(line)
  }

  /** Removes a process, and requeues the jobs behind the task that broke it. */
  #replace(line: Line<Task, Result>): void {
    this.#lines.delete(line)
    for (const job of line.jobs.splice(0).toReversed()) this.#shares.putBack(job.share, job)
    void endLine(line)
    this.#dispatch()
  }
}

/** Returns whether a task that lost its process is retried. An outside kill says nothing about the task. */
function isTriedAgain(job: Tries, why: EndReason, done: number): boolean {
  if (why === 'killed') return ++job.interruptions < MOST_TRIES
  if (why instanceof Error || done === 0 || job.isSecondTry) return false
  job.isSecondTry = true
  return true
}

function stopTimers(line: Pick<Line<unknown, unknown>, 'timers' | 'stopClock'>): void {
  for (const timer of line.timers.splice(0)) clearTimeout(timer)
  line.stopClock()
}

async function endLine(line: Pick<Line<unknown, unknown>, 'timers' | 'stopClock' | 'worker' | 'share'>): Promise<void> {
  stopTimers(line)
  await line.worker.end()
  line.share?.release()
}
