import type { Take } from './rate-limits.ts'

/** Callers counted at once; beyond it the one goes that came first. With 200 times each they take some 16 MB. */
const KEYS = 10_000

export type LocalWindows = {
  /** Takes `count` hits, all or none: 0 when they may pass, else the milliseconds after which they may. */
  take(request: Take): number
}

/**
 * Sliding windows in memory, in which limits are counted while the database cannot: for this node alone, and without
 * what was counted in the database before.
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
