import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toSecretKey } from '#auth/secret-keys.ts'
import { createVault } from '#auth/vault.ts'
import { createNetClient } from '#net/client.ts'
import { parseNetworks } from '#net/judge-address.ts'
import { deliverOnce } from '#webhooks/deliver.ts'
import { pruneDeliveries } from '#store/webhooks/deliveries.ts'
import { makePlace, onBothEngines, openTwoNodes } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { isGenuine } from '../support/sites/receiver.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'
import { WEBHOOK_SERVICE, webhookWorld } from '../support/service/webhook-world.ts'

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:19151/'
const DAY_MS = 24 * 60 * 60 * 1000
const INDEXED = ['server.indexed', 'server.failed']

onBothEngines('delivery of a webhook', (engine) => {
  let docent: Docent
  let site: Site
  beforeAll(async () => {
    docent = await startDocent({ engine, ...WEBHOOK_SERVICE })
    site = await startSite({ '/': page('Home', 'Welcome to this place of sprockets.') })
  })
  afterAll(() => disposeAll(docent, site))
  const change = (id: string, values: object) =>
    docent.inStore(({ write }) => write.updateTable('webhooks').set(values).where('id', '=', id).execute())

  test('repeats a failed delivery with the same id and a new signature', async () => {
    await using world = await webhookWorld(docent, INDEXED)
    world.receiver.answer = 503
    await world.create(`${site.url}/`)
    await world.receiver.until(1)
    const failed = async () => (await world.deliveries())[0]
    while ((await failed()).attempts.length === 0) await sleep(20)
    const before = await failed()
    expect(before).toMatchObject({ state: 'queued', attempts: [{ status: 503 }] })
    const wait = Date.parse(before.nextAttemptAt) - Date.parse(before.attempts[0].at)
    expect(wait).toBeGreaterThanOrEqual(5_000)
    expect(wait).toBeLessThan(6_000)
    expect(await world.state()).toMatchObject({ waiting: 1, failingSince: before.attempts[0].at })
    world.receiver.answer = 200
    await world.hurry()
    const [first, second] = await world.receiver.until(2)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second && isGenuine(second, world.secret)).toBe(true)
    while ((await failed()).state === 'queued') await sleep(20)
    expect(await failed()).toMatchObject({
      state: 'delivered',
      attempts: [{ status: 503 }, { status: 200, error: null }],
      nextAttemptAt: null,
    })
    expect(await world.state()).toMatchObject({ waiting: 0, failingSince: null, lastDeliveredAt: expect.any(String) })
  })

  test('waits as long as the receiver asks for', async () => {
    await using world = await webhookWorld(docent, INDEXED)
    world.receiver.answer = (response) => void response.writeHead(429, { 'retry-after': '120' }).end()
    await world.create(NOWHERE)
    await world.receiver.until(1)
    let [delivery] = await world.deliveries()
    while (delivery.attempts.length === 0) {
      await sleep(20)
      ;[delivery] = await world.deliveries()
    }
    const wait = Date.parse(delivery.nextAttemptAt) - Date.parse(delivery.attempts[0].at)
    expect(Math.abs(wait - 120_000)).toBeLessThan(1_000)
  })

  test('gives up a delivery after eight attempts', async () => {
    await using world = await webhookWorld(docent, INDEXED)
    world.receiver.answer = 500
    await world.create(NOWHERE)
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await world.receiver.until(attempt)
      let [delivery] = await world.deliveries()
      while (delivery.attempts.length < attempt) {
        await sleep(20)
        ;[delivery] = await world.deliveries()
      }
      expect([attempt, delivery.state]).toEqual([attempt, attempt < 8 ? 'queued' : 'failed'])
      await world.hurry()
    }
    await sleep(1_500)
    expect(world.receiver.received).toHaveLength(8)
    expect(await world.state()).toMatchObject({ waiting: 0, enabled: true })
  })

  test('delivers to a receiver in time while others of the account and of other accounts are slow', async () => {
    await using fast = await webhookWorld(docent, INDEXED)
    await using slow = await webhookWorld(docent, INDEXED)
    // Never answers.
    slow.receiver.answer = () => {}
    for (const world of [fast, slow]) {
      for (let n = 0; n < 4; n += 1) {
        await world.ask('POST', '/api/webhooks', { url: `${slow.receiver.url}${n}`, events: INDEXED })
      }
    }
    await slow.create(NOWHERE)
    await slow.receiver.until(3)
    await fast.create(NOWHERE)
    const [event] = await fast.receiver.until(1)
    expect(event?.body.type).toBe('server.failed')
    const attempts = (await slow.deliveries()).flatMap((delivery) => delivery.attempts)
    expect(attempts.filter(({ status }) => status !== null)).toEqual([])
  })

  test('drops and counts a delivery while 500 wait for its webhook', async () => {
    await using world = await webhookWorld(docent, INDEXED)
    world.receiver.answer = 500
    const row = { webhookId: world.id, accountId: 'acc', serverId: null, type: 'x', body: '{}', log: '[]' }
    const later = { state: 'queued' as const, attempts: 1, nextAt: Date.now() + DAY_MS, createdAt: 1, settledAt: null }
    const rows = Array.from({ length: 499 }, (_, n) => ({ ...row, ...later, id: `msg_${engine}${n}` }))
    await docent.inStore(async ({ write }) => {
      for (let n = 0; n < rows.length; n += 100) {
        await write
          .insertInto('webhookDeliveries')
          .values(rows.slice(n, n + 100))
          .execute()
      }
    })
    await world.create(NOWHERE)
    await world.receiver.until(1)
    expect(await world.state()).toMatchObject({ waiting: 500, dropped: 0 })
    await world.create(NOWHERE)
    while ((await world.state()).dropped === 0) await sleep(20)
    expect(await world.state()).toMatchObject({ waiting: 500, dropped: 1 })
    expect((await world.ask('PATCH', `/api/webhooks/${world.id}`, { enabled: false })).body.waiting).toBe(0)
  })

  test.each([
    { failures: 18, days: 4, enabled: true },
    { failures: 19, days: 4, enabled: false },
    { failures: 30, days: 2.9, enabled: true },
  ])('switches the webhook off after days of failures: %j', async ({ failures, days, enabled }) => {
    await using world = await webhookWorld(docent, INDEXED)
    world.receiver.answer = 500
    await change(world.id, { failures, failingSince: Date.now() - days * DAY_MS })
    await world.create(NOWHERE)
    let [delivery] = await world.deliveries()
    while (!delivery?.attempts[0]) {
      await sleep(20)
      ;[delivery] = await world.deliveries()
    }
    expect(await world.state()).toMatchObject({
      enabled,
      disabledReason: enabled ? null : expect.stringContaining('No event was delivered for 3 days'),
      waiting: enabled ? 1 : 0,
    })
    const on = await world.ask('PATCH', `/api/webhooks/${world.id}`, { enabled: true })
    expect(on.body).toMatchObject({ enabled: true, disabledReason: null, failingSince: null })
  })

  test('switches the webhook off at once if the receiver is gone', async () => {
    await using world = await webhookWorld(docent, INDEXED)
    world.receiver.answer = 410
    await world.create(NOWHERE)
    await world.receiver.until(1)
    while ((await world.state()).enabled) await sleep(20)
    expect(await world.state()).toMatchObject({ disabledReason: expect.stringContaining('410'), waiting: 0 })
    await world.create(NOWHERE)
    await sleep(1_500)
    expect(world.receiver.received).toHaveLength(1)
  })

  test('deletes a delivery from the log by age, or when there are many newer ones', async () => {
    await using world = await webhookWorld(docent, INDEXED)
    const row = { webhookId: world.id, accountId: 'acc', serverId: null, type: 'x', body: '{}', log: '[]' }
    const rows = [1, 2, 3, 4, 5].map((createdAt) => ({
      ...row,
      id: `msg_${world.id}${createdAt}`,
      state: createdAt === 1 ? ('queued' as const) : ('delivered' as const),
      attempts: 1,
      nextAt: Date.now() + DAY_MS,
      createdAt,
      settledAt: createdAt,
    }))
    const left = () =>
      docent.inStore(async ({ read }) => {
        const query = read.selectFrom('webhookDeliveries').select('createdAt').where('webhookId', '=', world.id)
        return (await query.orderBy('createdAt').execute()).map(({ createdAt }) => createdAt)
      })
    await docent.inStore(({ write }) => write.insertInto('webhookDeliveries').values(rows).execute())
    await docent.inStore(({ write }) => pruneDeliveries(write, { time: 3, keep: 100 }))
    expect(await left()).toEqual([1, 3, 4, 5])
    await docent.inStore(({ write }) => pruneDeliveries(write, { time: 0, keep: 2 }))
    expect(await left()).toEqual([1, 4, 5])
  })

  test('sends an event from one of several nodes that try at once', async () => {
    await using world = await webhookWorld(docent, INDEXED)
    await using nodes = await openTwoNodes(docent.place, docent.store)
    await using net = createNetClient({ allowNetworks: parseNetworks('127.0.0.0/8'), userAgent: 'test' })
    const secret = toSecretKey('k'.repeat(32))
    const { signal } = new AbortController()
    // Hidden from the service, which is a node as well.
    const hidden = { nextAt: Date.now() + DAY_MS, state: 'queued' as const, attempts: 0, createdAt: 1, settledAt: null }
    const about = { webhookId: world.id, accountId: 'acc', serverId: null, type: 'x', body: '{}', log: '[]' }
    const ids = Array.from({ length: 10 }, (_, n) => `msg_${world.id}${n}`)
    await docent.inStore(({ write }) =>
      write
        .insertInto('webhookDeliveries')
        .values(ids.map((id) => ({ ...about, ...hidden, id })))
        .execute(),
    )
    for (const id of ids) {
      const due = nodes.one.write.updateTable('webhookDeliveries').set({ nextAt: 0 }).where('id', '=', id)
      await due.execute()
      const stores = [nodes.one, nodes.other, nodes.one, nodes.other]
      await Promise.all(stores.map((store) => deliverOnce({ store, vault: createVault([secret]), net }, id, signal)))
    }
    // Attempts of the service itself may still be under way.
    while ((await world.state()).waiting > 0) await sleep(20)
    expect(world.receiver.received.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual(ids.toSorted())
  })
})

onBothEngines('events of webhooks over a restart', (engine) => {
  test('delivers waiting events after a restart, with their ids', async () => {
    await using place = await makePlace(engine)
    let ids: unknown[] = []
    let key = ''
    let world: Awaited<ReturnType<typeof webhookWorld>> | undefined
    try {
      {
        await using before = await startDocent({ engine, place, ...WEBHOOK_SERVICE })
        key = before.key
        world = await webhookWorld(before, INDEXED, 'owner@example.test')
        world.receiver.answer = 503
        await world.create(NOWHERE)
        await world.receiver.until(1)
        // In flight while the service stops.
        world.receiver.answer = () => {}
        await world.create(NOWHERE)
        await world.receiver.until(2)
        ids = [...new Set(world.receiver.received.map(({ headers }) => headers['webhook-id']))]
        expect(ids).toHaveLength(2)
      }
      world.receiver.answer = 204
      world.receiver.received.length = 0
      await using after = await startDocent({ engine, place, key, ...WEBHOOK_SERVICE })
      // The interrupted one is due at once, the failed one in some seconds.
      const events = await world.receiver.until(2)
      expect(new Set(events.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(ids))
      const path = `/api/webhooks/${world.id}/deliveries`
      let { deliveries } = (await after.request('GET', path)).body
      while (deliveries.some(({ state }: any) => state === 'queued')) {
        ;({ deliveries } = (await after.request('GET', path)).body)
      }
      const attempts = deliveries.map((one: any) => one.attempts.map(({ status }: any) => status))
      expect(attempts).toContainEqual([503, 204])
      expect(attempts).toContainEqual([204])
    } finally {
      await world?.receiver[Symbol.asyncDispose]()
    }
  })
})
