import type { Operation } from '@docent/contract/operation'
import { giveBackToWindow, lookAtWindow, takeFromWindow } from '#auth/rate-limit.ts'
import { tooManyRequests } from '#errors.ts'
import type { Db } from '#store/db.ts'
import type { OperationDeps } from './operation.ts'

/** `store` can be one transaction as both members. */
type Deps = Pick<OperationDeps, 'clock' | 'config'> & { store: { read: Db; write: Db } }

export type Window = { key: string; limit: number; windowMs: number }

/** Takes one request from a sliding window. Throws `429 too_many_requests` with the seconds to wait if it is full. */
export async function enforceRateLimit({ store, clock, config }: Deps, window: Window): Promise<void> {
  if (config.rateLimits) refuseFor(await takeFromWindow(store, { ...window, now: clock() }))
}

/** Throws `429 too_many_requests` if the window is full. Takes nothing. */
async function refuseWhenFull({ store, clock, config }: Deps, window: Window): Promise<void> {
  if (config.rateLimits) refuseFor(await lookAtWindow(store.read, { ...window, now: clock() }))
}

/** Returns a request to the window, because it does not count. */
export async function giveBack({ store, config }: Deps, window: Window): Promise<void> {
  if (config.rateLimits) await giveBackToWindow(store.write, window)
}

function refuseFor(retryAfterMs: number): void {
  if (retryAfterMs > 0) throw tooManyRequests(retryAfterMs / 1000)
}

export type Limit = {
  /** Before input validation. Throws `429 too_many_requests`. */
  before(): Promise<void>
  /** In the creating transaction. Throws the same. */
  within(tx: Db): Promise<void>
  afterRefusal(): Promise<void>
}

/**
 * Opens the rate limit of an operation. Creations count in their transaction: refused requests are free, and of several
 * with one `Idempotency-Key` only the committed one counts. A stream works before it creates, so it counts first and is
 * returned on refusal. All other requests count first.
 */
export function openLimit(deps: OperationDeps, { rateLimit, onceByKey, produces }: Operation, key: string | null) {
  const nothing = async () => {}
  const none: Limit = { before: nothing, within: nothing, afterRefusal: nothing }
  if (!rateLimit || key === null) return none
  const window: Window = { key, ...rateLimit }
  const before = () => enforceRateLimit(deps, window)
  if (!onceByKey) return { ...none, before }
  if (!produces) {
    const within = (tx: Db) => enforceRateLimit({ ...deps, store: { read: tx, write: tx } }, window)
    return { ...none, before: () => refuseWhenFull(deps, window), within }
  }
  let taken = false
  return {
    ...none,
    before: async () => {
      await before()
      taken = true
    },
    afterRefusal: async () => (taken ? giveBack(deps, window) : undefined),
  }
}
