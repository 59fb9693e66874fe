import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Outcome } from './host-pace.ts'
import { createPacer, type Pacer, type Release } from './pacing.ts'

const FINE: Outcome = { status: 200, elapsedMs: 5 }

let pacer: Pacer

beforeEach(() => {
  vi.useFakeTimers()
  pacer = createPacer()
})

afterEach(() => {
  pacer[Symbol.dispose]()
  vi.useRealTimers()
})

/** Runs requests one after another on every turn that is to be had, and answers the most that were under way at once. */
async function crawl(requests: number, answer: (underWay: number) => Outcome): Promise<number> {
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

describe('a host', () => {
  test('that answers steadily is asked by 16 and more at once, within a few round trips', async () => {
    const begun = Date.now()
    expect(await crawl(400, () => ({ status: 200, elapsedMs: 50 }))).toBeGreaterThanOrEqual(16)
    expect(Date.now() - begun).toBeLessThan(50 * 50)
  })

  test('is never asked by more than the maximum', async () => {
    pacer = createPacer({ maxPerHost: 6 })
    expect(await crawl(500, () => FINE)).toBe(6)
  })

  test('that slows down under load is left near the load it bears', async () => {
    // Serves four at a time; everything beyond waits in line there.
    const most = await crawl(2_000, (underWay) => ({ status: 200, elapsedMs: 200 * Math.max(1, underWay / 4) }))
    expect(most).toBeLessThanOrEqual(18)
    expect(pacer.limitOf('a.example')).toBeGreaterThanOrEqual(3)
  })

  test('that fails with 500 is not asked faster', async () => {
    expect(await crawl(100, () => ({ status: 500, elapsedMs: 5 }))).toBe(2)
  })

  test('does not hold up another', async () => {
    const [first, second] = [await pacer.acquire('a.example'), await pacer.acquire('a.example')]
    expect(await fulfilled(pacer.acquire('a.example'))).toBe(false)
    expect(await fulfilled(pacer.acquire('b.example'))).toBe(true)
    first(FINE)
    second(FINE)
  })
})

describe('owners that wait for one host', () => {
  /** Asks for turns in this order, and returns whose requests were started in which order, one at a time. */
  async function serve(owners: string[]): Promise<string> {
    pacer = createPacer({ maxPerHost: 1 })
    const order: string[] = []
    const turns = owners.map(async (owner) => {
      const release = await pacer.acquire('a.example', undefined, owner)
      order.push(owner)
      setTimeout(release, 1, FINE)
    })
    await vi.runAllTimersAsync()
    await Promise.all(turns)
    return order.join('')
  }

  test('take turns, however many requests each has waiting', async () => {
    const order = await serve([...'aaaaaaaaaabbc'])
    expect(order).toHaveLength(13)
    // One of the first is under way before anybody else waits.
    expect(order.slice(0, 6).split('').toSorted().join('')).toBe('aaabbc')
    expect(order.slice(6)).toBe('aaaaaaa')
  })

  test('are each served in the order of their requests', async () => {
    pacer = createPacer({ maxPerHost: 1 })
    const order: number[] = []
    const turns = [1, 2, 3, 4].map(async (request) => {
      const release = await pacer.acquire('a.example', undefined, 'a')
      order.push(request)
      setTimeout(release, 1, FINE)
    })
    await vi.runAllTimersAsync()
    await Promise.all(turns)
    expect(order).toEqual([1, 2, 3, 4])
  })
})

describe('an outcome that says nothing of the host', () => {
  test('gives the turn back and changes no pace, however often it comes', async () => {
    await crawl(400, () => FINE)
    const before = pacer.limitOf('a.example')
    for (let n = 0; n < 50; n++) (await pacer.acquire('a.example'))(null)
    expect(pacer.limitOf('a.example')).toBe(before)
    expect(pacer.pausedFor('a.example')).toBe(0)
  })
})

test.each([401, 403, 404, 410, 500])('pages with status %i do not slow a host down', async (status) => {
  await crawl(400, () => FINE)
  const before = pacer.limitOf('a.example')
  await crawl(100, () => ({ status, elapsedMs: 5 }))
  expect(pacer.limitOf('a.example')).toBeGreaterThanOrEqual(before)
  expect(pacer.pausedFor('a.example')).toBe(0)
})

describe('a refusal', () => {
  test.each([429, 503, null])('(%s) halves the limit, once for a wave of them', async (status) => {
    await crawl(400, () => FINE)
    const before = pacer.limitOf('a.example')
    const wave = await Promise.all(Array.from({ length: 8 }, () => pacer.acquire('a.example')))
    for (const release of wave) release({ status, elapsedMs: 5 })
    expect(pacer.limitOf('a.example')).toBe(Math.floor(before / 2))
  })

  test.each([
    ['7', 7_000],
    [new Date(Date.UTC(2031, 0, 1, 0, 0, 30)).toUTCString(), 30_000],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 300_000],
    ['soon', 1_000],
    [undefined, 1_000],
  ])('with Retry-After %s pauses the host for %i ms', async (retryAfter, pause) => {
    vi.setSystemTime(Date.UTC(2031, 0, 1))
    const release = await pacer.acquire('a.example')
    release({ status: 429, elapsedMs: 5, retryAfter })
    expect(pacer.pausedFor('a.example')).toBe(pause)
    const turn = pacer.acquire('a.example')
    await vi.advanceTimersByTimeAsync(pause - 1)
    expect(await fulfilled(turn)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await fulfilled(turn)).toBe(true)
  })

  test('repeated pauses the host for longer each time, until an answer comes', async () => {
    const pauses = []
    for (const status of [503, 503, 503, 200, 503]) {
      const turn = pacer.acquire('a.example')
      await vi.runAllTimersAsync()
      ;(await turn)({ status, elapsedMs: 5 })
      pauses.push(pacer.pausedFor('a.example'))
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 0, 1_000])
  })

  test.each([
    ['30', false],
    ['31', true],
  ])('with Retry-After %s means at once that asking on is no use: %s', async (retryAfter, isRefusing) => {
    ;(await pacer.acquire('a.example'))({ status: 429, elapsedMs: 5, retryAfter })
    expect(pacer.isRefusing('a.example')).toBe(isRefusing)
  })

  test.each([
    ['10', false],
    ['11', true],
    ['30', true],
  ])(
    'repeated with Retry-After %s after the pause means that asking on is no use: %s',
    async (retryAfter, isRefusing) => {
      const refuse = async () => (await pacer.acquire('a.example'))({ status: 429, elapsedMs: 5, retryAfter })
      await refuse()
      expect(pacer.isRefusing('a.example')).toBe(false)
      await Promise.all([vi.runAllTimersAsync(), refuse()])
      await vi.waitFor(() => expect(pacer.isRefusing('a.example')).toBe(isRefusing))
      expect(pacer.isRefusing('b.example')).toBe(false)
    },
  )

  test('by silence pauses the host only when it is repeated', async () => {
    ;(await pacer.acquire('a.example'))({ status: null, elapsedMs: 5 })
    expect(pacer.pausedFor('a.example')).toBe(0)
    await vi.advanceTimersByTimeAsync(10)
    ;(await pacer.acquire('a.example'))({ status: null, elapsedMs: 5 })
    expect(pacer.pausedFor('a.example')).toBe(2_000)
  })
})

describe('a turn', () => {
  test('comes no sooner than the crawl delay after the one before', async () => {
    pacer.setCrawlDelay('a.example', 2)
    const starts: number[] = []
    const all = [1, 2, 3].map(async () => {
      const release = await pacer.acquire('a.example')
      starts.push(Date.now())
      release(FINE)
    })
    await vi.runAllTimersAsync()
    await Promise.all(all)
    expect(starts.map((at) => at - (starts[0] ?? 0))).toEqual([0, 2_000, 4_000])
    pacer.setCrawlDelay('a.example', 1e9)
    ;(await pacer.acquire('b.example'))(FINE)
    const turn = pacer.acquire('a.example')
    await vi.runAllTimersAsync()
    await turn
    expect(pacer.pausedFor('a.example')).toBe(60_000)
  })

  test('given back twice counts once', async () => {
    const release = await pacer.acquire('a.example')
    release(FINE)
    release({ status: 429, elapsedMs: 5 })
    expect(pacer.pausedFor('a.example')).toBe(0)
  })

  test('that is no longer wanted is passed on', async () => {
    const held = [await pacer.acquire('a.example'), await pacer.acquire('a.example')]
    const stop = new AbortController()
    const given = pacer.acquire('a.example', stop.signal)
    const next = pacer.acquire('a.example')
    stop.abort()
    await expect(given).rejects.toMatchObject({ name: 'NetError', reason: 'aborted' })
    await expect(pacer.acquire('a.example', stop.signal)).rejects.toMatchObject({ reason: 'aborted' })
    for (const release of held) release(FINE)
    expect(await fulfilled(next)).toBe(true)
  })

  test('is refused once the pacer is disposed', async () => {
    const turns = [1, 2, 3].map(() => pacer.acquire('a.example'))
    pacer[Symbol.dispose]()
    await expect(turns[2]).rejects.toMatchObject({ reason: 'aborted' })
  })
})

describe('with other nodes', () => {
  /** What the store would say, as the test sets it. */
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

  test('a host has no more requests than with one', async () => {
    expect(await crawl(200, () => FINE)).toBe(12)
    pacer = createPacer({ maxPerHost: 12, shared })
    others.nodes = 4
    expect(await crawl(200, () => FINE)).toBe(3)
    others.nodes = 100
    pacer = createPacer({ maxPerHost: 12, shared })
    expect(await crawl(20, () => FINE)).toBe(1)
  })

  test('a pause that one was told is kept by all', async () => {
    others.notBefore = Date.now() + 10_000
    const turn = pacer.acquire('a.example')
    expect(await fulfilled(turn)).toBe(false)
    await vi.advanceTimersByTimeAsync(9_999)
    expect(await fulfilled(turn)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await fulfilled(turn)).toBe(true)
  })

  test('a crawl delay counts the starts of all', async () => {
    pacer.setCrawlDelay('a.example', 5)
    others.nextSlot = Date.now() + 3_000
    const turn = pacer.acquire('a.example')
    await vi.advanceTimersByTimeAsync(2_999)
    expect(await fulfilled(turn)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await fulfilled(turn)).toBe(true)
  })

  test('they are asked about once a second, and a store that cannot be asked holds nothing up', async () => {
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
