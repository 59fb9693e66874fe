import { promises as dns } from 'node:dns'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'

const sourcesAt = (hosts: number, prefix = 'host') =>
  Array.from({ length: hosts }, (_, n) => ({ url: `https://${prefix}${n}.example.test/` }))

onSqliteAtLeast('DNS look-ups of source hosts', (engine) => {
  let docent: Docent
  const asked: string[] = []

  beforeAll(async () => {
    docent = await startDocent({ engine, plan: 'free' })
  })
  afterAll(() => docent[Symbol.asyncDispose]())
  beforeEach(() => {
    asked.length = 0
    // Resolver that never answers for `dead…`, until it is cancelled, and knows no other name.
    const cancelled = new WeakMap<object, PromiseWithResolvers<never>>()
    async function look(this: object, host: string) {
      if (!asked.includes(host)) asked.push(host)
      const cancel = cancelled.get(this) ?? Promise.withResolvers<never>()
      cancelled.set(this, cancel)
      if (host.startsWith('dead')) await cancel.promise
      throw new Error('no such name')
    }
    function cancel(this: object) {
      cancelled.get(this)?.reject(Object.assign(new Error('cancelled'), { code: 'ECANCELLED' }))
    }
    const spies = [
      vi.spyOn(dns.Resolver.prototype, 'resolve4').mockImplementation(look as never),
      vi.spyOn(dns.Resolver.prototype, 'resolve6').mockImplementation(look as never),
      vi.spyOn(dns.Resolver.prototype, 'cancel').mockImplementation(cancel),
    ]
    return () => spies.forEach((spy) => spy.mockRestore())
  })

  const create = (key: string, sources: { url: string }[], signal?: AbortSignal) =>
    fetch(`${docent.url}/api/mcp/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ name: 'A', sources }),
      ...(signal ? { signal } : {}),
    })

  test('looks up hosts only after the plan was checked', async () => {
    const key = await docent.makeKey('planned@example.test')
    expect((await create(key, sourcesAt(6))).status).toBe(402)
    expect(asked).toEqual([])
    expect((await create(key, sourcesAt(5))).status).toBe(200)
    expect(asked).toHaveLength(5)
    const { body } = await docent.request('GET', '/api/mcp/list', undefined, { key })
    const added = await docent.request('POST', `/api/mcp/${body[0].id}/sources`, sourcesAt(1, 'more')[0], { key })
    expect(added.status).toBe(402)
    expect(asked).toHaveLength(5)
  })

  test('looks up each host once, for at most 100 sources', async () => {
    const key = await docent.makeKey('large@example.test')
    await docent.inStore(({ write }) =>
      write.updateTable('accounts').set({ plan: 'unlimited' }).where('email', '=', 'large@example.test').execute(),
    )
    expect((await create(key, sourcesAt(101))).status).toBe(400)
    expect(asked).toEqual([])
    const sources = Array.from({ length: 100 }, (_, n) => ({ url: `https://host${n % 3}.example.test/${n}` }))
    expect((await create(key, sources)).status).toBe(200)
    expect(asked).toHaveLength(3)
  })

  test('does not repeat a failed look-up for detection', async () => {
    const key = await docent.makeKey('detecting@example.test')
    const threads = vi.spyOn(dns, 'lookup')
    const { body } = await docent.request('POST', '/api/sources/detect', { url: 'https://dead.example.test/' }, { key })
    expect(body).toMatchObject({
      type: 'website',
      reachable: false,
      problem: expect.stringMatching(/^No name server answered .* Check the network/),
    })
    expect(threads.mock.calls.map(([host]) => host)).not.toContain('dead.example.test')
    threads.mockRestore()
  })

  test('cancels look-ups when the client leaves and blocks nobody else', async () => {
    const key = await docent.makeKey('leaving@example.test')
    const other = await docent.makeKey('other@example.test')
    await docent.inStore(({ write }) =>
      write.updateTable('accounts').set({ plan: 'unlimited' }).where('email', '=', 'leaving@example.test').execute(),
    )
    const leaving = new AbortController()
    let isWaiting = true
    const left = create(key, sourcesAt(100, 'dead'), leaving.signal)
      .catch((error: Error) => error.name)
      .finally(() => (isWaiting = false))
    await expect.poll(() => asked.length).toBeGreaterThan(0)
    expect((await create(other, sourcesAt(2))).status).toBe(200)
    expect(isWaiting).toBe(true)
    leaving.abort()
    expect(await left).toBe('AbortError')
    await sleep(300)
    expect(asked.filter((host) => host.startsWith('dead'))).toHaveLength(2)
    expect((await docent.request('GET', '/api/mcp/list', undefined, { key })).body).toEqual([])
  })
})
