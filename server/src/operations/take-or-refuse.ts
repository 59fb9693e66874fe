import { takeFromWindow } from '#auth/rate-limit.ts'
import { DocentError } from '#errors.ts'
import type { OperationDeps } from './operation.ts'

type Deps = Pick<OperationDeps, 'store' | 'clock' | 'config'>

/** Takes one request from a sliding window. Throws `429 too_many_requests`, with the seconds to wait, when it is full. */
export async function takeOrRefuse(
  { store, clock, config }: Deps,
  window: { key: string; limit: number; windowMs: number },
): Promise<void> {
  if (!config.rateLimits) return
  const retryAfterMs = await takeFromWindow(store, { ...window, now: clock() })
  if (retryAfterMs === 0) return
  const seconds = Math.ceil(retryAfterMs / 1000)
  throw new DocentError('too_many_requests', { headers: { 'retry-after': String(seconds) } })
}
