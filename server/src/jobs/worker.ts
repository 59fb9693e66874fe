import { setTimeout as sleep } from 'node:timers/promises'
import { databaseTime } from '#store/engine/database-time.ts'
import type { Store } from '#store/db.ts'
import { StoreUnavailableError } from '#store/engine/store-unavailable.ts'
import { GiveUp, LeaseLost, TooEarly } from './errors.ts'
import { type JobKind, type Payload, jobKinds } from '#store/jobs/kinds.ts'
import type { Job } from '#store/jobs/job.ts'
import { type Held, fullAccounts, hasRoom, inOrderOfYielding } from './slots.ts'
import { hasWaitingJobs } from '#store/jobs/waiting-jobs.ts'
import { LEASE_MS, claim, finish, letGo, putOff, renew, retryLater } from '#store/jobs/queue.ts'

/** The lease of a running handler. */
export type Lease = {
  /** Aborts if the job is lost or the worker stops. Nothing may be written after that. */
  signal: AbortSignal
  job: Job
  /**
   * Aborts when the time slice is over and other jobs wait. Divisible work then stops, keeps its settled results and
   * throws `TooEarly`.
   */
  slice: AbortSignal
  /** Registers a function that returns the remaining wait for a host in milliseconds. 0 while the job works. */
  onAskPause(pauseMs: () => number): void
}

export type Handlers = { [K in JobKind]: (payload: Payload<K>, lease: Lease) => Promise<void> }

type Deps = {
  store: Store
  handlers: Handlers
  /** Called after each failed attempt, before the job is requeued or marked as failed. */
  onFailure: (job: Job, error: unknown, attemptsLeft: number) => Promise<void>
  /** Called if the queue cannot be read or written. */
  onClaimError: (error: unknown) => void
  /** Concurrently working jobs. A job that waits for a host does not count. */
  concurrency: number
  /** Maximum of these per account. Default: no separate limit. */
  perAccount?: number
  /** Milliseconds that a job may run while others wait. Default 10,000. */
  sliceMs?: number
}

/**
 * Most sites finish within one slice, and its overhead (a few queries) is negligible. Still short enough for others to
 * wait.
 */
const SLICE_MS = 10_000

/** Attempts before a job is marked as failed. */
const MAX_ATTEMPTS = 5
/** Poll interval of the queue without a wake-up. */
const IDLE_POLL_MS = 1_000
const FIRST_RETRY_MS = 5_000

export type Worker = {
  /** Polls the queue now, for example after an enqueue. With `taken`, also checks the leases of running jobs. */
  wake(how?: { taken?: boolean }): void
  /** Stops claiming, aborts and requeues running jobs, and resolves when nothing runs. */
  stop(): Promise<void>
}

/** Claims and runs jobs until stopped. */
export function startWorker(deps: Deps): Worker {
  const { store, handlers, onFailure, onClaimError, concurrency, perAccount = concurrency, sliceMs = SLICE_MS } = deps
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const held = new Set<Held>()
  const heartbeats = new Set<() => void>()
  let wakeUp = new AbortController()

  const loop = async () => {
    while (!stopping.signal.aborted) {
      const job = hasRoom(held, concurrency) ? await tryClaim() : undefined
      if (job) {
        const run = runJob(job).finally(() => {
          running.delete(run)
          wakeUp.abort()
        })
        running.add(run)
        continue
      }
      await endSlice().catch(onClaimError)
      await pause()
    }
  }

  const tryClaim = async () => {
    try {
      const ids = [...held].map(({ job }) => job.id)
      return await claim(store, undefined, ids, fullAccounts(held, perAccount))
    } catch (error) {
      onClaimError(error)
      return undefined
    }
  }

  /** Ends the slice of an overdue or waiting job if another job could be claimed instead. */
  const endSlice = async () => {
    for (const one of inOrderOfYielding(held, sliceMs)) {
      const others = [...held].filter((other) => other !== one)
      if (!(await hasWaitingJobs(store.read, databaseTime(store.read), fullAccounts(others, perAccount)))) continue
      one.slice.abort()
      return
    }
  }

  /** Until an enqueue, the end of a job, or the next poll. */
  const pause = async () => {
    const signal = AbortSignal.any([wakeUp.signal, stopping.signal])
    await sleep(IDLE_POLL_MS, undefined, { signal }).catch(() => {})
    if (wakeUp.signal.aborted) wakeUp = new AbortController()
  }

  const runJob = async (job: Job) => {
    const lost = new AbortController()
    const beat = () => {
      renew(store.write, job).then(
        (isHeld) => isHeld || lost.abort(new LeaseLost()),
        // During an outage the handler cannot write, and the fence rejects later writes.
        (error: unknown) => error instanceof StoreUnavailableError || lost.abort(error),
      )
    }
    const heartbeat = setInterval(beat, LEASE_MS / 3)
    heartbeats.add(beat)
    const hold: Held = { job, since: performance.now(), slice: new AbortController(), pauseMs: () => 0 }
    held.add(hold)
    const attempt = async () => {
      const signal = AbortSignal.any([lost.signal, stopping.signal])
      const handler = handlers[job.kind] as (payload: unknown, lease: Lease) => Promise<void>
      await handler(jobKinds[job.kind].parse(JSON.parse(job.payload)), {
        signal,
        job,
        slice: hold.slice.signal,
        onAskPause: (pauseMs) => void (hold.pauseMs = pauseMs),
      })
      return () => finish(store.write, job, 'done')
    }
    try {
      const settle = await attempt().catch((error: unknown) => () => settleFailure(job, error))
      await untilStored(settle)
    } catch (error) {
      onClaimError(error)
    } finally {
      clearInterval(heartbeat)
      heartbeats.delete(beat)
      held.delete(hold)
    }
  }

  const settleFailure = async (job: Job, error: unknown) => {
    if (error instanceof LeaseLost) return letGo(store.write, job)
    if (error instanceof TooEarly) return putOff(store.write, job, error.runAt)
    // The attempt does not count, because the job is not at fault.
    if (error instanceof StoreUnavailableError) return putOff(store.write, job, store.clock())
    // Errors of a job whose row was deleted do not matter.
    if (!(await renew(store.write, job))) return letGo(store.write, job)
    if (stopping.signal.aborted) return retryLater(store.write, { ...job }, store.clock(), null)
    const attemptsLeft = error instanceof GiveUp ? 0 : MAX_ATTEMPTS - job.attempts
    await onFailure(job, error, attemptsLeft)
    const message = error instanceof Error ? error.message : String(error)
    if (attemptsLeft <= 0) return finish(store.write, job, { error: message })
    return retryLater(store.write, job, store.clock() + FIRST_RETRY_MS * 2 ** (job.attempts - 1), message)
  }

  /** Stores the outcome of a job, with retries during a database outage, so that the job does not run twice. */
  const untilStored = async (write: () => Promise<void>) => {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        // On shutdown the lease expires, and another node takes over the job.
        if (!(error instanceof StoreUnavailableError) || stopping.signal.aborted) throw error
        await sleep(IDLE_POLL_MS, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  const looping = loop()
  return {
    wake({ taken = false } = {}) {
      wakeUp.abort()
      if (taken) for (const beat of heartbeats) beat()
    },
    async stop() {
      stopping.abort()
      await looping
      await Promise.allSettled(running)
    },
  }
}
