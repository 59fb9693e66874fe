import { RecordMap } from '#lib/limits/record-map.ts'
import { FairShares, newShare, type Share } from './fair-queue.ts'
import { MOST_TRIES } from './kill-reason.ts'
import {
  type Call,
  type Listener,
  PoolError,
  type PoolOptions,
  type PoolRequest,
  PoolWorker,
  freeWorker,
  hungryWorker,
  mayPass,
  mayOpenWorker,
  nextCall,
} from './pool-worker.ts'
import { MOST_ID, type FromWorker, type ToWorker } from './serve-thread.ts'

/** Interval of checks on running tasks: a quarter of the time after which a task of a thread is slow. */
const SWEEP_MS = 25

/**
 * Workers that run tasks, one each at a time, not counting those that wait for the main thread. A task over its limits
 * fails with its worker; the other tasks of that worker restart. Queues share the time, slow tasks get extra workers.
 */
export class WorkerPool<Task, Result> implements AsyncDisposable {
  readonly #options: PoolOptions<Task>
  readonly #queue = new FairShares<Call<Task>>()
  readonly #shares = new RecordMap<Share<Call<Task>>>(newShare, ({ isActive }) => !isActive)
  readonly #workers = new Set<PoolWorker<Task>>()
  #lastId = 0
  #size = 0
  #sweep: NodeJS.Timeout | undefined
  #sweptAt = 0
  #wasLate = false
  #closed = false

  constructor(options: PoolOptions<Task>) {
    this.#options = options
    if (options.isPrepared) this.#open()
  }

  get size(): number {
    return this.#workers.size
  }

  /** Runs a task. Rejects with the program's error, `PoolError`, or the reason of the signal. */
  async run(request: PoolRequest<Task>): Promise<Result> {
    request.signal?.throwIfAborted()
    if (this.#closed) throw new PoolError('closed')
    if (this.isFull(request.queue)) throw new PoolError('full')
    const share = this.#shares.of(request.queue)
    share.isUrgent = request.isUrgent ?? false
    return new Promise<Result>((resolve, reject) => {
      const id = (this.#lastId = (this.#lastId % MOST_ID) + 1)
      const times = { runs: 0, asking: 0, since: 0, ranMs: 0, cpuMs: null }
      const call: Call<Task> = { id, request, share, resolve, reject, settled: false, ...times, controller: null }
      // Once per signal and pool, so that nothing has to be removed.
      request.signal?.addEventListener('abort', this.#onAbort, { once: true })
      this.#size++
      this.#queue.push(share, call)
      this.#dispatch()
    })
  }

  /** True if another task of this queue would be refused. */
  isFull(queue: string): boolean {
    const { queueLimit, totalLimit } = this.#options
    const share = this.#shares.get(queue)
    return this.#size >= totalLimit || (share !== undefined && share.waiting.length + share.inHand >= queueLimit)
  }

  /** Sends a note to every current worker. Later ones do not get it. */
  broadcast(note: unknown, except?: PoolWorker<Task>): void {
    for (const worker of this.#workers) if (worker !== except) worker.transport.post({ type: 'note', note })
  }

  /** Ends idle workers, to free memory for something else. The next task starts a new one. */
  async rest(): Promise<void> {
    const idle = [...this.#workers].filter(({ calls }) => calls.length === 0)
    await Promise.all(idle.map((worker) => this.#end(worker)))
  }

  /** Ends all workers. Unfinished tasks are rejected. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    clearInterval(this.#sweep)
    const workers = [...this.#workers]
    const unfinished = [...this.#queue.clear(), ...workers.flatMap(({ calls, ahead }) => [...calls, ...ahead])]
    for (const call of unfinished) this.#settle(call, () => call.reject(new PoolError('closed')))
    await Promise.all(workers.map((worker) => this.#end(worker)))
  }

  #dispatch(): void {
    const { workers, ahead, slowPerOwner } = this.#options
    while (!this.#closed && this.#queue.waiting > 0) {
      const free = freeWorker(this.#workers, workers)
      const mayOpen = free === undefined && mayOpenWorker(this.#workers, this.#options, this.#queue.waiting)
      const busy = free || mayOpen ? undefined : hungryWorker(this.#workers, ahead)
      const call = free || mayOpen || busy ? nextCall(this.#queue, this.#workers, slowPerOwner) : undefined
      if (call === undefined) break
      if (mayOpen) {
        if (this.#open()) continue
        break
      }
      if (free) this.#begin(free, call)
      else if (!busy || this.#isAlone(busy, call) || !busy.sendAhead(call)) break
      this.#queue.take(call.share)
    }
    const free = freeWorker(this.#workers, workers)
    // Lets an idle worker run what a busy one was given in advance.
    for (const worker of free ? this.#workers : []) {
      const call = worker.takeBack()
      if (free && call) return this.#begin(free, call)
    }
  }

  #isAlone(worker: PoolWorker<Task>, call: Call<Task>): boolean {
    const { isAlone } = this.#options
    if (isAlone === undefined) return false
    return [call, ...worker.calls, ...worker.ahead].some(({ request }) => isAlone(request.task))
  }

  /** Starts a worker. False if there is no memory for it. */
  #open(): boolean {
    const listener: Listener = {
      onMessage: (message) => this.#onMessage(worker, message),
      onEnd: (cause) => this.#onEnd(worker, cause),
    }
    const transport = this.#options.open(listener, this.#workers.size >= this.#options.workers)
    if (transport === null) return false
    const worker = new PoolWorker<Task>(transport)
    this.#workers.add(worker)
    return true
  }

  #begin(worker: PoolWorker<Task>, call: Call<Task>): void {
    worker.begin(call)
    this.#startSweeping()
  }

  #startSweeping(): void {
    if (this.#sweep) return
    this.#sweptAt = performance.now()
    this.#sweep = setInterval(() => this.#look(), SWEEP_MS).unref()
  }

  #onMessage(worker: PoolWorker<Task>, message: FromWorker): void {
    if (!this.#workers.has(worker)) return
    if (message.type === 'ready') {
      worker.isReady = true
      return this.#dispatch()
    }
    if (message.type === 'note')
      return this.#options.onNote?.(message.note as never, {
        others: (note) => this.broadcast(note, worker),
        back: (note) => worker.transport.post({ type: 'note', note }),
      })
    // A task that yields without a request lets the worker begin its next one.
    if (worker.ahead[0]?.id === message.id) worker.advance()
    const call = worker.calls.find(({ id }) => id === message.id)
    if (call === undefined) return
    if (worker.slow === call) worker.slow = null
    if (message.type === 'ask') return this.#answer(worker, call, message)
    worker.calls.splice(worker.calls.indexOf(call), 1)
    worker.done++
    this.#release(call)
    worker.advance()
    this.#rest(worker)
    if (message.type === 'done') this.#settle(call, () => call.resolve(message.value as never))
    else this.#settle(call, () => call.reject(message.error))
    this.#dispatch()
  }

  /** Serves a request of a task, and lets other tasks use the worker meanwhile. */
  #answer(worker: PoolWorker<Task>, call: Call<Task>, { ask, method, args }: FromWorker & { type: 'ask' }): void {
    const { id, runs, request } = call
    if (call.asking++ === 0) call.ranMs += performance.now() - call.since
    worker.advance()
    call.controller ??= new AbortController()
    if (call.settled) call.controller.abort()
    const reply = (message: ToWorker) => {
      if (call.runs !== runs || !worker.calls.includes(call)) return
      if (--call.asking === 0) call.since = performance.now()
      this.#startSweeping()
      worker.transport.post(message)
    }
    const answer = request.ask?.(method, args, call.controller.signal) ?? Promise.reject(new Error('Nobody answers.'))
    answer.then(
      (value) => reply({ type: 'reply', id, ask, value }),
      (error: unknown) => reply({ type: 'refuse', id, ask, error }),
    )
    this.#dispatch()
  }

  /** A single listener: one per task would keep the whole request of its task until a full collection. */
  readonly #onAbort = ({ target: signal }: Event): void => {
    const taken = [...this.#workers].flatMap(({ calls, ahead }) => [...calls, ...ahead])
    for (const call of [...this.#queue.jobs(), ...taken])
      if (call.request.signal === signal) this.#abort(call, call.request.signal?.reason)
  }

  #abort(call: Call<Task>, reason: unknown): void {
    const at = call.share.waiting.indexOf(call)
    if (at >= 0) this.#queue.remove(call.share, at)
    else
      for (const worker of this.#workers)
        if (worker.ahead.at(-1) === call && worker.takeBack()) this.#release(call, 0)
        else if (worker.ahead.includes(call) || worker.calls.includes(call))
          worker.transport.post({ type: 'abort', id: call.id })
    call.controller?.abort(reason)
    this.#settle(call, () => call.reject(reason))
  }

  #settle(call: Call<Task>, settle: () => void): void {
    if (call.settled) return
    call.settled = true
    this.#size--
    settle()
  }

  /** Records that a task has left its worker. */
  #release(call: Call<Task>, ranMs = call.ranMs + (call.asking > 0 ? 0 : performance.now() - call.since)): void {
    this.#queue.release(call.share, ranMs)
  }

  /** Checks for slow tasks, and tasks over their limit. */
  #look(): void {
    const now = performance.now()
    // This thread was busy itself, and results may be waiting: they are read before the next check.
    this.#wasLate = !this.#wasLate && now - this.#sweptAt > 4 * SWEEP_MS
    this.#sweptAt = now
    if (this.#wasLate) return
    const { deadlineMs, slowAfterMs } = this.#options
    let isAnyRunning = false
    for (const worker of this.#workers)
      for (const call of worker.calls) {
        if (call.asking > 0) continue
        isAnyRunning = true
        const over = worker.overLimit(call, call.request.deadlineMs ?? deadlineMs, now)
        if (over) {
          this.#lose(worker, call, new PoolError(over))
          break
        }
        if (worker.slow || now - call.since <= slowAfterMs) continue
        worker.slow = call
        for (let next = worker.takeBack(); next; next = worker.takeBack()) this.#queue.putBack(next.share, next)
        this.#dispatch()
      }
    if (isAnyRunning) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  /** A worker died unexpectedly. The longest-running task is assumed to be the cause. */
  #onEnd(worker: PoolWorker<Task>, cause: Error): void {
    if (!this.#workers.has(worker)) return
    const running = worker.calls.filter(({ asking }) => asking === 0)
    const [first] = running.toSorted((a, b) => a.since - b.since)
    this.#lose(worker, first, cause)
  }

  /** Removes a worker with the task that broke it. Its other tasks restart in other workers. */
  #lose(worker: PoolWorker<Task>, broken: Call<Task> | undefined, error: Error): void {
    for (const call of [...worker.calls, ...worker.ahead].toReversed()) {
      const isRetried = call !== broken || (this.#options.retries && mayPass(error, call.runs, worker.done))
      if (isRetried && !call.settled && call.runs < MOST_TRIES) this.#queue.putBack(call.share, call)
      else {
        this.#release(call, worker.ahead.includes(call) ? 0 : undefined)
        call.controller?.abort(error)
        this.#settle(call, () => call.reject(error))
      }
    }
    void this.#end(worker)
    // Otherwise a program that cannot start would be restarted forever.
    if (!worker.isReady) for (const call of this.#queue.clear()) this.#settle(call, () => call.reject(error))
    this.#dispatch()
  }

  /** Ends an idle worker after its time. */
  #rest(worker: PoolWorker<Task>): void {
    if (worker.calls.length > 0) return
    worker.transport.setBusy(false)
    const { workers, idleAfterMs, extraIdleMs, isPrepared } = this.#options
    const afterMs = this.#workers.size > workers ? extraIdleMs : idleAfterMs
    if (afterMs === 0) void this.#end(worker)
    if (afterMs === 0 || afterMs === Infinity) return
    const end = () => {
      if (idleAfterMs < Infinity || this.#workers.size > workers) void this.#end(worker)
      if (isPrepared && this.#workers.size === 0) this.#open()
    }
    worker.idle = setTimeout(end, afterMs).unref()
  }

  async #end(worker: PoolWorker<Task>): Promise<void> {
    this.#workers.delete(worker)
    clearTimeout(worker.idle)
    await worker.transport.end()
  }
}
