import { beforeAll, expect, test } from 'vitest'
import { onBothEngines } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { isGenuine } from '../support/sites/receiver.ts'
import { startWithWebhooks, webhookWorld } from '../support/service/webhook-world.ts'

const SECRET_KEY = 'k'.repeat(32)
const EVENTS = ['server.indexed', 'server.failed', 'question.unanswered', 'limit.reached']

onBothEngines('webhook', (engine) => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startWithWebhooks(engine)
  })

  test('shows the secret of a webhook once and stores it encrypted', async () => {
    await using world = await webhookWorld(docent, EVENTS)
    expect(world.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const list = await world.ask('GET', '/api/webhooks')
    expect(list.body).toMatchObject({
      maxWebhooks: 10,
      webhooks: [{ id: world.id, url: world.receiver.url, events: EVENTS, enabled: true, waiting: 0, dropped: 0 }],
    })
    expect(list.text).not.toContain('whsec_')
    const rows = await docent.inStore(({ read }) => read.selectFrom('webhooks').selectAll().execute())
    expect(JSON.stringify(rows)).not.toContain(world.secret.slice(6))
  })

  test('sends a signed test event, and returns the result to its sender', async () => {
    await using world = await webhookWorld(docent, ['server.indexed'])
    const sent = await world.ask('POST', `/api/webhooks/${world.id}/test`)
    expect(sent).toMatchObject({
      status: 200,
      body: { type: 'webhook.test', state: 'delivered', attempts: [{ status: 204, error: null }], nextAttemptAt: null },
    })
    const [event] = await world.receiver.until(1)
    if (!event) throw new Error('Nothing came')
    expect(event.body).toMatchObject({ type: 'webhook.test', data: { webhookId: world.id } })
    expect(event.headers).toMatchObject({
      'webhook-id': sent.body.id,
      'content-type': 'application/json',
      'user-agent': expect.stringContaining('Docent'),
    })
    expect(isGenuine(event, world.secret)).toBe(true)
    expect(isGenuine({ ...event, text: `${event.text} ` }, world.secret)).toBe(false)
    expect(isGenuine(event, `whsec_${Buffer.alloc(32).toString('base64')}`)).toBe(false)
  })

  test('reports the failure of a test event, and tries it once', async () => {
    await using world = await webhookWorld(docent, ['server.indexed'])
    world.receiver.answer = 500
    const failed = await world.ask('POST', `/api/webhooks/${world.id}/test`)
    expect(failed.body).toMatchObject({
      state: 'failed',
      attempts: [{ status: 500, error: 'The receiver answered 500. It has to answer with a status from 200 to 299.' }],
      nextAttemptAt: null,
    })
    expect(await world.state()).toMatchObject({ failingSince: null, enabled: true })
    await world.receiver[Symbol.asyncDispose]()
    const closed = await world.ask('POST', `/api/webhooks/${world.id}/test`)
    expect(closed.body.attempts).toMatchObject([
      { status: null, error: expect.stringContaining('did not accept a connection') },
    ])
  })

  test('never follows a redirect of a webhook', async () => {
    await using world = await webhookWorld(docent, ['server.indexed'])
    await using elsewhere = await webhookWorld(docent, ['server.indexed'])
    for (const status of [301, 302, 303, 307, 308]) {
      world.receiver.answer = (response) => void response.writeHead(status, { location: elsewhere.receiver.url }).end()
      const { body } = await world.ask('POST', `/api/webhooks/${world.id}/test`)
      expect(body).toMatchObject({
        state: 'failed',
        attempts: [{ status, error: expect.stringContaining('redirect') }],
      })
    }
    expect(elsewhere.receiver.received).toEqual([])
  })

  test('refuses a webhook with an address that is invalid, private or the service itself', async () => {
    await using world = await webhookWorld(docent, ['server.indexed'])
    const create = async (url: unknown, events: unknown = ['server.indexed']) =>
      world.ask('POST', '/api/webhooks', { url, events })
    for (const url of ['', 'hooks.example.com', 'ftp://example.com/', 'https://user:pw@example.com/', 7]) {
      expect({ url, status: (await create(url)).status }).toEqual({ url, status: 400 })
    }
    for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/', `${docent.url}/api/mcp/list`]) {
      const refused = { status: 400, body: { error: 'webhook_url_private' } }
      expect({ url, ...(await create(url)) }).toMatchObject({ url, ...refused })
      expect(await world.ask('PATCH', `/api/webhooks/${world.id}`, { url })).toMatchObject(refused)
    }
    for (const events of [[], ['server.deleted'], ['webhook.test'], 'server.indexed', undefined]) {
      expect({ events, status: (await create(world.receiver.url, events ?? null)).status }).toEqual({
        events,
        status: 400,
      })
    }
    expect((await world.ask('GET', '/api/webhooks')).body.webhooks).toHaveLength(1)
  })

  test('sends events of the instance only to webhooks of the operator', async () => {
    await using world = await webhookWorld(docent, ['server.indexed'])
    const events = ['server.indexed', 'purchase.requested']
    const refused = {
      status: 403,
      body: { error: 'operator_only', message: 'Only the operator of this instance can get purchase.requested.' },
    }
    expect(await world.ask('POST', '/api/webhooks', { url: world.receiver.url, events })).toMatchObject(refused)
    expect(await world.ask('PATCH', `/api/webhooks/${world.id}`, { events })).toMatchObject(refused)
    const types = ({ body }: any) => body.available.map(({ type }: any) => type)
    expect(types(await world.ask('GET', '/api/webhooks'))).toEqual(EVENTS)
    expect(types(await docent.request('GET', '/api/webhooks'))).toEqual([...EVENTS, 'purchase.requested'])
  })

  test('changes, switches off and deletes a webhook', async () => {
    await using world = await webhookWorld(docent, ['server.indexed'])
    const change = (body: object) => world.ask('PATCH', `/api/webhooks/${world.id}`, body)
    expect(await change({})).toMatchObject({ status: 400, body: { error: 'Nothing to update.' } })
    const changed = await change({
      name: 'Chat',
      events: ['server.failed', 'server.failed'],
      url: `${world.receiver.url}x`,
    })
    expect(changed.body).toMatchObject({ name: 'Chat', events: ['server.failed'], url: `${world.receiver.url}x` })
    expect((await change({ enabled: false })).body).toMatchObject({ enabled: false, disabledReason: null })
    // A test works also while it is off.
    expect((await world.ask('POST', `/api/webhooks/${world.id}/test`)).body.state).toBe('delivered')
    expect((await world.receiver.until(1))[0]?.path).toBe('/x')
    expect((await world.ask('DELETE', `/api/webhooks/${world.id}`)).body).toEqual({ ok: true })
    expect((await world.ask('POST', `/api/webhooks/${world.id}/test`)).status).toBe(404)
    const left = await docent.inStore(({ read }) =>
      read.selectFrom('webhookDeliveries').select('id').where('webhookId', '=', world.id).execute(),
    )
    expect(left).toEqual([])
  })

  test('limits webhooks to ten per account, also for concurrent requests', async () => {
    await using world = await webhookWorld(docent, ['server.indexed'])
    const create = () => world.ask('POST', '/api/webhooks', { url: world.receiver.url, events: ['server.indexed'] })
    const answers = await Promise.all(Array.from({ length: 12 }, create))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9)
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ error: 'webhook_limit', limit: 10 })
    await world.ask('DELETE', `/api/webhooks/${world.id}`)
    expect((await create()).status).toBe(200)
  })

  test('creates one webhook for a repeated request, with the same secret', async () => {
    await using world = await webhookWorld(docent, ['server.indexed'])
    const send = () =>
      docent.request(
        'POST',
        '/api/webhooks',
        { url: world.receiver.url, events: ['server.failed'] },
        { key: world.key, headers: { 'idempotency-key': 'one' } },
      )
    const [first, second] = [await send(), await send()]
    expect(second.text).toBe(first.text)
    expect((await world.ask('GET', '/api/webhooks')).body.webhooks).toHaveLength(2)
  })
})

test('tells its owner that events cannot be signed without the key of the instance', async () => {
  await using docent = await startDocent({ environment: { DOCENT_SECRET_KEY: SECRET_KEY } })
  await using world = await webhookWorld(docent, ['server.indexed'], 'owner@example.test')
  await docent.inStore(({ write }) => write.updateTable('webhooks').set({ sealedSecret: 'gone.x' }).execute())
  const { body } = await world.ask('POST', `/api/webhooks/${world.id}/test`)
  expect(body).toMatchObject({
    state: 'failed',
    attempts: [{ status: null, error: expect.stringContaining('signed') }],
  })
  await docent.inStore(({ write }) => write.updateTable('secretKeys').set({ id: 'gone' }).execute())
  const refused = await world.ask('POST', '/api/webhooks', { url: world.receiver.url, events: ['server.indexed'] })
  expect(refused).toMatchObject({ status: 503, body: { error: 'credentials_unavailable' } })
  expect(world.receiver.received).toEqual([])
})

test('refuses a private receiver at delivery too, whatever its name led to before', async () => {
  await using docent = await startDocent({ environment: { DOCENT_SECRET_KEY: SECRET_KEY, DOCENT_ALLOW_NETWORKS: '' } })
  await using world = await webhookWorld(docent, ['server.indexed'], 'owner@example.test')
  expect(world.id).toBeUndefined()
  const made = await world.ask('POST', '/api/webhooks', { url: 'http://192.0.43.8/', events: ['server.indexed'] })
  // As if the name of the receiver led to this machine since.
  await docent.inStore(({ write }) => write.updateTable('webhooks').set({ url: world.receiver.url }).execute())
  const { body } = await world.ask('POST', `/api/webhooks/${made.body.id}/test`)
  expect(body).toMatchObject({ state: 'failed', attempts: [{ status: null, error: expect.stringMatching(/private/) }] })
  expect(world.receiver.received).toEqual([])
})
