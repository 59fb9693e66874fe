import { RecordMap } from '#lib/limits/record-map.ts'
import { MOST_ID, type FromThread, type ToThread } from './serve-thread.ts'
import { PoolError, type PoolRequest, type PoolSettings, type ThreadPoolOptions, withDefaults } from './pool-options.ts'
import { PoolThread, type Call, freeThread, hungryThread, mayOpen, nextCall, takeBackAny } from './pool-thread.ts'
import { FairShares, newShare, type Share } from './fair-queue.ts'

/** Idle time after which an extra thread ends. Starting one takes about 200 ms. */
const EXTRA_IDLE_MS = 60_000
/** Interval of checks on running tasks: a quarter of the time after which a task is slow. */
const SWEEP_MS = 25
/** A task that has lost its thread to other tasks this often fails. That does not happen by chance. */
const MOST_RUNS = 3

/**
 * Worker threads that run tasks for the main thread. Each thread runs one task at a time, not counting tasks that wait
 * for the main thread or for their turn, and gets its next one in advance. A task that runs too long is failed together
 * with its thread, which is replaced; other tasks of that thread restart. Queues share the time fairly.
 */
export class ThreadPool<Task, Result> implements AsyncDisposable {
  readonly #options: PoolSettings
  readonly #queue = new FairShares<Call<Task>>()
  readonly #shares = new RecordMap<Share<Call<Task>>>(newShare, ({ isActive }) => !isActive)
  readonly #threads = new Set<PoolThread<Task>>()
  #lastId = 0
  #size = 0
  #sweep: NodeJS.Timeout | undefined
  #sweptAt = 0
  #closed = false

  constructor(options: ThreadPoolOptions) {
    this.#options = withDefaults(options)
  }

  /** Number of live threads. */
  get size(): number {
    return this.#threads.size
  }

  /**
   * Runs a task. Rejects with the program's error, with `PoolError`, or with the reason of the signal. On abort, a
   * running task is notified and its result dropped.
   */
  async run(request: PoolRequest<Task>): Promise<Result> {
    request.signal?.throwIfAborted()
    if (this.#closed) throw new PoolError('ended')
    if (this.isFull(request.queue)) throw new PoolError('busy')
    const share = this.#shares.of(request.queue)
    return new Promise<Result>((resolve, reject) => {
      const call: Call<Task> = {
        id: (this.#lastId = (this.#lastId % MOST_ID) + 1),
        request,
        share,
        resolve,
        reject,
        settled: false,
        runs: 0,
        asking: 0,
        since: 0,
        ranMs: 0,
        controller: null,
      }
      const { signal } = request
      if (signal) {
        const abort = () => this.#abort(call, signal.reason)
        signal.addEventListener('abort', abort, { once: true })
        call.resolve = (value) => (signal.removeEventListener('abort', abort), resolve(value))
        call.reject = (error) => (signal.removeEventListener('abort', abort), reject(error))
      }
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

  /** Sends a note to every current thread. Later threads do not get it. */
  broadcast(note: unknown, except?: PoolThread<Task>): void {
    for (const thread of this.#threads) if (thread !== except) thread.post({ type: 'note', note })
  }

  /** Ends all threads. Unfinished tasks are rejected. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#sweep)
    const threads = [...this.#threads]
    this.#threads.clear()
    const unfinished = this.#queue.clear()
    for (const { started, next } of threads.map((thread) => thread.clear()))
      unfinished.push(...started, ...(next ? [next] : []))
    for (const call of unfinished) this.#settle(call, () => call.reject(new PoolError('ended')))
    await Promise.all(threads.map(async (thread) => thread.terminate()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #dispatch(): void {
    if (this.#closed) return
    while (this.#queue.waiting > 0) {
      const free = freeThread(this.#threads, this.#options.threads)
      const mustOpen = free === undefined && mayOpen(this.#threads, this.#options.threads, this.#queue.waiting)
      const thread = free ?? hungryThread(this.#threads)
      const call = thread || mustOpen ? nextCall(this.#queue, this.#threads) : undefined
      if (call === undefined) break
      if (mustOpen || thread === undefined) return this.#open()
      if (thread === free) this.#begin(thread, call)
      else if (!thread.handAhead(call)) break
      this.#queue.take(call.share)
    }
    this.#takeOver()
  }

  /** Lets an idle thread run what a busy one was given in advance. */
  #takeOver(): void {
    const thread = freeThread(this.#threads, this.#options.threads)
    const call = thread && takeBackAny(this.#threads)
    if (thread && call) this.#begin(thread, call)
  }

  #open(): void {
    const thread: PoolThread<Task> = new PoolThread(this.#options, {
      onMessage: (from, message) => this.#onMessage(from, message),
      onEnd: (from, cause) => this.#onEnd(from, cause),
    })
    this.#threads.add(thread)
  }

  #begin(thread: PoolThread<Task>, call: Call<Task>): void {
    thread.begin(call)
    this.#sweep ??= this.#startSweeping()
  }

  #startSweeping(): NodeJS.Timeout {
    this.#sweptAt = performance.now()
    return setInterval(() => this.#look(), SWEEP_MS).unref()
  }

  #onMessage(thread: PoolThread<Task>, message: FromThread): void {
    if (!this.#threads.has(thread)) return
    if (message.type === 'ready') {
      thread.isReady = true
      return this.#dispatch()
    }
    if (message.type === 'note')
      return this.#options.onNote?.(message.note as never, {
        others: (note) => this.broadcast(note, thread),
        back: (note) => thread.post({ type: 'note', note }),
      })
    // A task that yields without a request lets the thread begin its next one.
    if (thread.next?.id === message.id) thread.advance()
    const call = thread.calls.find(({ id }) => id === message.id)
    if (call === undefined) return
    if (message.type === 'ask') return this.#answer(thread, call, message)
    thread.calls.splice(thread.calls.indexOf(call), 1)
    this.#release(call)
    if (message.type === 'done') this.#settle(call, () => call.resolve(message.value as never))
    else this.#settle(call, () => call.reject(message.error))
    thread.advance()
    this.#rest(thread)
    this.#dispatch()
  }

  /** Serves a request of a task, and lets other tasks use the thread meanwhile. */
  #answer(thread: PoolThread<Task>, call: Call<Task>, { ask, method, args }: FromThread & { type: 'ask' }): void {
    const { id, runs } = call
    if (call.asking++ === 0) call.ranMs += performance.now() - call.since
    thread.advance()
    call.controller ??= new AbortController()
    if (call.settled) call.controller.abort()
    const reply = (message: ToThread) => {
      if (call.runs !== runs || !thread.calls.includes(call)) return
      if (--call.asking === 0) call.since = performance.now()
      this.#sweep ??= this.#startSweeping()
      thread.post(message)
    }
    call.request.ask(method, args, call.controller.signal).then(
      (value) => reply({ type: 'reply', id, ask, value }),
      (error: unknown) => reply({ type: 'refuse', id, ask, error }),
    )
    thread.isSlow = false
    this.#dispatch()
  }

  #abort(call: Call<Task>, reason: unknown): void {
    const at = call.share.waiting.indexOf(call)
    if (at >= 0) {
      call.share.waiting.splice(at, 1)
      this.#queue.settle(call.share)
      forgetIdle(call)
    } else
      for (const thread of this.#threads)
        if (thread.next === call && thread.takeBack()) this.#release(call, 0)
        else if (thread.next === call || thread.calls.includes(call)) thread.post({ type: 'abort', id: call.id })
    call.controller?.abort(reason)
    this.#settle(call, () => call.reject(reason))
  }

  #settle(call: Call<Task>, settle: () => void): void {
    if (call.settled) return
    call.settled = true
    this.#size--
    settle()
  }

  /** Records that a task has left its thread. */
  #release(call: Call<Task>, ranMs = call.ranMs + (call.asking > 0 ? 0 : performance.now() - call.since)): void {
    this.#queue.release(call.share, ranMs)
    forgetIdle(call)
  }

  /** Checks for slow tasks, and tasks over their deadline. */
  #look(): void {
    const now = performance.now()
    // The main thread was busy itself, and results may be waiting.
    const wasLate = now - this.#sweptAt > 4 * SWEEP_MS
    this.#sweptAt = now
    if (wasLate) return
    let isAnyRunning = false
    for (const thread of this.#threads)
      for (const call of thread.calls) {
        if (call.asking > 0) continue
        isAnyRunning = true
        if (call.ranMs + now - call.since > this.#options.deadlineMs) {
          this.#lose(thread, call, new PoolError('deadline'))
          break
        }
        if (!thread.isSlow && now - call.since > this.#options.slowAfterMs) {
          thread.isSlow = true
          const next = thread.takeBack()
          if (next) this.#queue.putBack(next.share, next)
          this.#dispatch()
        }
      }
    if (isAnyRunning) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  /** A thread died unexpectedly. The longest-running task is assumed to be the cause. */
  #onEnd(thread: PoolThread<Task>, cause: Error): void {
    if (!this.#threads.has(thread)) return
    const running = thread.calls.filter(({ asking }) => asking === 0)
    const [first] = running.toSorted((a, b) => a.since - b.since)
    const isMemory = 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
    this.#lose(thread, first, new PoolError(isMemory ? 'memory' : 'ended', { cause }))
  }

  /** Removes a thread with the task that broke it. Its other tasks restart in other threads. */
  #lose(thread: PoolThread<Task>, broken: Call<Task> | undefined, error: PoolError): void {
    this.#threads.delete(thread)
    const { started, next } = thread.clear()
    if (next) this.#queue.putBack(next.share, next)
    for (const call of started.toReversed()) {
      const isOver = call === broken || call.settled || call.runs >= MOST_RUNS
      if (!isOver) this.#queue.putBack(call.share, call)
      else {
        this.#release(call)
        call.controller?.abort(error)
        this.#settle(call, () => call.reject(error))
      }
    }
    void thread.terminate()
    // Otherwise a program that cannot start would be restarted forever.
    if (!thread.isReady) for (const call of this.#queue.clear()) this.#settle(call, () => call.reject(error))
    this.#dispatch()
  }

  #rest(thread: PoolThread<Task>): void {
    if (!thread.isRunning) thread.isSlow = false
    if (thread.calls.length > 0 || this.#threads.size <= this.#options.threads) return
    thread.idle = setTimeout(() => {
      if (thread.calls.length > 0 || this.#threads.size <= this.#options.threads) return
      this.#threads.delete(thread)
      void thread.terminate()
    }, EXTRA_IDLE_MS).unref()
  }
}

/** A queue returns from idle time without debt. */
function forgetIdle<Task>({ share }: Call<Task>): void {
  if (!share.isActive) share.spentMs = 0
}
