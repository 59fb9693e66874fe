/** Maximum keys. Beyond it the oldest is evicted. With 200 times each they take about 16 MB. */
const KEYS = 10_000

/** Some requests at a moment, of a key that may make `limit` requests in each window. */
export type Take = { key: string; limit: number; count: number; now: number; windowMs: number }

export type LocalWindows = {
  /** Takes `count` requests, all or none. Returns 0 if they may pass, otherwise the wait in milliseconds. */
  take(request: Take): number
}

/**
 * In-memory sliding windows, which replace the database during an outage. They count for this node alone and ignore
 * earlier counts in the database.
 */
export function createLocalWindows(keys = KEYS): LocalWindows {
  const windows = new Map<string, number[]>()
  return {
    take({ key, limit, count, now, windowMs }) {
      const hits = (windows.get(key) ?? []).filter((at) => at > now - windowMs && at <= now)
      const blocking = hits[hits.length + count - limit - 1]
      if (blocking !== undefined) return Math.max(1, blocking + windowMs - now)
      for (let n = 0; n < count; n++) hits.push(now)
      windows.set(key, hits)
      if (windows.size > keys) windows.delete(windows.keys().next().value ?? key)
      return 0
    },
  }
}
