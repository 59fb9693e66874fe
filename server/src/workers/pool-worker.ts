import { overLimit } from './process-status.ts'
import type { FairShares, Share } from './fair-queue.ts'
import type { FromWorker, ToWorker } from './serve-thread.ts'

/** A task with its context. */
export type PoolRequest<Task> = {
  task: Task
  /** Queues share the time equally. */
  queue: string
  /** Runs before all tasks of other queues. */
  isUrgent?: boolean
  /** Owner of slow tasks, by default the queue. See `slowPerOwner`. */
  owner?: string
  /** Input bytes of programs that read a payload. */
  payload?: Uint8Array | undefined
  /** Replaces the deadline of the pool. */
  deadlineMs?: number
  /** Serves a request of the task. A task that loses its worker to another runs again and repeats its requests. */
  ask?(method: string, args: unknown[], signal: AbortSignal): Promise<unknown>
  signal?: AbortSignal | undefined
}

export type PoolOptions<Task> = {
  /** Starts a worker. Null if there is no memory for it, which only `isExtra` ones may lack. */
  open(listener: Listener, isExtra: boolean): Transport | null
  /** Concurrent workers, and further ones while some are slow. */
  workers: number
  extraWorkers: number
  /** Workers that start at once: more would take the processors from those that run. Counts those that tell when they are ready. */
  startsAtOnce: number
  /** Tasks sent to a busy worker in advance, so that it need not wait for this thread between them. */
  ahead: number
  /** A task for which the others do not wait behind it, nor it behind them. */
  isAlone?: ((task: Task) => boolean) | undefined
  /** Maximum running time of a task in milliseconds, without its waits for the main thread. */
  deadlineMs: number
  /** Milliseconds after which a running task is slow. Tasks of other owners then get an extra worker. */
  slowAfterMs: number
  /** Number of slow tasks at which no other task of their owner starts. */
  slowPerOwner: number
  /** Milliseconds of idleness after which a worker ends, and an extra one. */
  idleAfterMs: number
  extraIdleMs: number
  /** Keeps a worker ready for the first task, a new one after an idle one has ended. */
  isPrepared?: boolean | undefined
  /** Maximum waiting and running tasks, per queue and in total. Further ones are refused. */
  queueLimit: number
  totalLimit: number
  /** A task may run again although it broke its worker, if that may not be its fault. */
  retries: boolean
  /** Called with a note from a worker. Responses go `back` to it, or to the `others`. */
  onNote?: ((note: never, send: Record<'others' | 'back', (note: unknown) => void>) => void) | undefined
}

/** What a worker tells its pool. */
export type Listener = {
  onMessage(message: FromWorker): void
  /** The worker died. Nothing follows. */
  onEnd(cause: Error): void
}

/** A thread or a child process that runs tasks. */
export type Transport = {
  /** False if the worker tells when it takes tasks (`ready`). */
  readonly startsReady: boolean
  post(message: ToWorker): void
  /** True if the task may be sent in advance (`next`). The worker begins it after the running one. */
  offer(id: number): boolean
  /** True if a task sent in advance is taken back: the worker will not begin it. */
  takeBack(id: number): boolean
  /** A busy worker keeps this process alive. */
  setBusy(busy: boolean): void
  /** Processor time used so far in milliseconds. Null if only elapsed time counts. */
  cpuMs(): number | null
  /** Ends the worker immediately. */
  end(): Promise<unknown>
}

/** Why a pool did not finish a task, see `MESSAGES`. */
export class PoolError extends Error {
  override name = 'PoolError'
  readonly reason: keyof typeof MESSAGES

  constructor(reason: PoolError['reason'], options: ErrorOptions = {}) {
    super(MESSAGES[reason], options)
    this.reason = reason
  }
}

const MESSAGES = {
  full: 'Too many tasks are waiting.',
  deadline: 'The task ran for too long and was ended.',
  busy: 'The machine was too busy for the task.',
  memory: 'The task took too much memory and was ended.',
  crash: 'The task crashed its process.',
  ended: 'The thread or process of the task ended.',
  closed: 'The pool was closed.',
}

/** A task in the pool, waiting or started. */
export type Call<Task> = {
  id: number
  request: PoolRequest<Task>
  share: Share<Call<Task>>
  resolve: (value: never) => void
  reject: (error: unknown) => void
  settled: boolean
  /** Number of starts. */
  runs: number
  /** Pending requests to the main thread. The task does not run while there are any. */
  asking: number
  /** Start of the current run, milliseconds of earlier runs, and processor time of the worker at the start. */
  since: number
  ranMs: number
  cpuMs: number | null
  /** Created on its first request. */
  controller: AbortController | null
}

/** A worker of a pool with its tasks. */
export class PoolWorker<Task> {
  isReady: boolean
  /** The task that runs for long. Its worker gets no other in advance. */
  slow: Call<Task> | null = null
  /** Started tasks, and those sent in advance, in their order. Arrays, because both change all the time (see `RecordMap`). */
  readonly calls: Call<Task>[] = []
  readonly ahead: Call<Task>[] = []
  done = 0
  /** Ends the worker when it has been idle for long. */
  idle: NodeJS.Timeout | undefined
  readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
    this.isReady = transport.startsReady
  }

  /** True while a task runs and does not wait for the main thread. */
  get isRunning(): boolean {
    return this.calls.some(({ asking }) => asking === 0)
  }

  begin(call: Call<Task>): void {
    clearTimeout(this.idle)
    this.transport.setBusy(true)
    this.#start(call)
    this.#send('task', call)
  }

  /** Sends a busy worker a further task. False if it cannot take that one yet. */
  sendAhead(call: Call<Task>): boolean {
    if (!this.transport.offer(call.id)) return false
    this.ahead.push(call)
    this.#send('next', call)
    return true
  }

  /** Takes back a task sent in advance. Undefined if there is none, or the worker has begun it. */
  takeBack(): Call<Task> | undefined {
    const call = this.ahead.at(-1)
    return call && this.transport.takeBack(call.id) ? this.ahead.pop() : undefined
  }

  /** Records that the running task has ended or asks, so that the worker begins its next one. */
  advance(): void {
    const next = this.ahead.shift()
    if (next) this.#start(next)
  }

  /** Why a running task has exceeded its limit, or null. */
  overLimit(call: Call<Task>, limitMs: number, now: number): 'deadline' | 'busy' | null {
    const elapsedMs = call.ranMs + now - call.since
    if (elapsedMs < limitMs) return null
    const cpuMs = call.cpuMs === null ? null : this.transport.cpuMs()
    return overLimit({ elapsedMs, cpuMs: cpuMs === null ? null : cpuMs - (call.cpuMs ?? 0) }, limitMs)
  }

  #send(type: 'task' | 'next', { id, request: { task, payload } }: Call<Task>): void {
    this.transport.post(payload === undefined ? { type, id, task } : { type, id, task, payload })
  }

  #start(call: Call<Task>): void {
    call.runs++
    call.asking = 0
    call.ranMs = 0
    call.since = performance.now()
    call.cpuMs = this.transport.cpuMs()
    this.calls.push(call)
  }
}

const ownerOf = <Task>({ request }: Call<Task>): string => request.owner ?? request.queue

/** The next waiting call: that of the queue with the least time, unless its owner has `slowPerOwner` slow tasks. */
export function nextCall<Task>(
  queue: FairShares<Call<Task>>,
  workers: ReadonlySet<PoolWorker<Task>>,
  slowPerOwner: number,
): Call<Task> | undefined {
  const now = performance.now()
  const runningOf = (share: Share<Call<Task>>) => {
    let ms = 0
    for (const { calls } of workers)
      for (const call of calls) if (call.share === share && call.asking === 0) ms += now - call.since
    return ms
  }
  const isBlocked = (owner: string) =>
    [...workers].filter(({ slow }) => slow && ownerOf(slow) === owner).length >= slowPerOwner
  const next = queue.inOrder(runningOf).map(({ waiting }) => waiting[0])
  return next.find((call) => call && !isBlocked(ownerOf(call)))
}

/** A ready worker, if fewer than `limit` run tasks, not counting slow ones. */
export function freeWorker<Task>(workers: ReadonlySet<PoolWorker<Task>>, limit: number): PoolWorker<Task> | undefined {
  let busy = 0
  let free: PoolWorker<Task> | undefined
  for (const worker of workers) {
    if (worker.isRunning) busy += worker.slow ? 0 : 1
    else if (worker.isReady) free ??= worker
  }
  return busy < limit ? free : undefined
}

/** The busy worker with the fewest tasks in advance, fewer than `most`. Nobody knows when a slow one will end. */
export function hungryWorker<Task>(workers: ReadonlySet<PoolWorker<Task>>, most: number): PoolWorker<Task> | undefined {
  let hungry: PoolWorker<Task> | undefined
  for (const worker of workers) {
    const isLeast = worker.ahead.length < (hungry?.ahead.length ?? most)
    if (isLeast && worker.slow === null && worker.isRunning) hungry = worker
  }
  return hungry
}

/** True if `waiting` tasks need more workers, and more are allowed. */
export function mayOpenWorker<Task>(
  all: ReadonlySet<PoolWorker<Task>>,
  { workers, extraWorkers, startsAtOnce }: Pick<PoolOptions<never>, 'workers' | 'extraWorkers' | 'startsAtOnce'>,
  waiting: number,
): boolean {
  const starting = [...all].filter(({ isReady }) => !isReady).length
  const usable = [...all].filter(({ slow }) => slow === null).length
  return usable < workers && starting < Math.min(waiting, startsAtOnce) && all.size < workers + extraWorkers
}

/** True if a task may succeed although it broke its worker: earlier tasks may have left memory uncollected. */
export function mayPass(error: Error, runs: number, done: number): boolean {
  if (!(error instanceof PoolError)) return false
  if (error.reason === 'ended' || error.reason === 'busy') return true
  return (error.reason === 'memory' || error.reason === 'crash') && done > 0 && runs === 1
}
