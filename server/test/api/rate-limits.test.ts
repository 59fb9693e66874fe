import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, inject, test, vi } from 'vitest'
import { giveBackToWindow, lookAtWindow, takeFromWindow } from '#auth/rate-limit.ts'
import { newSecret } from '#auth/secret.ts'
import { clientNetwork } from '#lib/addresses/client-network.ts'
import { deleteExpiredRateLimits } from '#store/accounts/rate-limits.ts'
import { makePlace, makeStore, onBothEngines } from '../support/database/engines.ts'
import { startDocent } from '../support/service/harness.ts'

const START = 1_800_000_000_000

onBothEngines('sliding window', (engine) => {
  test('admits exactly what a log of all hits would', async () => {
    await using store = await makeStore(engine)
    let run = 0
    const steps = fc.array(fc.record({ wait: fc.nat(70), count: fc.integer({ min: 1, max: 3 }) }), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 3, max: 6 }), async (given, limit) => {
        const key = `run ${run++}`
        let now = START
        let log: number[] = []
        for (const { wait, count } of given) {
          now += wait
          log = log.filter((at) => at > now - 100)
          const passes = log.length + count <= limit
          const waitMs = await takeFromWindow(store, { key, limit, windowMs: 100, now, count })
          expect(waitMs === 0).toBe(passes)
          if (passes) log.push(...Array<number>(count).fill(now))
          else {
            // The returned time is exact: a millisecond earlier the request would be refused.
            const left = (at: number) => log.filter((hit) => hit > at - 100).length
            expect(left(now + waitMs) + count).toBeLessThanOrEqual(limit)
            expect(left(now + waitMs - 1) + count).toBeGreaterThan(limit)
          }
        }
      }),
      { numRuns: engine === 'sqlite' ? 100 : 25 },
    )
  })

  test('refuses a single request for more than the limit', async () => {
    await using store = await makeStore(engine)
    expect(await takeFromWindow(store, { key: 'k', limit: 3, windowMs: 100, now: START, count: 4 })).toBe(100)
  })

  test('admits a call again after a refund, and counts no check', async () => {
    await using store = await makeStore(engine)
    const window = { key: 'k', limit: 3, windowMs: 100 }
    await giveBackToWindow(store.write, window)
    expect(await lookAtWindow(store.read, { ...window, now: START })).toBe(0)
    for (const now of [START, START + 10, START + 20]) expect(await takeFromWindow(store, { ...window, now })).toBe(0)
    expect(await lookAtWindow(store.read, { ...window, now: START + 20 })).toBe(80)
    expect(await takeFromWindow(store, { ...window, now: START + 20 })).toBe(80)
    await giveBackToWindow(store.write, window)
    expect(await lookAtWindow(store.read, { ...window, now: START + 20 })).toBe(0)
    expect(await takeFromWindow(store, { ...window, now: START + 30 })).toBe(0)
    expect(await takeFromWindow(store, { ...window, now: START + 30 })).toBe(70)
    // Refunds beyond what was taken do not raise the limit.
    for (let n = 0; n < 5; n++) await giveBackToWindow(store.write, window)
    for (let n = 0; n < 3; n++) expect(await takeFromWindow(store, { ...window, now: START + 40 })).toBe(0)
    expect(await takeFromWindow(store, { ...window, now: START + 40 })).toBe(100)
  })

  test('deletes an expired window', async () => {
    await using store = await makeStore(engine)
    await takeFromWindow(store, { key: 'k', limit: 3, windowMs: 100, now: START })
    await deleteExpiredRateLimits(store.write, START + 100)
    expect(await store.read.selectFrom('rateLimits').select('key').execute()).toHaveLength(1)
    await deleteExpiredRateLimits(store.write, START + 101)
    expect(await store.read.selectFrom('rateLimits').select('key').execute()).toEqual([])
  })
})

onBothEngines('limit of a network', (engine) => {
  test('counts IPv6 by /64, four times as much by /56 and 16 times by /48, and nothing that was refused', async () => {
    await using store = await makeStore(engine)
    const window = { key: 'k:', limit: 3, windowMs: 1_000, now: START }
    const take = (network: string) => takeFromWindow(store, { ...window, network: clientNetwork(network) })
    const passes = async (times: number, network: (n: number) => string) => {
      let passed = 0
      for (let n = 0; n < times; n++) if ((await take(network(n))) === 0) passed++
      return passed
    }
    expect(await passes(20, (n) => `2001:db8:1:100::${n + 1}`)).toBe(3)
    expect(await passes(20, (n) => `2001:db8:1:10${(n % 9) + 1}::1`)).toBe(9)
    expect(await take('2001:db8:1:1ff::1')).toBe(1_000)
    await giveBackToWindow(store.write, { ...window, network: clientNetwork('2001:db8:1:100::1') })
    expect(await passes(3, () => '2001:db8:1:1fe::1')).toBe(1)
    expect(await passes(60, (n) => `2001:db8:1:${n + 20}00::1`)).toBe(36)
    expect(await passes(3, () => '2001:db8:2:100::1')).toBe(3)
    expect(await passes(5, () => '192.0.2.1')).toBe(3)
  })
})

onBothEngines('MCP endpoint', (engine) => {
  const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

  test('answers 200 messages a minute per caller, under both names and in batches', async () => {
    await using docent = await startDocent({ engine, environment: { DOCENT_TRUSTED_PROXIES: '1' } })
    const create = async (visibility: string) => {
      const body = { name: 'A', visibility, sources: [{ url: 'http://127.0.0.1:19151/' }] }
      return (await docent.request('POST', '/api/mcp/create', body)).body
    }
    const [server, other, hidden] = [await create('public'), await create('public'), await create('private')]
    const send = (name: string, from: string, body: unknown = PING, key: string | null = null) =>
      docent.request('POST', `/api/mcp/${name}`, body, { key, headers: { 'x-forwarded-for': from } })
    const statuses = async (times: number, ask: (n: number) => Promise<{ status: number }>) => {
      const answers = await Promise.all(Array.from({ length: times }, (_, n) => ask(n)))
      return answers.map(({ status }) => status)
    }

    const first = await statuses(195, (n) => send(n % 2 ? server.slug : server.serverId, '192.0.2.1'))
    expect(new Set(first)).toEqual(new Set([200]))
    expect((await send(server.slug, '192.0.2.1', [PING, PING, PING])).status).toBe(200)
    // Two are left. A batch of three takes one for the request; two more for the messages do not fit.
    expect((await send(server.slug, '192.0.2.1', [PING, PING, PING])).status).toBe(429)
    const last = await statuses(5, () => send(server.slug, '192.0.2.1'))
    expect(last.toSorted()).toEqual([200, 429, 429, 429, 429])
    const { headers, body } = await send(server.slug, '192.0.2.1')
    expect(body.error).toMatch(
      /The limit is 200 messages of one client to one server in a minute\. Try again in \d\d seconds\.$/,
    )
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(30)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect((await send(server.slug, '192.0.2.2')).status).toBe(200)
    expect((await send(other.slug, '192.0.2.1')).status).toBe(200)

    // On a private server the token identifies the caller, from any address. Invalid tokens do not count there.
    const token = hidden.accessToken
    await statuses(50, () => send(hidden.slug, '192.0.2.3', PING, null))
    const withToken = await statuses(201, (n) => send(hidden.slug, `192.0.2.${n % 7}`, PING, token))
    expect(withToken.filter((status) => status === 200)).toHaveLength(200)
    expect((await send(hidden.slug, '192.0.2.9', PING, token)).status).toBe(429)
    expect((await send(hidden.slug, '192.0.2.9', PING, null)).status).toBe(401)
  })
})

onBothEngines('private server', (engine) => {
  const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

  test('answers 200 wrong tokens a minute per address, across servers, and every right one', async () => {
    await using docent = await startDocent({ engine, environment: { DOCENT_TRUSTED_PROXIES: '1' } })
    const create = async (visibility: string) => {
      const body = { name: 'A', visibility, sources: [{ url: 'http://127.0.0.1:19151/' }] }
      return (await docent.request('POST', '/api/mcp/create', body)).body
    }
    const [one, other, open] = [await create('private'), await create('private'), await create('public')]
    const send = (slug: string, from: string, key: string | null) =>
      docent.request('POST', `/api/mcp/${slug}`, PING, { key, headers: { 'x-forwarded-for': from } })
    const wrong = newSecret('dat_').plaintext
    const tried = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        send(n % 2 ? one.slug : other.slug, `2001:db8:0:1::${n}`, [wrong, 'nonsense', null][n % 3] ?? null),
      ),
    )
    expect(new Set(tried.map(({ status }) => status))).toEqual(new Set([401]))
    const refused = await send(one.slug, '2001:db8:0:1::ffff', wrong)
    expect([refused.status, refused.body.limit]).toEqual([429, 200])
    expect(refused.body.error).toMatch(
      /The limit is 200 messages without a valid credential from one address in a minute\./,
    )
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(20)
    expect((await send(other.slug, '2001:db8:0:1::1', null)).status).toBe(429)
    expect((await send(one.slug, '2001:db8:0:1::1', one.accessToken)).status).toBe(200)
    expect((await send(open.slug, '2001:db8:0:1::1', null)).status).toBe(200)
    expect((await send(one.slug, '2001:db8:0:2::1', wrong)).status).toBe(401)
    expect((await send(one.slug, '192.0.2.1', wrong)).status).toBe(401)
  })
})

test.skipIf(inject('postgresUrl') === '')('uses the database’s clock on a node whose own is wrong', async () => {
  await using docent = await startDocent({ engine: 'postgres', plan: 'free' })
  const { host } = new URL(docent.url)
  const signIn = () =>
    docent.request('POST', '/api/sessions', { email: 'no@example.test', password: 'wrong' }, { key: null })
  const periods = async () => (await docent.request('GET', '/api/billing/usage')).body
  const before = await periods()
  const key = await docent.makeKey('trial@example.test')
  for (let n = 0; n < 20; n++) expect((await signIn()).status).toBe(401)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400 * 24 * 60 * 60 * 1000 })
  try {
    expect((await signIn()).status).toBe(429)
    expect((await periods()).period).toEqual(before.period)
    expect((await docent.request('GET', '/api/account/entitlements', undefined, { key })).body.trial.active).toBe(true)
    // So does a node started with such a clock.
    await using late = await startDocent({ place: docent.place, plan: 'free' })
    expect((await late.request('GET', '/api/billing/usage')).body.period).toEqual(before.period)
    expect(new URL(late.url).host).not.toBe(host)
  } finally {
    vi.useRealTimers()
  }
})

test.skipIf(inject('postgresUrl') === '')('admits exactly the limit across concurrent nodes', async () => {
  await using place = await makePlace('postgres')
  if (place.database.engine !== 'postgres') throw new Error('not on PostgreSQL')
  const { url } = place.database
  const program = join(import.meta.dirname, '../support/processes', 'take-from-window.ts')
  const node = () => promisify(execFile)(process.execPath, [program, url, 'shared', '200', '90'])
  const nodes = await Promise.all(Array.from({ length: inject('isLong') ? 6 : 3 }, node))
  expect(nodes.map(({ stdout }) => Number(stdout)).reduce((a, b) => a + b)).toBe(200)
})
