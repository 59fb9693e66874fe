import type { Store } from '#store/db.ts'
import { readHit, takeHits } from '#store/rate-limits.ts'

type Request = {
  /** What is limited, and for whom. */
  key: string
  /** Requests let through in any span of `windowMs` milliseconds. */
  limit: number
  windowMs: number
  now: number
  /** How many to take, all or none; default 1. */
  count?: number
}

/**
 * Takes requests from a sliding window. Returns 0 when they may pass, else the milliseconds after which they may.
 * The window is a log of the times let through, changed in one conditional statement: exact at every edge and over
 * every node, where a counter per fixed window lets twice the limit through around its border. A refused request is
 * not counted.
 */
export async function takeFromWindow(store: Store, request: Request): Promise<number> {
  const { limit, windowMs, now, count = 1 } = request
  if (count > limit) return windowMs
  // Another limit under the same name keeps a log of another length.
  const key = `${request.key}/${limit}`
  if (await takeHits(store.write, { key, limit, count, now, windowMs })) return 0
  const blocking = await readHit(store.read, key, count - 1)
  return Math.max(1, (blocking ?? now) + windowMs - now)
}
