import { setTimeout as sleep } from 'node:timers/promises'
import { databaseTime } from '#store/rows.ts'
import type { Store } from '#store/db.ts'
import { StoreUnavailableError, isOfStorage } from '#store/engine/outages.ts'
import { GiveUp, LeaseLost, TooEarly } from './lease.ts'
import { type JobKind, type Payload, jobKinds, type Job, LEASE_MS } from '#store/jobs/job.ts'
import { claim, hasWaitingJobs, nextJobAt } from '#store/jobs/claim.ts'
import { type JobOutcome, finish, letGo, putOff, renew, retryLater } from '#store/jobs/queue.ts'
import { restUntil } from '#store/engine/queue-changes.ts'
import { type Held, fullAccounts, hasRoom, inOrderOfYielding } from './slots.ts'

export type Lease = {
  /** Aborts if the job is lost or the worker stops. Nothing may be written after that. */
  signal: AbortSignal
  job: Job
  /** Aborts after the time slice if other jobs wait. Divisible work then keeps its results and throws `TooEarly`. */
  slice: AbortSignal
  /**
   * Registers a function that returns the remaining wait for a host in milliseconds. 0 while the job works, infinite if
   * the host has not answered after `UNANSWERED_MS`: another job starts then.
   */
  onAskPause(pauseMs: () => number): void
}

export type Handlers = { [K in JobKind]: (payload: Payload<K>, lease: Lease) => Promise<void> }

type Deps = {
  store: Store
  handlers: Handlers
  /** Called after each failed attempt, before the job is requeued or marked as failed. */
  onFailure: (job: Job, error: unknown, attemptsLeft: number) => Promise<void>
  /** Ends a job in the store. By default, only the job itself changes. */
  finish?: (job: Job, outcome: JobOutcome) => Promise<unknown>
  /** Called if the queue cannot be read or written. */
  onClaimError: (error: unknown) => void
  /** Concurrently working jobs. A job that waits for a host does not count. */
  concurrency: number
  /** Maximum of these per account. Default: no separate limit. */
  perAccount?: number
  /** Milliseconds that a job may run while others wait. Default 10,000. */
  sliceMs?: number
}

/** Most sites finish within one slice, whose overhead is a few queries. Short enough for others to wait. */
const SLICE_MS = 10_000

/** Time for the first answer of a host. Nearly all answer within half of it. */
export const UNANSWERED_MS = 500

/** Attempts before a job is marked as failed. */
const MAX_ATTEMPTS = 5
/** Poll interval while jobs run, and of a database that does not answer. */
const IDLE_POLL_MS = 1_000
const FIRST_RETRY_MS = 5_000
const MOST_RETRY_MS = 5 * 60_000

export type Worker = {
  /** Polls the queue now, for example after an enqueue. With `taken`, also checks the leases of running jobs. */
  wake(how?: { taken?: boolean }): void
  /** Stops claiming, aborts and requeues running jobs, and resolves when nothing runs. */
  stop(): Promise<void>
}

/** Claims and runs jobs until stopped. */
export const startWorker = (deps: Deps): Worker => new JobWorker(deps)

class JobWorker implements Worker {
  readonly #deps: Deps & { perAccount: number; sliceMs: number }
  readonly #stopping = new AbortController()
  readonly #running = new Set<Promise<void>>()
  readonly #held = new Set<Held>()
  readonly #heartbeats = new Set<() => void>()
  #wakeUp = new AbortController()
  readonly #looping: Promise<void>
  readonly #heard: Disposable

  constructor(deps: Deps) {
    this.#deps = { perAccount: deps.concurrency, sliceMs: SLICE_MS, ...deps }
    this.#heard = deps.store.queue.on(() => this.wake())
    this.#looping = this.#loop()
  }

  wake({ taken = false } = {}): void {
    this.#wakeUp.abort()
    if (taken) for (const beat of this.#heartbeats) beat()
  }

  async stop(): Promise<void> {
    this.#heard[Symbol.dispose]()
    this.#stopping.abort()
    await this.#looping
    await Promise.allSettled(this.#running)
  }

  async #loop(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const job = hasRoom(this.#held, this.#deps.concurrency) ? await this.#tryClaim() : undefined
      if (job) {
        const run = this.#run(job).finally(() => {
          this.#running.delete(run)
          this.#wakeUp.abort()
        })
        this.#running.add(run)
        continue
      }
      await this.#endSlice().catch(this.#deps.onClaimError)
      await this.#pause()
    }
  }

  async #tryClaim(): Promise<Job | undefined> {
    try {
      const ids = [...this.#held].map(({ job }) => job.id)
      return await claim(this.#deps.store, undefined, ids, fullAccounts(this.#held, this.#deps.perAccount))
    } catch (error) {
      this.#deps.onClaimError(error)
      return undefined
    }
  }

  /** Ends the slice of an overdue or waiting job if another job could be claimed instead. */
  async #endSlice(): Promise<void> {
    const { store, perAccount, sliceMs, concurrency: slots } = this.#deps
    for (const one of inOrderOfYielding(this.#held, { sliceMs, slots, perAccount })) {
      const others = [...this.#held].filter((other) => other !== one)
      const full = fullAccounts(others, perAccount)
      if (!(await hasWaitingJobs(store.read, databaseTime(store.read), full))) continue
      one.slice.abort()
      return
    }
  }

  /** Until a change of the queue, the end of a job, the next one that is due, or the next poll. */
  async #pause(): Promise<void> {
    const signal = AbortSignal.any([this.#wakeUp.signal, this.#stopping.signal])
    await sleep(await this.#restMs(), undefined, { signal }).catch(() => {})
    if (this.#wakeUp.signal.aborted) this.#wakeUp = new AbortController()
  }

  async #restMs(): Promise<number> {
    const { store, onClaimError } = this.#deps
    if (this.#held.size > 0) return IDLE_POLL_MS
    try {
      return restUntil(store.queue, store.queue.isHeard() ? await nextJobAt(store.read) : null, store.clock())
    } catch (error) {
      onClaimError(error)
      return IDLE_POLL_MS
    }
  }

  async #run(job: Job): Promise<void> {
    const { onClaimError } = this.#deps
    const hold: Held = { job, since: performance.now(), slice: new AbortController(), pauseMs: () => 0 }
    this.#held.add(hold)
    const looking = setTimeout(() => this.wake(), UNANSWERED_MS + 1).unref()
    const lease = this.#renewLease(job)
    try {
      const settle = await this.#attempt(hold, lease.lost).then(
        () => () => this.#finish(job, 'done'),
        (error: unknown) => () => this.#settleFailure(job, error),
      )
      await this.#untilStored(settle)
    } catch (error) {
      onClaimError(error)
    } finally {
      lease.end()
      clearTimeout(looking)
      this.#held.delete(hold)
    }
  }

  /** Renews the lease of the job until `end`. `lost` aborts if that fails. */
  #renewLease(job: Job) {
    const lost = new AbortController()
    const beat = () => {
      renew(this.#deps.store.write, job).then(
        (isHeld) => isHeld || lost.abort(new LeaseLost()),
        // During an outage the handler cannot write, and the fence rejects later writes.
        (error: unknown) => error instanceof StoreUnavailableError || lost.abort(error),
      )
    }
    const heartbeat = setInterval(beat, LEASE_MS / 3)
    this.#heartbeats.add(beat)
    const end = () => {
      clearInterval(heartbeat)
      this.#heartbeats.delete(beat)
    }
    return { lost: lost.signal, end }
  }

  async #attempt(hold: Held, lost: AbortSignal): Promise<void> {
    const { job, slice } = hold
    const handler = this.#deps.handlers[job.kind] as (payload: unknown, lease: Lease) => Promise<void>
    await handler(jobKinds[job.kind].parse(JSON.parse(job.payload)), {
      signal: AbortSignal.any([lost, this.#stopping.signal]),
      job,
      slice: slice.signal,
      onAskPause: (pauseMs) => void (hold.pauseMs = pauseMs),
    })
  }

  async #settleFailure(job: Job, error: unknown): Promise<void> {
    const { store, onFailure } = this.#deps
    if (error instanceof LeaseLost) return letGo(store.write, job)
    if (error instanceof TooEarly) return putOff(store.write, job, error.runAt)
    // The attempt does not count, because the job is not at fault.
    const isStorage = isOfStorage(error)
    if (error instanceof StoreUnavailableError && !isStorage) return putOff(store.write, job, store.clock())
    // Errors of a job whose row was deleted do not matter.
    if (!(await renew(store.write, job))) return letGo(store.write, job)
    if (this.#stopping.signal.aborted) return retryLater(store.write, { ...job }, store.clock(), null)
    // Jobs wait for the object storage. Without the pause, they would try again at once: the queue still works.
    const attemptsLeft = isStorage ? Infinity : error instanceof GiveUp ? 0 : MAX_ATTEMPTS - job.attempts
    await onFailure(job, error, attemptsLeft)
    const message = error instanceof Error ? error.message : String(error)
    if (attemptsLeft <= 0) return this.#finish(job, { error: message })
    const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** (job.attempts - 1), MOST_RETRY_MS)
    return retryLater(store.write, job, store.clock() + pauseMs, message)
  }

  async #finish(job: Job, outcome: JobOutcome): Promise<void> {
    await (this.#deps.finish?.(job, outcome) ?? finish(this.#deps.store.write, job, outcome))
  }

  /** Stores the outcome of a job, with retries during a database outage, so that the job does not run twice. */
  async #untilStored(write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        // On shutdown the lease expires, and another node takes over the job.
        if (!(error instanceof StoreUnavailableError) || this.#stopping.signal.aborted) throw error
        await sleep(IDLE_POLL_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
      }
    }
  }
}
