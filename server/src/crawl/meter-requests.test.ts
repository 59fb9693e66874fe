import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createNetClient } from '#net/client.ts'
import { parseNetworks } from '#net/networks.ts'
import { startSite } from '../../test/support/sites/site.ts'
import { BudgetExhausted, openCrawlBudget } from './crawl-budget.ts'
import { meterRequests } from './meter-requests.ts'

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
