import type { Store } from '#store/db.ts'
import { lockRateLimit, saveRateLimit } from '#store/rate-limits.ts'

type Take = {
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
 * The window is a log of the times let through, held under a row lock: exact at every edge and over every node,
 * where a counter per fixed window lets twice the limit through around its border. A refused request is not counted.
 */
export async function takeFromWindow(store: Store, { key, limit, windowMs, now, count = 1 }: Take): Promise<number> {
  return store.transaction(async (tx) => {
    const hits = (await lockRateLimit(tx, key)).filter((at) => at > now - windowMs)
    const surplus = hits.length + count - limit
    if (surplus > 0) return (hits[surplus - 1] ?? now) + windowMs - now
    await saveRateLimit(tx, key, [...hits, ...Array<number>(count).fill(now)], now + windowMs)
    return 0
  })
}
