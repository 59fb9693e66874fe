import { describe, expect, test, vi } from 'vitest'
import { createPacer } from './pacing.ts'
import { FINE, fulfilled, usePacer } from '../../test/support/indexing/fake-pacer.ts'

const used = usePacer()
const { crawl } = used

describe('host', () => {
  test('allows 16 or more concurrent requests within a few round trips to a steady host', async () => {
    const begun = Date.now()
    let last = begun
    const most = await crawl(400, () => {
      last = Date.now()
      return { status: 200, elapsedMs: 50 }
    })
    expect(most).toBeGreaterThanOrEqual(16)
    // Not the time after the crawl: it includes timers of what the tests before have left behind.
    expect(last - begun).toBeLessThan(50 * 50)
  })

  test('never exceeds the maximum concurrency', async () => {
    used.pacer = createPacer({ maxPerHost: 6 })
    expect(await crawl(500, () => FINE)).toBe(6)
  })

  test('keeps the load of a host near its capacity', async () => {
    // The host serves four at a time and queues the rest.
    const most = await crawl(2_000, (underWay) => ({ status: 200, elapsedMs: 200 * Math.max(1, underWay / 4) }))
    expect(most).toBeLessThanOrEqual(18)
    expect(used.pacer.limitOf('a.example')).toBeGreaterThanOrEqual(3)
  })

  test('does not speed up on responses with status 500', async () => {
    expect(await crawl(100, () => ({ status: 500, elapsedMs: 5 }))).toBe(2)
  })

  test('does not delay other hosts', async () => {
    const [first, second] = [await used.pacer.acquire('a.example'), await used.pacer.acquire('a.example')]
    expect(await fulfilled(used.pacer.acquire('a.example'))).toBe(false)
    expect(await fulfilled(used.pacer.acquire('b.example'))).toBe(true)
    first(FINE)
    second(FINE)
  })
})

describe('owners that wait for the same host', () => {
  /** Requests turns in this order. Returns the order in which the owners' requests started, one at a time. */
  async function serve(owners: string[]): Promise<string> {
    used.pacer = createPacer({ maxPerHost: 1 })
    const order: string[] = []
    const turns = owners.map(async (owner) => {
      const release = await used.pacer.acquire('a.example', undefined, owner)
      order.push(owner)
      setTimeout(release, 1, FINE)
    })
    await vi.runAllTimersAsync()
    await Promise.all(turns)
    return order.join('')
  }

  test('alternates between owners, however many requests each has waiting', async () => {
    const order = await serve([...'aaaaaaaaaabbc'])
    expect(order).toHaveLength(13)
    // The first owner's request is in progress before others wait.
    expect(order.slice(0, 6).split('').toSorted().join('')).toBe('aaabbc')
    expect(order.slice(6)).toBe('aaaaaaa')
  })

  test("serves each owner's requests in order", async () => {
    used.pacer = createPacer({ maxPerHost: 1 })
    const order: number[] = []
    const turns = [1, 2, 3, 4].map(async (request) => {
      const release = await used.pacer.acquire('a.example', undefined, 'a')
      order.push(request)
      setTimeout(release, 1, FINE)
    })
    await vi.runAllTimersAsync()
    await Promise.all(turns)
    expect(order).toEqual([1, 2, 3, 4])
  })
})

describe('outcome without a signal', () => {
  test('releases the slot without changing the pace, however often it occurs', async () => {
    await crawl(400, () => FINE)
    const before = used.pacer.limitOf('a.example')
    for (let n = 0; n < 50; n++) (await used.pacer.acquire('a.example'))(null)
    expect(used.pacer.limitOf('a.example')).toBe(before)
    expect(used.pacer.pausedFor('a.example')).toBe(0)
  })
})

test.each([401, 403, 404, 410, 500])('does not slow a host down for pages with status %i', async (status) => {
  await crawl(400, () => FINE)
  const before = used.pacer.limitOf('a.example')
  await crawl(100, () => ({ status, elapsedMs: 5 }))
  expect(used.pacer.limitOf('a.example')).toBeGreaterThanOrEqual(before)
  expect(used.pacer.pausedFor('a.example')).toBe(0)
})

describe('refusal', () => {
  test.each([429, 503, null])('halves the limit once for a wave of refusals with status %s', async (status) => {
    await crawl(400, () => FINE)
    const before = used.pacer.limitOf('a.example')
    const wave = await Promise.all(Array.from({ length: 8 }, () => used.pacer.acquire('a.example')))
    for (const release of wave) release({ status, elapsedMs: 5 })
    expect(used.pacer.limitOf('a.example')).toBe(Math.floor(before / 2))
  })

  test.each([
    ['7', 7_000],
    [new Date(Date.UTC(2031, 0, 1, 0, 0, 30)).toUTCString(), 30_000],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 300_000],
    ['soon', 1_000],
    [undefined, 1_000],
  ])('honours Retry-After %s with a pause of %i ms', async (retryAfter, pause) => {
    vi.setSystemTime(Date.UTC(2031, 0, 1))
    const release = await used.pacer.acquire('a.example')
    release({ status: 429, elapsedMs: 5, retryAfter })
    expect(used.pacer.pausedFor('a.example')).toBe(pause)
    const turn = used.pacer.acquire('a.example')
    await vi.advanceTimersByTimeAsync(pause - 1)
    expect(await fulfilled(turn)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await fulfilled(turn)).toBe(true)
  })

  test('pauses the host longer on each repetition until a response', async () => {
    const pauses = []
    for (const status of [503, 503, 503, 200, 503]) {
      const turn = used.pacer.acquire('a.example')
      await vi.runAllTimersAsync()
      ;(await turn)({ status, elapsedMs: 5 })
      pauses.push(used.pacer.pausedFor('a.example'))
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 0, 1_000])
  })

  test.each([
    ['30', false],
    ['31', true],
  ])('reports after Retry-After %s whether the host is refusing: %s', async (retryAfter, isRefusing) => {
    ;(await used.pacer.acquire('a.example'))({ status: 429, elapsedMs: 5, retryAfter })
    expect(used.pacer.isRefusing('a.example')).toBe(isRefusing)
  })

  test.each([
    ['10', false],
    ['11', true],
    ['30', true],
  ])('reports after a repeated Retry-After %s whether the host is refusing: %s', async (retryAfter, isRefusing) => {
    const refuse = async () => (await used.pacer.acquire('a.example'))({ status: 429, elapsedMs: 5, retryAfter })
    await refuse()
    expect(used.pacer.isRefusing('a.example')).toBe(false)
    await Promise.all([vi.runAllTimersAsync(), refuse()])
    await vi.waitFor(() => expect(used.pacer.isRefusing('a.example')).toBe(isRefusing), 50_000)
    expect(used.pacer.isRefusing('b.example')).toBe(false)
  })

  test('pauses a host only after it has been silent repeatedly', async () => {
    ;(await used.pacer.acquire('a.example'))({ status: null, elapsedMs: 5 })
    expect(used.pacer.pausedFor('a.example')).toBe(0)
    await vi.advanceTimersByTimeAsync(10)
    ;(await used.pacer.acquire('a.example'))({ status: null, elapsedMs: 5 })
    expect(used.pacer.pausedFor('a.example')).toBe(2_000)
  })
})

describe('turn', () => {
  test('starts a request no sooner than the crawl delay after the previous one', async () => {
    used.pacer.setCrawlDelay('a.example', 2)
    const starts: number[] = []
    const all = [1, 2, 3].map(async () => {
      const release = await used.pacer.acquire('a.example')
      starts.push(Date.now())
      release(FINE)
    })
    await vi.runAllTimersAsync()
    await Promise.all(all)
    expect(starts.map((at) => at - (starts[0] ?? 0))).toEqual([0, 2_000, 4_000])
    used.pacer.setCrawlDelay('a.example', 1e9)
    ;(await used.pacer.acquire('b.example'))(FINE)
    const turn = used.pacer.acquire('a.example')
    await vi.runAllTimersAsync()
    await turn
    expect(used.pacer.pausedFor('a.example')).toBe(60_000)
  })

  test('counts a slot only once if it is released twice', async () => {
    const release = await used.pacer.acquire('a.example')
    release(FINE)
    release({ status: 429, elapsedMs: 5 })
    expect(used.pacer.pausedFor('a.example')).toBe(0)
  })

  test('gives an abandoned slot to the next request', async () => {
    const held = [await used.pacer.acquire('a.example'), await used.pacer.acquire('a.example')]
    const stop = new AbortController()
    const given = used.pacer.acquire('a.example', stop.signal)
    const next = used.pacer.acquire('a.example')
    stop.abort()
    await expect(given).rejects.toMatchObject({ name: 'NetError', reason: 'aborted' })
    await expect(used.pacer.acquire('a.example', stop.signal)).rejects.toMatchObject({ reason: 'aborted' })
    for (const release of held) release(FINE)
    expect(await fulfilled(next)).toBe(true)
  })

  test('refuses requests after the pacer is disposed', async () => {
    const turns = [1, 2, 3].map(() => used.pacer.acquire('a.example'))
    used.pacer[Symbol.dispose]()
    await expect(turns[2]).rejects.toMatchObject({ reason: 'aborted' })
  })
})
