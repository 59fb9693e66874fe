import type { Pacer } from '#net/pacing.ts'

/**
 * The pacer for one job of an account, beside what the job's worker asks: for how many milliseconds more the job waits for a host
 * that takes no requests now; 0 where it does not wait, or a host of several may be asked sooner.
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
      ...pacer,
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
