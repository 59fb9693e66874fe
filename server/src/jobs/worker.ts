import { setTimeout as sleep } from 'node:timers/promises'
import { databaseTime } from '#store/database-time.ts'
import type { Store } from '#store/db.ts'
import { StoreUnavailableError } from '#store/store-unavailable.ts'
import { GiveUp, LeaseLost, TooEarly } from './errors.ts'
import { type JobKind, type Payload, jobKinds } from './kinds.ts'
import type { Job } from './job.ts'
import { type Held, fullAccounts, hasRoom, inOrderOfYielding } from './slots.ts'
import { hasWaitingJobs } from './waiting-jobs.ts'
import { LEASE_MS, claim, finish, letGo, putOff, renew, retryLater } from './queue.ts'

/** The lease that a handler works under. */
export type Lease = {
  /** Aborts when the job is not ours any more, or the worker stops: nothing may be written after it. */
  signal: AbortSignal
  job: Job
  /**
   * Aborts when the time slice is over and other jobs wait. Work that can be divided stops then, with what it has
   * settled, and throws `TooEarly`.
   */
  slice: AbortSignal
  /** Says how to ask for how many milliseconds more the job waits for a host; 0 while it works. */
  onAskPause(pauseMs: () => number): void
}

export type Handlers = { [K in JobKind]: (payload: Payload<K>, lease: Lease) => Promise<void> }

type Deps = {
  store: Store
  handlers: Handlers
  /** Hears of every attempt that ended badly, before its job is put back or aside. */
  onFailure: (job: Job, error: unknown, attemptsLeft: number) => Promise<void>
  /** Hears when the queue itself cannot be read or written. */
  onClaimError: (error: unknown) => void
  /** Jobs that work at once. One that waits for a host does not count. */
  concurrency: number
  /** How many of them may be of one account, where there are accounts; default: all. */
  perAccount?: number
  /** Milliseconds that a job may take while others wait, default 10,000. */
  sliceMs?: number
}

/**
 * Long enough for most sites to be read without an interruption, and for what a slice costs (some queries) not to
 * matter; short enough to be waited for.
 */
const SLICE_MS = 10_000

/** Tries before a job is put aside as failed. */
const MAX_ATTEMPTS = 5
/** The queue is looked at this often when nothing wakes it. */
const IDLE_POLL_MS = 1_000
const FIRST_RETRY_MS = 5_000

export type Worker = {
  /** Looks at the queue now, called after something was put on it; with `taken`, also whether what runs is still ours. */
  wake(how?: { taken?: boolean }): void
  /** Stops claiming, aborts what runs, puts it back on the queue, and resolves when nothing runs any more. */
  stop(): Promise<void>
}

/** Claims and runs jobs until it is stopped. */
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

  /** Ends the slice of a job that has had its time, or waits, where another one could be claimed in its place. */
  const endSlice = async () => {
    for (const one of inOrderOfYielding(held, sliceMs)) {
      const others = [...held].filter((other) => other !== one)
      if (!(await hasWaitingJobs(store.read, databaseTime(store.read), fullAccounts(others, perAccount)))) continue
      one.slice.abort()
      return
    }
  }

  /** Until something is put on the queue, a job ends, or the poll is due. */
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
        // Without the database the work cannot write either, and what it goes on with is fenced off.
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
    // The try does not count: nothing is wrong with the job.
    if (error instanceof StoreUnavailableError) return putOff(store.write, job, store.clock())
    // Whatever else a job stumbles over whose row was deleted under it is of no interest any more.
    if (!(await renew(store.write, job))) return letGo(store.write, job)
    if (stopping.signal.aborted) return retryLater(store.write, { ...job }, store.clock(), null)
    const attemptsLeft = error instanceof GiveUp ? 0 : MAX_ATTEMPTS - job.attempts
    await onFailure(job, error, attemptsLeft)
    const message = error instanceof Error ? error.message : String(error)
    if (attemptsLeft <= 0) return finish(store.write, job, { error: message })
    return retryLater(store.write, job, store.clock() + FIRST_RETRY_MS * 2 ** (job.attempts - 1), message)
  }

  /** Writes what became of a job, again and again while the database is away: it must not be done twice for that. */
  const untilStored = async (write: () => Promise<void>) => {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        // Where we are stopped the lease runs out, and another node takes the job over.
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
