import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claim, hasWaitingJobs } from '#store/jobs/claim.ts'
import { dueForRefresh } from '#store/sources/due-sources.ts'
import { dueDeliveries } from '#store/webhooks/deliveries.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { oauthWorld } from '../support/service/oauth-client.ts'
import { webhookWorld } from '../support/service/webhook-world.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'

const DAY_MS = 24 * 60 * 60 * 1000

onSqliteAtLeast('an account that is switched off', (engine) => {
  let docent: Docent
  let site: Site
  /** Answers of `/held`, which the site keeps back. */
  const held: ServerResponse[] = []
  const { person, connect, refresh, call } = oauthWorld(() => docent)
  beforeAll(async () => {
    const environment = { DOCENT_RATE_LIMITS: 'off', DOCENT_OAUTH_ACCOUNT: 'on', DOCENT_SECRET_KEY: 'k'.repeat(32) }
    docent = await startDocent({ engine, environment })
    site = await startSite({ '/': page('Home', 'Welcome to this place of sprockets.', ['/held']) })
  })
  afterAll(() => disposeAll(docent, site))

  const switchAccount = async (email: string, disabled: boolean) => {
    const { accounts } = (await docent.request('GET', `/api/instance/accounts?email=${email}`)).body
    const { status } = await docent.request('PUT', `/api/instance/accounts/${accounts[0].id}/disabled`, { disabled })
    expect(status).toBe(200)
  }

  test('refuses tokens, connections and widgets, and takes them again when it is on', async () => {
    const own = await person('off')
    const { access, clientId, refreshToken } = await connect(own)
    const ofAccount = await connect({ cookie: own.cookie, slug: null })
    const token = await docent.request('POST', `/api/mcp/${own.slug}/access-tokens`, { name: 'T' }, { key: own.key })
    const headers = { cookie: own.cookie, 'sec-fetch-site': 'same-origin' }
    const widget = await docent.request('POST', '/api/configurations', { name: 'W' }, { key: null, headers })
    const statuses = async () => [
      (await call(own.slug, 'ping', access)).status,
      (await call(own.slug, 'ping', token.body.plaintext)).status,
      (await call(null, 'ping', ofAccount.access)).status,
      (await call(null, 'ping', own.key)).status,
      (await docent.request('GET', `/api/embed/configurations/${widget.body.id}`, undefined, { key: null })).status,
    ]
    expect(await statuses()).toEqual([200, 200, 200, 200, 200])
    await switchAccount(own.email, true)
    expect(await statuses()).toEqual([404, 404, 401, 401, 404])
    await switchAccount(own.email, false)
    expect(await statuses()).toEqual([200, 200, 200, 200, 200])
    expect((await refresh(clientId, refreshToken)).status).toBe(200)
  })

  test('interrupts its crawls and refreshes, which go on when it is on', async () => {
    site.pages.set('/held', (_, response) => void held.push(response))
    const email = 'crawler@example.test'
    const key = await docent.makeKey(email)
    const make = async (url: string) =>
      (await docent.request('POST', '/api/mcp/create', { name: 'Docs', sources: [{ url }] }, { key })).body
    const untilDone = async (slug: string) => {
      for (;;) {
        const { body } = await docent.request('GET', `/api/mcp/${slug}`, undefined, { key })
        if (body.status !== 'crawling') return body
        await sleep(20)
      }
    }
    site.pages.set('/only', page('Only', 'The only page about widgets.'))
    const done = await make(`${site.url}/only`)
    await untilDone(done.slug)
    await docent.request('PATCH', `/api/mcp/${done.slug}`, { refresh: 'daily' }, { key })
    const due = () =>
      docent.inStore(({ read }) => dueForRefresh(read, { now: Date.now() + 2 * DAY_MS, textFormat: '' }, 10))
    expect((await due()).map(({ serverId }) => serverId)).toContain(done.serverId)

    const { slug } = await make(`${site.url}/`)
    while (held.length === 0) await sleep(10)
    await switchAccount(email, true)
    while (!held[0]?.destroyed) await sleep(10)
    expect((await due()).map(({ serverId }) => serverId)).not.toContain(done.serverId)
    const later = Date.now() + DAY_MS
    expect(await docent.inStore((store) => hasWaitingJobs(store.read, later, []))).toBe(false)
    expect(await docent.inStore((store) => claim(store, later))).toBeUndefined()

    site.pages.set('/held', page('Held', 'This page about gears was kept back.'))
    await switchAccount(email, false)
    const { sources } = await untilDone(slug)
    expect(sources[0]).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 2 })
  })

  test('sends no events, and sends those that waited when it is on', async () => {
    const email = 'events@example.test'
    await using world = await webhookWorld(docent, ['server.indexed'], email)
    world.receiver.answer = 503
    site.pages.set('/only', page('Only', 'The only page about widgets.'))
    await world.create(`${site.url}/only`)
    await world.receiver.until(1)
    const due = async () => {
      const rows = await docent.inStore(({ read }) => dueDeliveries(read, Date.now() + DAY_MS, []))
      return rows.filter(({ webhookId }) => webhookId === world.id).length
    }
    expect(await due()).toBe(1)
    await switchAccount(email, true)
    expect(await due()).toBe(0)
    world.receiver.answer = 200
    await switchAccount(email, false)
    await world.hurry()
    await world.receiver.until(2)
  })

  // Last, because its servers have jobs that wait.
  test('lets nobody join by an invitation, and keeps the invitation until it is on', async () => {
    const [first, second] = [await person('first'), await person('second')]
    const visit = (path: string, body: object, cookie = '') =>
      docent.request('POST', path, body, { key: null, headers: { cookie, 'sec-fetch-site': 'same-origin' } })
    const invite = async (key: string, email: string) => {
      const { body } = await docent.request('POST', '/api/members/invitations', { email, role: 'viewer' }, { key })
      return String(body.link).split('#')[1]
    }
    const accept = (token: string | undefined, cookie?: string) =>
      visit('/api/invitations/accept', { token, password: 'correct horse battery' }, cookie)
    const joined = await accept(await invite(first.key, 'known@example.test'))
    const cookie = joined.headers.get('set-cookie')?.split(';')[0]
    const tokens = [await invite(second.key, 'known@example.test'), await invite(second.key, 'new@example.test')]
    await switchAccount(second.email, true)
    const off = { status: 403, body: { error: 'not_permitted', message: expect.stringContaining('is switched off') } }
    for (const token of tokens) {
      expect(await visit('/api/invitations/read', { token })).toMatchObject(off)
      expect(await accept(token)).toMatchObject(off)
    }
    await switchAccount(second.email, false)
    // Whose only account is off can still join another one.
    await switchAccount(first.email, true)
    for (const token of tokens)
      expect(await accept(token, cookie)).toMatchObject({ status: 200, body: { account: { name: 'second' } } })
  })
})
