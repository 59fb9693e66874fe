import { afterEach, beforeEach, vi } from 'vitest'
import type { RequestOutcome } from '#net/host-pace.ts'
import { createPacer, type Release } from '#net/pacing.ts'

export const FINE: RequestOutcome = { status: 200, elapsedMs: 5 }

/** A new pacer and fake timers for each test of a file. */
export function usePacer() {
  const used = { pacer: createPacer(), crawl }
  beforeEach(() => {
    vi.useFakeTimers()
    used.pacer = createPacer()
  })
  afterEach(() => {
    used.pacer[Symbol.dispose]()
    vi.useRealTimers()
  })
  return used

  /** Sends requests as fast as turns are granted. Returns the maximum concurrency. */
  async function crawl(requests: number, answer: (underWay: number) => RequestOutcome): Promise<number> {
    let underWay = 0
    let most = 0
    const all = Array.from({ length: requests }, async () => {
      const release = await used.pacer.acquire('a.example')
      most = Math.max(most, ++underWay)
      const outcome = answer(underWay)
      await new Promise((resolve) => setTimeout(resolve, outcome.elapsedMs))
      underWay--
      release(outcome)
    })
    await vi.runAllTimersAsync()
    await Promise.all(all)
    return most
  }
}

export async function fulfilled(turn: Promise<Release>): Promise<boolean> {
  await vi.advanceTimersByTimeAsync(0)
  return (await Promise.race([turn, Promise.resolve('pending')])) !== 'pending'
}
