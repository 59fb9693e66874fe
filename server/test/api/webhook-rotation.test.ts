import { beforeAll, expect, test } from 'vitest'
import { toSecretKey, rotateSecrets } from '#auth/secret-keys.ts'
import { deleteOldSecrets } from '#store/webhooks/webhooks.ts'
import { onBothEngines } from '../support/database/engines.ts'
import type { Docent } from '../support/service/harness.ts'
import { isGenuine } from '../support/sites/receiver.ts'
import { startWithWebhooks, webhookWorld } from '../support/service/webhook-world.ts'

const SECRET_KEY = 'k'.repeat(32)
const HOUR_MS = 60 * 60 * 1000

onBothEngines('secret of a webhook', (engine) => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startWithWebhooks(engine)
  })

  type World = Awaited<ReturnType<typeof webhookWorld>>
  const rotate = (world: World, body: object = {}, headers: Record<string, string> = {}) =>
    docent.request('POST', `/api/webhooks/${world.id}/rotate`, body, { key: world.key, headers })
  const rowOf = ({ id }: World) =>
    docent.inStore(({ read }) => read.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
  /** Sends a test, and says which of the secrets verify it, and how many signatures it has. */
  async function verify(world: World, secrets: readonly string[]) {
    const sent = world.receiver.received.length
    await world.ask('POST', `/api/webhooks/${world.id}/test`)
    const event = (await world.receiver.until(sent + 1))[sent]
    if (!event) throw new Error('Nothing came')
    const signatures = String(event.headers['webhook-signature']).split(' ').length
    return { genuine: secrets.map((secret) => isGenuine(event, secret)), signatures }
  }

  test('signs with the old and the new secret for a day after a rotation', async () => {
    await using world = await webhookWorld(docent, ['server.indexed'])
    const before = Date.now()
    const rotated = await rotate(world)
    expect(rotated).toMatchObject({ status: 200, body: { id: world.id, secret: expect.stringMatching(/^whsec_/) } })
    const { secret, previousSecretUntil } = rotated.body
    expect(secret).not.toBe(world.secret)
    expect(Date.parse(previousSecretUntil) - before).toBeGreaterThanOrEqual(24 * HOUR_MS)
    expect(Date.parse(previousSecretUntil) - Date.now()).toBeLessThanOrEqual(24 * HOUR_MS)
    expect(await world.state()).toMatchObject({ previousSecretUntil })
    expect(await verify(world, [secret, world.secret])).toEqual({ genuine: [true, true], signatures: 2 })
    const stored = JSON.stringify(await rowOf(world))
    for (const text of [secret, world.secret]) expect(stored).not.toContain(text.slice(6))
  })

  test('stops signing with the old secret when the overlap ends, and deletes it', async () => {
    await using world = await webhookWorld(docent, ['server.indexed'])
    const { secret } = (await rotate(world, { overlapHours: 1 })).body
    const until = (await rowOf(world)).previousSecretUntil ?? 0
    await docent.inStore(({ write }) => deleteOldSecrets(write, until - 1))
    expect((await rowOf(world)).sealedPreviousSecret).not.toBeNull()
    const end = { previousSecretUntil: Date.now() - 1_000 }
    await docent.inStore(({ write }) => write.updateTable('webhooks').set(end).where('id', '=', world.id).execute())
    expect(await world.state()).toMatchObject({ previousSecretUntil: null })
    expect(await verify(world, [secret, world.secret])).toEqual({ genuine: [true, false], signatures: 1 })
    await docent.inStore(({ write }) => deleteOldSecrets(write, end.previousSecretUntil))
    expect(await rowOf(world)).toMatchObject({ sealedPreviousSecret: null, previousSecretUntil: null })
  })

  test('retires the old secret at once without an overlap', async () => {
    await using world = await webhookWorld(docent, ['server.indexed'])
    const { secret, previousSecretUntil } = (await rotate(world, { overlapHours: 0 })).body
    expect(previousSecretUntil).toBeNull()
    expect(await verify(world, [secret, world.secret])).toEqual({ genuine: [true, false], signatures: 1 })
  })

  test('limits the overlap of two secrets to a week', async () => {
    await using world = await webhookWorld(docent, ['server.indexed'])
    expect((await rotate(world, { overlapHours: 168 })).status).toBe(200)
    for (const overlapHours of [169, -1, 1.5, 'a day']) {
      expect({ overlapHours, ...(await rotate(world, { overlapHours })) }).toMatchObject({
        overlapHours,
        status: 400,
        body: { error: 'invalid_input', message: expect.stringContaining('overlapHours') },
      })
    }
  })

  test('signs with the last two secrets after several rotations, also concurrent ones', async () => {
    await using world = await webhookWorld(docent, ['server.indexed'])
    const made = (await Promise.all([1, 2, 3].map(() => rotate(world)))).map(({ body }) => body.secret as string)
    const { genuine, signatures } = await verify(world, [world.secret, ...made])
    expect(signatures).toBe(2)
    expect(genuine[0]).toBe(false)
    expect(genuine.filter(Boolean)).toHaveLength(2)
  })

  test('rotates a secret once for a repeated request', async () => {
    await using world = await webhookWorld(docent, ['server.indexed'])
    const headers = { 'idempotency-key': 'rotate once' }
    const [first, second] = [await rotate(world, {}, headers), await rotate(world, {}, headers)]
    expect(second.body).toEqual(first.body)
    expect((await verify(world, [first.body.secret, world.secret])).genuine).toEqual([true, true])
  })

  test('keeps both secrets after a rotation of the encryption key', async () => {
    await using world = await webhookWorld(docent, ['server.indexed'])
    const { secret } = (await rotate(world)).body
    const keys = ['n'.repeat(32), SECRET_KEY].map(toSecretKey)
    const back = [SECRET_KEY, 'n'.repeat(32)].map(toSecretKey)
    await docent.inStore(async (store) => {
      const before = await store.read.selectFrom('webhooks').selectAll().where('id', '=', world.id).execute()
      await rotateSecrets(store, keys)
      const after = await store.read.selectFrom('webhooks').selectAll().where('id', '=', world.id).execute()
      expect(after[0]?.sealedPreviousSecret?.split('.')[0]).not.toBe(before[0]?.sealedPreviousSecret?.split('.')[0])
      await rotateSecrets(store, back)
    })
    expect((await verify(world, [secret, world.secret])).genuine).toEqual([true, true])
  })
})
