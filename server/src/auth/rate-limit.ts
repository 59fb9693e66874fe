import type { Store } from '#store/db.ts'
import { lockRateLimit, saveRateLimit } from '#store/rate-limits.ts'

type Take = {
  /** What is limited, and for whom. */
  key: string
  /** Requests let through in any span of `windowMs` milliseconds. */
  limit: number
  windowMs: number
  now: number
}

/**
 * Takes one request from a sliding window. Returns 0 when it may pass, else the milliseconds after which one may.
 * The window is a log of the times let through, held under a row lock: exact at every edge and over every node,
 * where a counter per fixed window lets twice the limit through around its border. A refused request is not counted.
 */
export async function takeFromWindow(store: Store, { key, limit, windowMs, now }: Take): Promise<number> {
  return store.transaction(async (tx) => {
    const hits = (await lockRateLimit(tx, key)).filter((at) => at > now - windowMs)
    const oldest = hits[hits.length - limit]
    if (oldest !== undefined) return oldest + windowMs - now
    await saveRateLimit(tx, key, [...hits, now], now + windowMs)
    return 0
  })
}
