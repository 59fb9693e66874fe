import { afterAll, beforeAll, expect, test } from 'vitest'
import { grantPurchase } from '#billing/purchases.ts'
import { sourceCredits } from '#store/accounts/purchases.ts'
import { onBothEngines, openTwoNodes } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'

const NOWHERE = 'http://127.0.0.1:19151/'
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

onBothEngines('purchase', (engine) => {
  let docent: Docent
  let operator: string
  let count = 0

  beforeAll(async () => {
    const environment = { DOCENT_RATE_LIMITS: 'off', DOCENT_PLAN_PRICES: 'core=29.50' }
    docent = await startDocent({ engine, plan: 'free', environment })
    operator = docent.key
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  /** A new account on the free plan, with its requests. */
  const account = async () => {
    const email = `buyer${(count += 1)}@example.test`
    const key = await docent.makeKey(email)
    const ask = (method: string, path: string, body?: unknown) => docent.request(method, path, body, { key })
    const create = async () => {
      const { body } = await ask('POST', '/api/mcp/create', { name: 'A', sources: [{ url: NOWHERE }] })
      return body.serverId as string
    }
    return { email, key, ask, create }
  }
  const settle = (id: string, how: 'grant' | 'refuse', body?: unknown) =>
    docent.request('POST', `/api/instance/purchases/${id}/${how}`, body, { key: operator })

  test('lists the plans with their prices and limits', async () => {
    const { ask } = await account()
    const { body } = await ask('GET', '/api/billing/plans')
    expect(body.plans.map(({ plan, price }: any) => [plan, price])).toEqual([
      ['free', { amount: 0, currency: 'USD', per: 'month' }],
      ['core', { amount: 29.5, currency: 'USD', per: 'month' }],
      ['unlimited', null],
    ])
    expect(body.plans[0].limits).toMatchObject({ servers: 3, mcpRequestsPerMonth: 50 })
    expect(body).toMatchObject({ sourcePrice: { amount: 3, currency: 'USD', per: 'once' }, payment: 'operator' })
  })

  test('gives the server its sources once the request is granted', async () => {
    const { ask, create, email } = await account()
    const serverId = await create()
    const addFive = async () => {
      for (const n of [1, 2, 3, 4]) await ask('POST', `/api/mcp/${serverId}/sources`, { url: `${NOWHERE}${n}` })
      return ask('POST', `/api/mcp/${serverId}/sources`, { url: `${NOWHERE}5` })
    }
    expect((await addFive()).body).toMatchObject({
      error: 'source_limit_reached',
      purchaseUrl: `${docent.url}/plan?buy=source&server=${serverId}`,
    })
    const asked = await ask('POST', '/api/billing/purchases/sources', { serverId, sources: 2, note: ' Soon, please ' })
    expect(asked).toMatchObject({
      status: 200,
      body: {
        id: expect.stringMatching(/^pur_\w{22}$/),
        kind: 'sources',
        serverId,
        serverName: 'A',
        sources: 2,
        price: { amount: 6, currency: 'USD', per: 'once' },
        note: 'Soon, please',
        state: 'requested',
        settledAt: null,
        checkoutUrl: null,
      },
    })
    expect((await ask('POST', `/api/mcp/${serverId}/sources`, { url: `${NOWHERE}5` })).status).toBe(402)
    const granted = await settle(asked.body.id, 'grant')
    expect(granted).toMatchObject({ status: 200, body: { state: 'granted', settledAt: ISO, account: { email } } })
    expect((await ask('POST', `/api/mcp/${serverId}/sources`, { url: `${NOWHERE}5` })).status).toBe(200)
    const { body: usage } = await ask('GET', '/api/billing/usage')
    expect(usage.sources).toEqual([{ serverId, used: 6, limit: 7, paidCredits: 2 }])
  })

  test('applies a granted plan with the next request', async () => {
    const { ask } = await account()
    const asked = await ask('POST', '/api/billing/purchases/plan', { plan: 'core' })
    expect(asked.body).toMatchObject({
      plan: 'core',
      price: { amount: 29.5, per: 'month' },
      sources: null,
      serverId: null,
    })
    expect((await ask('GET', '/api/account/entitlements')).body.plan).toBe('free')
    expect((await settle(asked.body.id, 'grant')).body.account.plan).toBe('core')
    expect((await ask('GET', '/api/account/entitlements')).body).toMatchObject({
      plan: 'core',
      limits: { servers: 20 },
      features: { requestLog: true },
    })
    const again = await ask('POST', '/api/billing/purchases/plan', { plan: 'core' })
    expect(again).toMatchObject({ status: 409, body: { error: 'plan_is_current' } })
  })

  test('changes the account once if many operators grant a request at once', async () => {
    const { ask, create } = await account()
    const serverId = await create()
    const { body } = await ask('POST', '/api/billing/purchases/sources', { serverId, sources: 3 })
    const answers = await Promise.all(Array.from({ length: 10 }, () => settle(body.id, 'grant')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
    expect(answers.find(({ status }) => status === 409)?.body.error).toBe('purchase_settled')
    expect(await docent.inStore(({ read }) => sourceCredits(read, serverId))).toBe(3)
    expect((await settle(body.id, 'refuse', { reason: 'Late' })).body.error).toBe('purchase_settled')
  })

  test('changes the account once if two nodes grant a request at once', async () => {
    const { ask, create } = await account()
    const serverId = await create()
    await using nodes = await openTwoNodes(docent.place, docent.store)
    for (let round = 1; round <= 5; round += 1) {
      const { body } = await ask('POST', '/api/billing/purchases/sources', { serverId })
      const decision = { purchaseId: body.id as string, by: 'acc_1', now: Date.now() }
      const outcomes = await Promise.allSettled([
        grantPurchase(nodes.one, decision),
        grantPurchase(nodes.other, decision),
      ])
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(await sourceCredits(nodes.one.read, serverId)).toBe(round)
    }
  })

  test('grants or withdraws a request, never both', async () => {
    const { ask, create } = await account()
    const serverId = await create()
    const { body } = await ask('POST', '/api/billing/purchases/sources', { serverId })
    const outcomes = await Promise.all([settle(body.id, 'grant'), ask('DELETE', `/api/billing/purchases/${body.id}`)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const isGranted = outcomes[0].status === 200
    expect(await docent.inStore(({ read }) => sourceCredits(read, serverId))).toBe(isGranted ? 1 : 0)
    const { purchases } = (await ask('GET', '/api/billing/purchases')).body
    expect(purchases).toMatchObject([{ id: body.id, state: isGranted ? 'granted' : 'withdrawn', settledAt: ISO }])
  })

  test('shows the account the reason of a refusal', async () => {
    const { ask } = await account()
    const { body } = await ask('POST', '/api/billing/purchases/plan', { plan: 'unlimited' })
    expect(await settle(body.id, 'refuse', { reason: '  ' })).toMatchObject({
      status: 400,
      body: { message: 'reason must not be empty.' },
    })
    expect((await settle(body.id, 'refuse', { reason: 'x'.repeat(501) })).status).toBe(400)
    expect((await settle(body.id, 'refuse', { reason: 'x'.repeat(500) })).status).toBe(200)
    const { purchases } = (await ask('GET', '/api/billing/purchases')).body
    expect(purchases).toMatchObject([{ state: 'refused', reason: 'x'.repeat(500) }])
    expect((await ask('GET', '/api/account/entitlements')).body.plan).toBe('free')
  })

  test('takes back a grant whose server was purged, and says so', async () => {
    const { ask, create } = await account()
    const serverId = await create()
    const { body } = await ask('POST', '/api/billing/purchases/sources', { serverId })
    await docent.inStore(({ write }) => write.deleteFrom('servers').where('id', '=', serverId).execute())
    expect(await settle(body.id, 'grant')).toMatchObject({ status: 409, body: { error: 'purchase_server_gone' } })
    const { purchases } = (await ask('GET', '/api/billing/purchases')).body
    expect(purchases).toMatchObject([{ state: 'requested', serverId: null, serverName: null }])
    expect((await settle(body.id, 'refuse', { reason: 'The server is gone' })).status).toBe(200)
  })

  test('allows twenty open requests, and one of them for a plan', async () => {
    const { ask, create } = await account()
    const serverId = await create()
    const request = (body: object = {}) => ask('POST', '/api/billing/purchases/sources', { serverId, ...body })
    for (const sources of [0, 101, 1.5, '2']) expect((await request({ sources })).status).toBe(400)
    expect(await request({ sources: 100, note: 'x'.repeat(500) })).toMatchObject({ status: 200 })
    expect(await request({ note: 'x'.repeat(501) })).toMatchObject({ status: 400 })
    const plan = await ask('POST', '/api/billing/purchases/plan', { plan: 'core' })
    expect(plan.status).toBe(200)
    const second = await ask('POST', '/api/billing/purchases/plan', { plan: 'unlimited' })
    expect(second).toMatchObject({ status: 409, body: { error: 'plan_requested' } })
    for (let n = 3; n <= 20; n += 1) expect((await request()).status).toBe(200)
    const full = { status: 409, body: { error: 'purchase_limit', limit: 20 } }
    expect(await request()).toMatchObject(full)
    expect((await ask('DELETE', `/api/billing/purchases/${plan.body.id}`)).status).toBe(200)
    const outcomes = await Promise.all([request(), request(), request()])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const page = await ask('GET', '/api/billing/purchases?page=2')
    expect(page.body).toMatchObject({ page: 2, pageSize: 20, total: 21, totalPages: 2 })
    expect(page.body.purchases).toHaveLength(1)
  })

  test('stores a repeated request once', async () => {
    const { key, ask, create } = await account()
    const serverId = await create()
    const send = () =>
      docent.request(
        'POST',
        '/api/billing/purchases/sources',
        { serverId },
        { key, headers: { 'idempotency-key': 'a' } },
      )
    const answers = await Promise.all([send(), send(), send()])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await ask('GET', '/api/billing/purchases')).body.total).toBe(1)
  })

  test('lists requests for the operator with their accounts, newest first', async () => {
    const { ask, email } = await account()
    const { body } = await ask('POST', '/api/billing/purchases/plan', { plan: 'core', note: 'First' })
    const list = (query: string) =>
      docent.request('GET', `/api/instance/purchases${query}`, undefined, { key: operator })
    const open = (await list('?state=requested')).body
    expect(open.purchases[0]).toMatchObject({ id: body.id, note: 'First', account: { email, plan: 'free' } })
    expect(new Set(open.purchases.map(({ state }: any) => state))).toEqual(new Set(['requested']))
    expect((await list('')).body.total).toBeGreaterThan(open.total)
    expect((await list('?state=paid')).status).toBe(400)
  })

  test('hides the requests of other accounts and of the instance', async () => {
    const [{ ask }, other] = [await account(), await account()]
    const { body } = await ask('POST', '/api/billing/purchases/plan', { plan: 'core' })
    expect((await other.ask('DELETE', `/api/billing/purchases/${body.id}`)).body.error).toBe('Purchase not found')
    const refused = { status: 403, body: { error: 'operator_only' } }
    expect(await other.ask('GET', '/api/instance/purchases')).toMatchObject(refused)
    expect(await ask('POST', `/api/instance/purchases/${body.id}/grant`)).toMatchObject(refused)
    expect(await ask('POST', '/api/instance/purchases/pur_unknown/grant')).toMatchObject(refused)
    expect((await settle('pur_unknown', 'grant')).status).toBe(404)
    const scoped = await docent.makeKey('owner@example.test', [])
    const byScoped = await docent.request('GET', '/api/instance/purchases', undefined, { key: scoped })
    expect(byScoped).toMatchObject({ status: 403, body: { error: 'key_scoped' } })
  })
})
