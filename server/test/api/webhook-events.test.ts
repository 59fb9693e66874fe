import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccountByEmail } from '#store/accounts/accounts.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { isGenuine } from '../support/sites/receiver.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'
import { WEBHOOK_SERVICE, webhookWorld } from '../support/service/webhook-world.ts'

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:19151/'
const INDEXED = ['server.indexed', 'server.failed']

onSqliteAtLeast('event of a webhook', (engine) => {
  let docent: Docent
  let site: Site
  beforeAll(async () => {
    docent = await startDocent({ engine, ...WEBHOOK_SERVICE })
    site = await startSite({ '/': page('Home', 'Welcome to this place of sprockets.') })
  })
  afterAll(() => disposeAll(docent, site))

  test('sends one event when all sources of a server are indexed', async () => {
    await using world = await webhookWorld(docent, INDEXED)
    const made = await world.create(`${site.url}/`, NOWHERE)
    const [event] = await world.receiver.until(1)
    if (!event) throw new Error('Nothing came')
    expect(isGenuine(event, world.secret)).toBe(true)
    const { type, data } = event.body
    expect({ type, ...data }).toMatchObject({
      type: 'server.indexed',
      serverId: made.serverId,
      slug: made.slug,
      name: 'Hooked',
      status: 'active',
      sourceCount: 2,
      sources: [
        { url: `${site.url}/`, crawlStatus: 'complete', crawlError: null, pagesIndexed: 1, pagesFailed: 0 },
        { url: NOWHERE, crawlStatus: 'error', crawlError: expect.stringContaining('did not accept a connection') },
      ],
    })
    await docent.untilDone(made.serverId)
    await world.ask('POST', '/api/mcp/crawl', { serverId: made.serverId, sourceId: data.sources[0].id })
    const events = await world.receiver.until(2)
    expect(events.map(({ body }) => body.type)).toEqual(['server.indexed', 'server.indexed'])
    expect(new Set(events.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  })

  test('says that no source could be indexed', async () => {
    await using world = await webhookWorld(docent, ['server.failed'])
    await world.create(NOWHERE)
    const [event] = await world.receiver.until(1)
    expect(event?.body).toMatchObject({
      type: 'server.failed',
      data: { status: 'error', sources: [{ crawlStatus: 'error', pagesIndexed: 0 }] },
    })
    // This one is not subscribed to.
    await world.create(`${site.url}/`)
    await sleep(1_500)
    expect(world.receiver.received).toHaveLength(1)
  })

  test('deletes an event with the server that it names', async () => {
    await using world = await webhookWorld(docent, INDEXED)
    const { serverId } = await world.create(NOWHERE)
    await world.receiver.until(1)
    await docent.inStore(({ write }) => write.deleteFrom('servers').where('id', '=', serverId).execute())
    expect(await world.deliveries()).toEqual([])
  })

  test('sends one event about the monthly allowance, however many calls are refused', async () => {
    const email = `monthly-${engine}@example.test`
    await using world = await webhookWorld(docent, ['limit.reached'], email)
    const { serverId, slug } = await world.create(`${site.url}/`)
    await docent.untilDone(serverId)
    await docent.inStore(async ({ read, write }) => {
      const account = await findAccountByEmail(read, email)
      const month = new Date().toISOString().slice(0, 7)
      await write
        .insertInto('monthlyCalls')
        .values({ accountId: account?.id ?? '', month, calls: 48 })
        .execute()
    })
    const call = () => docent.callTool(slug, 'search_docs', { query: 'sprockets' })
    await call()
    await sleep(1_200)
    expect(world.receiver.received).toEqual([])
    for (let n = 0; n < 5; n += 1) await call()
    const [event] = await world.receiver.until(1)
    expect(event?.body).toMatchObject({
      type: 'limit.reached',
      data: { limit: 'mcpRequestsPerMonth', allowed: 50, serverId: null, resetsAt: expect.stringMatching(/-01T00:00/) },
    })
    await sleep(1_500)
    expect(world.receiver.received).toHaveLength(1)
  })

  test('sends one event about other limits per limit and server', async () => {
    await using world = await webhookWorld(docent, ['limit.reached'])
    const servers = [await world.create(NOWHERE), await world.create(NOWHERE), await world.create(NOWHERE)]
    for (const server of servers.slice(1)) {
      for (const n of [1, 2, 3]) {
        await world.ask('POST', `/api/mcp/${server.slug}/sources`, { url: `${NOWHERE}${n}` })
      }
    }
    await Promise.all([1, 2, 3].map(() => world.create(NOWHERE)))
    const events = await world.receiver.until(3)
    const seen = events.map(({ body: { data } }) => [data.limit, data.allowed, data.serverId])
    expect(seen.toSorted()).toEqual(
      [
        ['servers', 3, null],
        ['sourcesPerServer', 2, servers[1]?.serverId],
        ['sourcesPerServer', 2, servers[2]?.serverId],
      ].toSorted(),
    )
    await sleep(1_500)
    expect(world.receiver.received).toHaveLength(3)
  })

  test('sends an event about a purchase to the operator', async () => {
    await using operator = await webhookWorld(docent, ['purchase.requested'], 'owner@example.test')
    const key = await docent.makeKey('asker@example.test')
    const { body } = await docent.request('POST', '/api/billing/purchases/plan', { plan: 'core', note: 'Hi' }, { key })
    const [event] = await operator.receiver.until(1)
    expect(event?.body).toMatchObject({
      type: 'purchase.requested',
      data: { id: body.id, kind: 'plan', plan: 'core', note: 'Hi', account: { email: 'asker@example.test' } },
    })
    await operator.ask('DELETE', `/api/webhooks/${operator.id}`)
  })
})
