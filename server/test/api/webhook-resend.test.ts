import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { MAX_LOGGED_ATTEMPTS } from '@docent/contract/operations/webhooks'
import { LEASE_MS } from '#webhooks/deliver.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import type { Docent } from '../support/service/harness.ts'
import { isGenuine } from '../support/sites/receiver.ts'
import { startWithWebhooks, webhookWorld } from '../support/service/webhook-world.ts'

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:19151/'
const HOUR_MS = 60 * 60 * 1000

onSqliteAtLeast('delivery that is sent again', (engine) => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startWithWebhooks(engine)
  })

  type World = Awaited<ReturnType<typeof webhookWorld>>
  const resend = (world: World, id: string) => world.ask('POST', `/api/webhooks/${world.id}/deliveries/${id}/resend`)
  const set = (id: string, values: object) =>
    docent.inStore(({ write }) => write.updateTable('webhookDeliveries').set(values).where('id', '=', id).execute())
  /** The first event of a new server, whose indexing fails, after its first attempt. */
  async function firstDelivery(world: World) {
    await world.create(NOWHERE)
    await world.receiver.until(1)
    for (;;) {
      const [delivery] = await world.deliveries()
      if (delivery?.attempts.length === 1) return delivery
      await sleep(20)
    }
  }

  test('sends an event again with the same id and body, and a new signature', async () => {
    await using world = await webhookWorld(docent, ['server.failed'])
    const { id } = await firstDelivery(world)
    const again = await resend(world, id)
    expect(again).toMatchObject({
      status: 200,
      body: { id, state: 'delivered', attempts: [{ status: 204 }, { status: 204 }], nextAttemptAt: null },
    })
    const [first, second] = await world.receiver.until(2)
    if (!first || !second) throw new Error('Nothing came')
    expect([second.headers['webhook-id'], second.text]).toEqual([id, first.text])
    expect(isGenuine(second, world.secret)).toBe(true)
  })

  test('resends an event that waits for a retry, and continues the retries if that fails', async () => {
    await using world = await webhookWorld(docent, ['server.failed'])
    world.receiver.answer = 503
    const { id } = await firstDelivery(world)
    await set(id, { nextAt: Date.now() + HOUR_MS })
    const failed = (await resend(world, id)).body
    expect(failed).toMatchObject({ state: 'queued', attempts: [{ status: 503 }, { status: 503 }] })
    expect(Date.parse(failed.nextAttemptAt) - Date.now()).toBeLessThan(70_000)
    world.receiver.answer = 204
    expect((await resend(world, id)).body).toMatchObject({ state: 'delivered', nextAttemptAt: null })
    expect(await world.state()).toMatchObject({ failingSince: null, waiting: 0 })
  })

  test('sends an ended event once more, without an effect on its state if that fails', async () => {
    await using world = await webhookWorld(docent, ['server.failed'])
    world.receiver.answer = 410
    const { id } = await firstDelivery(world)
    while ((await world.state()).enabled) await sleep(20)
    await world.ask('PATCH', `/api/webhooks/${world.id}`, { enabled: true })
    expect((await resend(world, id)).body).toMatchObject({
      state: 'failed',
      attempts: [{ status: 410 }, { status: 410 }],
      nextAttemptAt: null,
    })
    expect(await world.state()).toMatchObject({ enabled: true, failingSince: null })
    await world.ask('PATCH', `/api/webhooks/${world.id}`, { enabled: false })
    world.receiver.answer = 204
    expect((await resend(world, id)).body.state).toBe('delivered')
  })

  test('refuses to send while another attempt is under way, but not after a crash during one', async () => {
    await using world = await webhookWorld(docent, ['server.failed'])
    const { id } = await firstDelivery(world)
    const waiting: (() => void)[] = []
    world.receiver.answer = (response) => void waiting.push(() => response.writeHead(204).end())
    const sent = resend(world, id)
    await world.receiver.until(2)
    expect(await resend(world, id)).toMatchObject({ status: 409, body: { error: 'delivery_under_way' } })
    for (const answer of waiting) answer()
    expect((await sent).body.state).toBe('delivered')
    world.receiver.answer = 204
    // A node that crashed has counted an attempt without a result, and the next one waits for a retry.
    const hour = { state: 'queued', attempts: 4, nextAt: Date.now() + LEASE_MS - 5_000 }
    await set(id, hour)
    expect((await resend(world, id)).status).toBe(409)
    await set(id, { ...hour, nextAt: Date.now() + HOUR_MS })
    expect((await resend(world, id)).body.state).toBe('delivered')
  })

  test('sends an event once more when several people send it at the same time', async () => {
    await using world = await webhookWorld(docent, ['server.failed'])
    const { id } = await firstDelivery(world)
    const answers = await Promise.all([1, 2, 3, 4].map(() => resend(world, id)))
    const sent = answers.filter(({ status }) => status === 200).length
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(sent).toBeGreaterThan(0)
    expect(world.receiver.received).toHaveLength(1 + sent)
  })

  test('keeps the last attempts in its log', async () => {
    await using world = await webhookWorld(docent, ['server.failed'])
    const { id } = await firstDelivery(world)
    const entry = (at: number) => ({ at, status: 500, error: 'x', durationMs: 1 })
    const full = Array.from({ length: MAX_LOGGED_ATTEMPTS - 1 }, (_, n) => entry(n))
    await set(id, { log: JSON.stringify(full), attempts: full.length })
    const log = async () => (await resend(world, id)).body.attempts.map(({ status }: any) => status)
    expect(await log()).toEqual([...full.map(() => 500), 204])
    expect(await log()).toEqual([...full.slice(1).map(() => 500), 204, 204])
  })

  test('finds an event under its own webhook only', async () => {
    await using world = await webhookWorld(docent, ['server.failed'])
    await using other = await webhookWorld(docent, ['server.failed'])
    const { id } = await firstDelivery(world)
    expect(await resend(other, id)).toMatchObject({ status: 404, body: { error: 'Delivery not found' } })
    expect(await resend(world, 'msg_none')).toMatchObject({ status: 404 })
    expect(world.receiver.received).toHaveLength(1)
  })
})
