import { giveBackToWindow, lookAtWindow, takeFromWindow } from '#auth/rate-limit.ts'
import { tooManyRequests } from '#errors.ts'
import type { Db } from '#store/db.ts'
import type { OperationDeps } from './operation.ts'

/** `store` can be one transaction as both members. */
type Deps = Pick<OperationDeps, 'clock' | 'config'> & { store: { read: Db; write: Db } }

/** A sliding window. See `takeFromWindow`. */
export type Window = { key: string; limit: number; windowMs: number }

/** Takes one request from a sliding window. Throws `429 too_many_requests` with the seconds to wait if it is full. */
export async function enforceRateLimit({ store, clock, config }: Deps, window: Window): Promise<void> {
  if (!config.rateLimits) return
  refuseFor(await takeFromWindow(store, { ...window, now: clock() }))
}

/** Throws `429 too_many_requests` if the window is full. Takes nothing. */
export async function refuseWhenFull({ store, clock, config }: Deps, window: Window): Promise<void> {
  if (!config.rateLimits) return
  refuseFor(await lookAtWindow(store.read, { ...window, now: clock() }))
}

/** Returns a request to the window, because it does not count. */
export async function giveBack({ store, config }: Deps, window: Window): Promise<void> {
  if (config.rateLimits) await giveBackToWindow(store.write, window)
}

function refuseFor(retryAfterMs: number): void {
  if (retryAfterMs > 0) throw tooManyRequests(retryAfterMs / 1000)
}
