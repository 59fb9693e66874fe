import type { Pacer } from '#net/pacing.ts'

/**
 * Wraps the pacer for one job of an account. `pauseMs` returns the milliseconds until a host that the job waits for
 * takes requests: the shortest of several, or 0 if it waits for none.
 */
export function trackPauses(pacer: Pacer, accountId: string): { pacer: Pacer; pauseMs: () => number } {
  const waiting = new Map<string, number>()
  const count = (host: string, change: number) => {
    const requests = (waiting.get(host) ?? 0) + change
    if (requests > 0) waiting.set(host, requests)
    else waiting.delete(host)
  }
  return {
    pacer: {
      setCrawlDelay: (host, seconds) => pacer.setCrawlDelay(host, seconds),
      pausedFor: (host) => pacer.pausedFor(host),
      isRefusing: (host) => pacer.isRefusing(host),
      limitOf: (host) => pacer.limitOf(host),
      [Symbol.dispose]: () => pacer[Symbol.dispose](),
      async acquire(host, signal) {
        count(host, 1)
        try {
          return await pacer.acquire(host, signal, accountId)
        } finally {
          count(host, -1)
        }
      },
    },
    pauseMs: () => (waiting.size === 0 ? 0 : Math.min(...[...waiting.keys()].map((host) => pacer.pausedFor(host)))),
  }
}
