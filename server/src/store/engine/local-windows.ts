import { rememberRecent } from '#lib/objects.ts'

/** Maximum keys. Beyond it the oldest is evicted. With 200 times each they take about 16 MB. */
const KEYS = 10_000

/** Some requests at a moment, of a key that may make `limit` requests in each window. */
export type Take = { key: string; limit: number; count: number; now: number; windowMs: number }

export type LocalWindows = ReturnType<typeof createLocalWindows>

/** Sliding windows of this node alone, which replace the database during an outage and ignore its earlier counts. */
export function createLocalWindows(keys = KEYS) {
  const windows = new Map<string, number[]>()
  return {
    /** Takes `count` requests, all or none. Returns 0 if they may pass, otherwise the wait in milliseconds. */
    take({ key, limit, count, now, windowMs }: Take): number {
      const hits = (windows.get(key) ?? []).filter((at) => at > now - windowMs && at <= now)
      const blocking = hits[hits.length + count - limit - 1]
      if (blocking !== undefined) return Math.max(1, blocking + windowMs - now)
      for (let n = 0; n < count; n++) hits.push(now)
      rememberRecent(windows, key, hits, keys)
      return 0
    },
  }
}
