import type { Operation } from '@docent/contract/operation'
import type { RateLimit } from '@docent/contract/rate-limit'
import { type OfNetwork, giveBackToWindow, lookAtWindow, takeFromWindow } from '#auth/rate-limit.ts'
import { tooManyRequests } from '#errors.ts'
import type { Db } from '#store/db.ts'
import type { OperationDeps } from './operation.ts'

/** `store` can be one transaction as both members. */
type Deps = Pick<OperationDeps, 'clock' | 'config'> & { store: { read: Db; write: Db } }

export type Window = RateLimit & { key: string } & OfNetwork

/** Takes one request from a sliding window. Throws `429 too_many_requests` with the seconds to wait if it is full. */
export async function enforceRateLimit({ store, clock, config }: Deps, window: Window): Promise<void> {
  if (config.rateLimits) refuseFor(await takeFromWindow(store, { ...window, now: clock() }), window)
}

/** Throws `429 too_many_requests` if the window is full. Takes nothing. */
async function refuseWhenFull({ store, clock, config }: Deps, window: Window): Promise<void> {
  if (config.rateLimits) refuseFor(await lookAtWindow(store.read, { ...window, now: clock() }), window)
}

/** Returns a request to the window, because it does not count. */
export async function giveBack({ store, config }: Deps, window: Window): Promise<void> {
  if (config.rateLimits) await giveBackToWindow(store.write, window)
}

function refuseFor(retryAfterMs: number, window: Window): void {
  if (retryAfterMs > 0) throw tooManyRequests(retryAfterMs / 1000, window)
}

export type Limit = {
  /** Before input validation. Throws `429 too_many_requests`. */
  before(): Promise<void>
  /** In the creating transaction. Throws the same. */
  within(tx: Db): Promise<void>
  /** After a refusal, which counts like a success. */
  afterRefusal(): Promise<void>
  /** Instead of that, if another request with the same `Idempotency-Key` gave the answer. */
  afterReplay(): Promise<void>
}

/**
 * Opens the rate limit of an operation, which counts every request that reaches it. Of several with one
 * `Idempotency-Key` only one counts: creations count in their transaction, and a stream, which works before it creates,
 * is returned.
 */
export function openLimit(
  deps: OperationDeps,
  { rateLimit, produces }: Operation,
  { key, hasTwins }: { key: string | null; hasTwins: boolean },
): Limit {
  const nothing = async () => {}
  const none: Limit = { before: nothing, within: nothing, afterRefusal: nothing, afterReplay: nothing }
  if (!rateLimit || key === null) return none
  const window: Window = { key, ...rateLimit }
  const before = () => enforceRateLimit(deps, window)
  if (!hasTwins) return { ...none, before }
  if (produces) {
    let taken = false
    return {
      ...none,
      async before() {
        await before()
        taken = true
      },
      afterReplay: async () => (taken ? giveBack(deps, window) : undefined),
    }
  }
  return {
    ...none,
    before: () => refuseWhenFull(deps, window),
    within: (tx) => enforceRateLimit({ ...deps, store: { read: tx, write: tx } }, window),
    async afterRefusal() {
      if (deps.config.rateLimits) await takeFromWindow(deps.store, { ...window, now: deps.clock() })
    },
  }
}
