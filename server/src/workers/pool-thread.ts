import { Worker } from 'node:worker_threads'
import { claim, type Claims, mayOffer, newClaims, offer, type FromThread, type ToThread } from './serve-thread.ts'
import { threadEnvironment } from './isolation.ts'
import type { PoolSettings, PoolRequest } from './pool-options.ts'
import type { FairShares, Share } from './fair-queue.ts'

type Listener<Task> = {
  onMessage(thread: PoolThread<Task>, message: FromThread): void
  /** The thread died. */
  onEnd(thread: PoolThread<Task>, cause: Error): void
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
  /** Start of the current run, and milliseconds of earlier runs. */
  since: number
  ranMs: number
  /** Created on its first request. */
  controller: AbortController | null
}

/** A thread of a `ThreadPool` with its tasks. */
export class PoolThread<Task> {
  isReady = false
  isSlow = false
  /** Started tasks in their order. An array, because calls are added and removed all the time (see `RecordMap`). */
  readonly calls: Call<Task>[] = []
  /** Ends the thread when it has been idle for long. */
  idle: NodeJS.Timeout | undefined
  readonly #worker: Worker
  readonly #claims: Claims = newClaims()
  #next: Call<Task> | null = null

  constructor({ program, data, limits }: PoolSettings, listener: Listener<Task>) {
    this.#worker = new Worker(program, {
      workerData: data,
      env: threadEnvironment(),
      execArgv: [],
      ...(limits ? { resourceLimits: limits } : {}),
    })
    this.#worker.unref()
    this.#worker.on('message', (message: FromThread) => listener.onMessage(this, message))
    this.#worker.on('error', (cause) => listener.onEnd(this, cause))
    this.#worker.on('exit', (code) => listener.onEnd(this, new Error(`A worker thread ended with ${code}.`)))
    this.post({ type: 'claims', claims: this.#claims })
  }

  /** A task that the thread begins when its running one ends or asks. */
  get next(): Call<Task> | null {
    return this.#next
  }

  /** True while a task runs and does not wait for the main thread. */
  get isRunning(): boolean {
    return this.calls.some(({ asking }) => asking === 0)
  }

  /** True if it is busy without a next task. A slow thread gets none, since nobody knows when it will end. */
  get isHungry(): boolean {
    return this.#next === null && !this.isSlow && this.isRunning
  }

  post(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  begin(call: Call<Task>): void {
    clearTimeout(this.idle)
    this.#start(call)
    this.post({ type: 'task', id: call.id, task: call.request.task })
  }

  /** Gives a busy thread its next task. False if it cannot take that one yet. */
  handAhead(call: Call<Task>): boolean {
    if (!mayOffer(this.#claims, call.id)) return false
    this.#next = call
    offer(this.#claims, call.id)
    this.post({ type: 'next', id: call.id, task: call.request.task })
    return true
  }

  /** Takes the next task back. Null if there is none, or the thread has begun it. */
  takeBack(): Call<Task> | null {
    const call = this.#next
    if (call === null || !claim(this.#claims, call.id)) return null
    this.#next = null
    return call
  }

  /** Records that the running task has ended or asks, so that the thread begins its next one. */
  advance(): void {
    const call = this.#next
    if (call === null) return
    this.#next = null
    this.#start(call)
  }

  /** Empties a dead thread. Returns its started tasks and the one handed over. */
  clear(): { started: Call<Task>[]; next: Call<Task> | null } {
    clearTimeout(this.idle)
    const next = this.#next
    this.#next = null
    return { started: this.calls.splice(0), next }
  }

  async terminate(): Promise<unknown> {
    return this.#worker.terminate()
  }

  #start(call: Call<Task>): void {
    call.runs++
    call.asking = 0
    call.ranMs = 0
    call.since = performance.now()
    this.calls.push(call)
  }
}

/** Threads beyond the configured number, while others are slow. */
const EXTRA_THREADS = 2

/** The next waiting call: that of the queue with the least time, unless its owner has a slow task. */
export function nextCall<Task>(
  queue: FairShares<Call<Task>>,
  threads: ReadonlySet<PoolThread<Task>>,
): Call<Task> | undefined {
  const now = performance.now()
  const slow = new Set<string>()
  const running = new Map<Share<Call<Task>>, number>()
  for (const { calls, isSlow } of threads)
    for (const call of calls) {
      if (call.asking > 0) continue
      if (isSlow) slow.add(call.request.owner)
      running.set(call.share, (running.get(call.share) ?? 0) + now - call.since)
    }
  for (const share of queue.inOrder((one) => running.get(one) ?? 0)) {
    const [call] = share.waiting
    if (call && !slow.has(call.request.owner)) return call
  }
  return undefined
}

/** A ready thread, if fewer than `limit` threads run tasks, not counting slow ones. */
export function freeThread<Task>(threads: ReadonlySet<PoolThread<Task>>, limit: number): PoolThread<Task> | undefined {
  let busy = 0
  let free: PoolThread<Task> | undefined
  for (const thread of threads) {
    if (thread.isRunning) busy += thread.isSlow ? 0 : 1
    else if (thread.isReady) free ??= thread
  }
  return busy < limit ? free : undefined
}

/** A busy thread that takes another task in advance. */
export function hungryThread<Task>(threads: ReadonlySet<PoolThread<Task>>): PoolThread<Task> | undefined {
  for (const thread of threads) if (thread.isHungry) return thread
  return undefined
}

/** Takes back a task that was handed to a busy thread, and that no thread has begun. */
export function takeBackAny<Task>(threads: ReadonlySet<PoolThread<Task>>): Call<Task> | null {
  for (const thread of threads) {
    const call = thread.takeBack()
    if (call !== null) return call
  }
  return null
}

/** True if `waiting` tasks need more threads, and more are allowed. */
export function mayOpen<Task>(threads: ReadonlySet<PoolThread<Task>>, limit: number, waiting: number): boolean {
  let starting = 0
  let usable = 0
  for (const { isReady, isSlow } of threads) {
    if (!isReady) starting++
    if (!isSlow) usable++
  }
  return usable < limit && waiting > starting && threads.size < limit + EXTRA_THREADS
}
