import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createPacer } from './pacing.ts'
import { FINE, fulfilled, usePacer } from '../../test/support/indexing/fake-pacer.ts'

const used = usePacer()
const { crawl } = used

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
    used.pacer = createPacer({ maxPerHost: 12, shared })
  })

  test('sends a host no more requests from several nodes than from one', async () => {
    expect(await crawl(200, () => FINE)).toBe(12)
    used.pacer = createPacer({ maxPerHost: 12, shared })
    others.nodes = 4
    expect(await crawl(200, () => FINE)).toBe(3)
    others.nodes = 100
    used.pacer = createPacer({ maxPerHost: 12, shared })
    expect(await crawl(20, () => FINE)).toBe(1)
  })

  test('applies a requested pause to all nodes', async () => {
    others.notBefore = Date.now() + 10_000
    const turn = used.pacer.acquire('a.example')
    expect(await fulfilled(turn)).toBe(false)
    await vi.advanceTimersByTimeAsync(9_999)
    expect(await fulfilled(turn)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await fulfilled(turn)).toBe(true)
  })

  test('applies a crawl delay to the starts of all nodes', async () => {
    used.pacer.setCrawlDelay('a.example', 5)
    others.nextSlot = Date.now() + 3_000
    const turn = used.pacer.acquire('a.example')
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
    used.pacer = createPacer({ shared, onError: (error) => errors.push(error) })
    expect(await fulfilled(used.pacer.acquire('a.example'))).toBe(true)
    expect(errors).toHaveLength(1)
  })
})
