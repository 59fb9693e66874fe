import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createNetClient } from '#net/client.ts'
import { parseNetworks } from '#net/judge-address.ts'
import { createPacer } from '#net/pacing.ts'
import { createAdaptiveTimeouts, meterRequests, trackPauses } from './pace-requests.ts'
import { startSite } from '../../test/support/sites/site.ts'
import { BudgetExhausted, openCrawlBudget } from './crawl-budget.ts'

/** Creates timeouts with a fake clock, which each try advances. */
function start() {
  let now = 0
  const timeouts = createAdaptiveTimeouts(() => now)
  const wait = (ms: number, outcome: 'page' | 'refusal' | 'nothing') => {
    now += ms
    timeouts.note(ms, outcome)
  }
  return { timeouts, wait }
}

test('gives an unknown site the longest timeouts', () => {
  expect(createAdaptiveTimeouts().limits()).toEqual({ firstByteMs: 20_000, totalMs: 25_000 })
})

test.each([
  [5, 8_000],
  [120, 12_000],
  [900, 20_000],
])('gives a site that answers in %i ms a first-byte timeout of %i ms', (usual, firstByteMs) => {
  const { timeouts, wait } = start()
  wait(usual, 'page')
  expect(timeouts.limits()).toEqual({ firstByteMs, totalMs: 25_000 })
})

test('shortens timeouts after long silence, and restores them after new pages', () => {
  const { timeouts, wait } = start()
  wait(5, 'page')
  wait(8_000, 'nothing')
  wait(8_000, 'nothing')
  expect(timeouts.limits()).toEqual({ firstByteMs: 8_000, totalMs: 25_000 })
  wait(8_000, 'nothing')
  expect(timeouts.limits()).toEqual({ firstByteMs: 2_000, totalMs: 4_000 })
  expect(timeouts.isWorthAnother(5)).toBe(false)
  for (let pages = 0; pages < 160; pages++) wait(5, 'page')
  expect(timeouts.limits()).toEqual({ firstByteMs: 8_000, totalMs: 25_000 })
})

test('counts parallel timeouts once', () => {
  const { timeouts, wait } = start()
  wait(5, 'page')
  wait(8_000, 'nothing')
  for (let lanes = 0; lanes < 20; lanes++) timeouts.note(8_000, 'nothing')
  expect(timeouts.isWorthAnother(8_000)).toBe(true)
})

test('does not retry after a slow failure', () => {
  const { timeouts } = start()
  expect([timeouts.isWorthAnother(9_999), timeouts.isWorthAnother(10_000)]).toEqual([true, false])
})

test('waits longer for a site after five pages, but not after refusals', () => {
  const { timeouts, wait } = start()
  for (let tries = 0; tries < 9; tries++) wait(5, 'refusal')
  for (let pages = 0; pages < 4; pages++) wait(5, 'page')
  expect(timeouts.shouldKeepWaiting()).toBe(false)
  wait(5, 'page')
  expect(timeouts.shouldKeepWaiting()).toBe(true)
})

const zipped = gzipSync(Buffer.alloc(3_000_000, 'x'))

async function meter(limits = {}) {
  const site = await startSite({
    '/plain': 'x'.repeat(1_000),
    '/zipped': (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(zipped),
    '/declared': (_, response) => void response.writeHead(200, { 'content-length': '2000000' }).write('x'),
    '/endless': (_, response) => {
      const write = () => void (response.write('x'.repeat(10_000)) && setImmediate(write))
      response.on('drain', write)
      write()
    },
    '/redirect': (_, response) => void response.writeHead(302, { location: '/plain' }).end('y'.repeat(500)),
  })
  const client = createNetClient({ allowNetworks: parseNetworks('127.0.0.0/8'), userAgent: 'Docent/test' })
  const budget = openCrawlBudget({ limits, saved: null, textBytes: 0 })
  const net = meterRequests(client, budget)
  return {
    site,
    budget,
    net,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}

test.each([
  ['/plain', 16e6, 1_000],
  // Counted after decompression, up to the read limit.
  ['/zipped', 16e6, 3_000_000],
  ['/zipped', 100_000, 100_000],
  // Refused by its declared length.
  ['/declared', 1_000_000, 0],
  ['/redirect', 16e6, 1_500],
])('counts a response of %s, read up to %i bytes, as %i bytes', async (path, maxBytes, counted) => {
  await using world = await meter()
  await world.net.fetch(`${world.site.url}${path}`, { maxBytes }).catch(() => null)
  expect(world.budget.usage.fetchedBytes).toBe(counted)
})

test('counts the bytes received of an endless body', async () => {
  await using world = await meter()
  await world.net.fetch(`${world.site.url}/endless`, { maxBytes: 1_000_000 }).catch(() => null)
  expect(world.budget.usage.fetchedBytes).toBeGreaterThanOrEqual(1_000_000)
  expect(world.budget.usage.fetchedBytes).toBeLessThan(1_200_000)
})

test('sends no request once the budget is used up', async () => {
  await using world = await meter({ fetchedBytes: 1_000 })
  await world.net.fetch(`${world.site.url}/plain`)
  await expect(world.net.fetch(`${world.site.url}/plain`)).rejects.toBeInstanceOf(BudgetExhausted)
  expect(world.site.requests).toHaveLength(1)
})

test('reports the pause of the host that the job waits for', async () => {
  using shared = createPacer()
  const { pacer, pauseMs } = trackPauses(shared, 'acc')
  const stop = new AbortController()
  ;(await pacer.acquire('paused.example'))({ status: 429, elapsedMs: 5, retryAfter: '60' })
  expect(pauseMs()).toBe(0)
  const turn = pacer.acquire('paused.example', stop.signal)
  expect(pauseMs()).toBeGreaterThan(59_000)
  // Pauses of other jobs do not count.
  expect(trackPauses(shared, 'acc').pauseMs()).toBe(0)
  stop.abort()
  await expect(turn).rejects.toMatchObject({ reason: 'aborted' })
  expect(pauseMs()).toBe(0)
})

test('reports the shorter pause of two hosts', async () => {
  using shared = createPacer()
  const { pacer, pauseMs } = trackPauses(shared, 'acc')
  const stop = new AbortController()
  for (const [host, retryAfter] of [
    ['long.example', '60'],
    ['short.example', '20'],
  ] as const) {
    ;(await pacer.acquire(host))({ status: 429, elapsedMs: 5, retryAfter })
    pacer.acquire(host, stop.signal).catch(() => undefined)
  }
  expect(pauseMs()).toBeGreaterThan(19_000)
  expect(pauseMs()).toBeLessThanOrEqual(20_000)
  stop.abort()
})
