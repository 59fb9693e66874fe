import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '#store/db.ts'
import { StoreUnavailableError } from '#store/store-unavailable.ts'
import { GiveUp, LeaseLost, TooEarly } from './errors.ts'
import { type JobKind, type Payload, jobKinds } from './kinds.ts'
import type { Job } from './job.ts'
import { LEASE_MS, claim, finish, letGo, putOff, renew, retryLater } from './queue.ts'

/** The lease that a handler works under. `assertHeld` belongs in every transaction that the work writes. */
export type Lease = { signal: AbortSignal; job: Job }

export type Handlers = { [K in JobKind]: (payload: Payload<K>, lease: Lease) => Promise<void> }

type Deps = {
  store: Store
  handlers: Handlers
  /** Hears of every attempt that ended badly, before its job is put back or aside. */
  onFailure: (job: Job, error: unknown, attemptsLeft: number) => Promise<void>
  /** Hears when the queue itself cannot be read or written. */
  onClaimError: (error: unknown) => void
  /** Jobs in hand at once. */
  concurrency: number
}

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
export function startWorker({ store, handlers, onFailure, onClaimError, concurrency }: Deps): Worker {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  const held = new Set<number>()
  const heartbeats = new Set<() => void>()
  let wakeUp = new AbortController()

  const loop = async () => {
    while (!stopping.signal.aborted) {
      const job = running.size < concurrency ? await tryClaim() : undefined
      if (job) {
        const run = runJob(job).finally(() => {
          running.delete(run)
          wakeUp.abort()
        })
        running.add(run)
        continue
      }
      await pause()
    }
  }

  const tryClaim = async () => {
    try {
      return await claim(store, undefined, [...held])
    } catch (error) {
      onClaimError(error)
      return undefined
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
    held.add(job.id)
    const attempt = async () => {
      const signal = AbortSignal.any([lost.signal, stopping.signal])
      const handler = handlers[job.kind] as (payload: unknown, lease: Lease) => Promise<void>
      await handler(jobKinds[job.kind].parse(JSON.parse(job.payload)), { signal, job })
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
      held.delete(job.id)
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
