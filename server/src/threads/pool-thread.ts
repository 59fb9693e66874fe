import { Worker } from 'node:worker_threads'
import { threadEnvironment } from '#lib/processes/isolation.ts'
import { claim, type Claims, mayOffer, newClaims, offer } from './claims.ts'
import type { Call } from './schedule-calls.ts'
import type { FromThread, ToThread } from './thread-messages.ts'
import type { PoolSettings } from './thread-pool-options.ts'

type Listener<Task> = {
  onMessage(thread: PoolThread<Task>, message: FromThread): void
  /** The thread died. */
  onEnd(thread: PoolThread<Task>, cause: Error): void
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
