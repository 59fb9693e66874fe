import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RequestOutcome } from './host-pace.ts'
import { createPacer, type Pacer, type Release } from './pacing.ts'

const FINE: RequestOutcome = { status: 200, elapsedMs: 5 }

let pacer: Pacer

beforeEach(() => {
  vi.useFakeTimers()
  pacer = createPacer()
})

afterEach(() => {
  pacer[Symbol.dispose]()
  vi.useRealTimers()
})

/** Sends requests as fast as turns are granted. Returns the maximum concurrency. */
async function crawl(requests: number, answer: (underWay: number) => RequestOutcome): Promise<number> {
  let underWay = 0
  let most = 0
  const all = Array.from({ length: requests }, async () => {
    const release = await pacer.acquire('a.example')
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

async function fulfilled(turn: Promise<Release>): Promise<boolean> {
  await vi.advanceTimersByTimeAsync(0)
  return (await Promise.race([turn, Promise.resolve('pending')])) !== 'pending'
}

describe('pacing with other nodes', () => {
  /** The store's answer, as set by the test. */
  const others = { nodes: 1, notBefore: 0, nextSlot: 0, joined: 0, broken: false }
  const shared = {
    join: async () => {
      others.joined++
      if (others.broken) throw new Error('no store')
      return { nodes: others.nodes, notBefore: others.notBefore }
    },
    reserve: async (_host: string, spacingMs: number) => {
      const at = Math.max(others.nextSlot, Date.now())
      others.nextSlot = at + spacingMs
      return at
    },
  }

  beforeEach(() => {
    Object.assign(others, { nodes: 1, notBefore: 0, nextSlot: 0, joined: 0, broken: false })
    pacer = createPacer({ maxPerHost: 12, shared })
  })

  test('sends a host no more requests from several nodes than from one', async () => {
    expect(await crawl(200, () => FINE)).toBe(12)
    pacer = createPacer({ maxPerHost: 12, shared })
    others.nodes = 4
    expect(await crawl(200, () => FINE)).toBe(3)
    others.nodes = 100
    pacer = createPacer({ maxPerHost: 12, shared })
    expect(await crawl(20, () => FINE)).toBe(1)
  })

  test('applies a requested pause to all nodes', async () => {
    others.notBefore = Date.now() + 10_000
    const turn = pacer.acquire('a.example')
    expect(await fulfilled(turn)).toBe(false)
    await vi.advanceTimersByTimeAsync(9_999)
    expect(await fulfilled(turn)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await fulfilled(turn)).toBe(true)
  })

  test('applies a crawl delay to the starts of all nodes', async () => {
    pacer.setCrawlDelay('a.example', 5)
    others.nextSlot = Date.now() + 3_000
    const turn = pacer.acquire('a.example')
    await vi.advanceTimersByTimeAsync(2_999)
    expect(await fulfilled(turn)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await fulfilled(turn)).toBe(true)
  })

  test('queries the store once a second, and does not wait for a failed one', async () => {
    await crawl(100, () => ({ status: 200, elapsedMs: 500 }))
    expect(others.joined).toBeGreaterThan(2)
    expect(others.joined).toBeLessThan(25)
    others.broken = true
    const errors: unknown[] = []
    pacer = createPacer({ shared, onError: (error) => errors.push(error) })
    expect(await fulfilled(pacer.acquire('a.example'))).toBe(true)
    expect(errors).toHaveLength(1)
  })
})
