import type { CallerLimits } from '@docent/contract/values/caller-limits'
import { beforeAll, describe, expect, test } from 'vitest'
import { createAccount } from '#auth/accounts.ts'
import { CallAllowance } from '#auth/allowance.ts'
import { deleteOldAnonymousCalls } from '#store/accounts/usage.ts'
import type { Store } from '#store/db.ts'
import { makePlace, onBothEngines, openTwoNodes } from '../support/database/engines.ts'
import { keepOpen } from '../support/lib/keep-open.ts'
import { configureWidget } from '../support/service/configure-widget.ts'
import { portalOf } from '../support/service/developer-portal.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { openSessionOf } from '../support/service/open-browser.ts'

const ENVIRONMENT = { DOCENT_TRUSTED_PROXIES: '1', DOCENT_SECRET_KEY: 'k'.repeat(32) }
const NONE: CallerLimits = { reservedPercent: 0, anonymousPerDay: 0, anonymousPerNetworkPerDay: 0 }

onBothEngines('limits of callers', (engine) => {
  let docent: Docent
  let accounts = 0
  beforeAll(async () => {
    docent = await keepOpen(startDocent({ engine, plan: 'free', environment: ENVIRONMENT }))
  })

  /** An account with a public server, and calls of its tool from an address. */
  async function openAccount(limits: Partial<CallerLimits>, plan = 'free') {
    const email = `limits-${++accounts}@example.test`
    const key = await docent.makeKey(email)
    await docent.inStore(({ write }) =>
      write.updateTable('accounts').set({ plan }).where('email', '=', email).execute(),
    )
    const body = { name: 'Open', visibility: 'public', sources: [{ url: 'http://127.0.0.1:19151/' }] }
    const { body: server } = await docent.request('POST', '/api/mcp/create', body, { key })
    const call = (from: string, credential?: string) =>
      docent.callTool(
        server.slug,
        'search_docs',
        { query: 'x' },
        { 'x-forwarded-for': from, ...(credential ? { authorization: `Bearer ${credential}` } : {}) },
      )
    const passes = async (from: string, credential?: string) => (await call(from, credential)).result !== undefined
    const countPasses = async (times: number, from: (n: number) => string, credential?: string) => {
      const passed = await Promise.all(Array.from({ length: times }, (_, n) => passes(from(n), credential)))
      return passed.filter(Boolean).length
    }
    const set = (changes: Partial<CallerLimits>) =>
      docent.request('PATCH', '/api/account/caller-limits', changes, { key })
    const read = async () => (await docent.request('GET', '/api/account/caller-limits', undefined, { key })).body
    if (Object.keys(limits).length > 0) expect((await set(limits)).status).toBe(200)
    return { email, key, server, call, passes, countPasses, set, read }
  }

  test('keeps the owner’s calls when one anonymous address sends as many as it can', async () => {
    const owner = await openAccount({ reservedPercent: 60, anonymousPerNetworkPerDay: 15 })
    expect(await owner.countPasses(60, () => '192.0.2.1')).toBe(15)
    expect(await owner.countPasses(10, () => '192.0.2.2')).toBe(5)
    expect((await owner.call('192.0.2.3')).error).toMatchObject({
      code: -32003,
      message: expect.stringMatching(/^The limit of 20 MCP requests in a month without an access token is used up/),
      data: { reason: 'anonymous_limit_reached', of: 'month', limit: 20, resetsAt: expect.stringMatching(/-01T00:00/) },
    })
    const path = `/api/mcp/${owner.server.serverId}/access-tokens`
    const { body: token } = await docent.request('POST', path, { name: 'Mine' }, { key: owner.key })
    expect(await owner.countPasses(10, () => '192.0.2.1', token.plaintext)).toBe(10)
    expect(await owner.countPasses(30, () => '192.0.2.1', owner.key)).toBe(20)
    expect((await owner.call('192.0.2.1', owner.key)).error.data).toMatchObject({ reason: 'monthly_limit_reached' })
    expect((await owner.call('192.0.2.9')).error.data).toMatchObject({ reason: 'monthly_limit_reached', used: 50 })
    expect(await owner.read()).toMatchObject({ anonymousThisMonth: { used: 20, limit: 20 }, anonymousToday: null })
  })

  test('leaves the whole allowance to anybody unless the owner sets a limit', async () => {
    const owner = await openAccount({})
    expect(await owner.read()).toEqual({ ...NONE, anonymousThisMonth: { used: 0, limit: 50 }, anonymousToday: null })
    expect(await owner.countPasses(45, () => '192.0.2.1')).toBe(45)
    // Calls before the share was set count.
    await owner.set({ reservedPercent: 20 })
    expect(await owner.passes('192.0.2.1')).toBe(false)
    await owner.set({ reservedPercent: 0 })
    expect(await owner.countPasses(10, () => '192.0.2.1')).toBe(5)
  })

  test('reserves the whole allowance', async () => {
    const owner = await openAccount({ reservedPercent: 100 })
    expect([await owner.passes('192.0.2.1'), await owner.passes('192.0.2.1', owner.key)]).toEqual([false, true])
  })

  test('counts an IPv6 network by its /64, /56 and /48, and any other address alone', async () => {
    const { countPasses, call } = await openAccount({ anonymousPerNetworkPerDay: 1 }, 'unlimited')
    expect(await countPasses(5, (n) => `2001:db8:1:100::${n + 1}`)).toBe(1)
    expect(await countPasses(9, (n) => `2001:db8:1:10${n}::1`)).toBe(3)
    expect((await call('2001:db8:1:1ff::1')).error).toMatchObject({
      message: expect.stringMatching(/^The limit of 4 MCP requests in a day from one network without an access token/),
      data: { of: 'network', limit: 4 },
    })
    expect(await countPasses(20, (n) => `2001:db8:1:${(n + 2).toString(16)}00::1`)).toBe(12)
    expect(await countPasses(3, (n) => `2001:db8:2:${n}00::1`)).toBe(3)
    expect(await countPasses(6, (n) => `192.0.2.${n % 3}`)).toBe(3)
  })

  test('limits all anonymous callers of a day together, also on a plan without a limit', async () => {
    const owner = await openAccount({ anonymousPerDay: 12, anonymousPerNetworkPerDay: 5 }, 'unlimited')
    expect(await owner.countPasses(8, () => '192.0.2.1')).toBe(5)
    expect(await owner.countPasses(20, (n) => `192.0.2.${n + 10}`)).toBe(7)
    expect((await owner.call('192.0.2.99')).error.data).toMatchObject({
      of: 'day',
      limit: 12,
      resetsAt: expect.stringMatching(/T00:00:00\.000Z$/),
    })
    expect(await owner.passes('192.0.2.99', owner.key)).toBe(true)
    expect(await owner.read()).toMatchObject({ anonymousThisMonth: null, anonymousToday: { used: 12, limit: 12 } })
    // A refused call counts nowhere.
    await owner.set({ anonymousPerDay: 13 })
    expect(await owner.passes('192.0.2.99')).toBe(true)
    await owner.set({ anonymousPerDay: 0, anonymousPerNetworkPerDay: 0 })
    expect(await owner.countPasses(10, () => '192.0.2.1')).toBe(10)
  })

  test('takes only credentials of the account and the server for one', async () => {
    const owner = await openAccount({ reservedPercent: 100 })
    const stranger = await openAccount({})
    const keyFor = async (more: object) =>
      (await docent.request('POST', '/api/keys', { name: 'Key', ...more }, { key: owner.key })).body.plaintext
    const other = { name: 'Other', visibility: 'public', sources: [{ url: 'http://127.0.0.1:19151/' }] }
    const { serverId } = (await docent.request('POST', '/api/mcp/create', other, { key: owner.key })).body
    const wrong = [
      stranger.key,
      'dat_nonsense',
      `dk_live_${'x'.repeat(40)}`,
      await keyFor({ scopes: ['read', 'write', 'publish'] }),
      await keyFor({ serverIds: [serverId] }),
    ]
    for (const credential of wrong) expect(await owner.passes('192.0.2.1', credential)).toBe(false)
    const right = [await keyFor({ scopes: ['ask'] }), await keyFor({ serverIds: [owner.server.serverId] })]
    for (const credential of right) expect(await owner.passes('192.0.2.1', credential)).toBe(true)
  })

  test('lets visitors with an attribution token ask when the others may not', async () => {
    const { email, server, set } = await openAccount({ anonymousPerDay: 2 }, 'unlimited')
    const { clientId, clientSecret } = await portalOf(docent, email.split('@')[0] ?? '')
    await docent.inStore(({ write }) =>
      write.updateTable('accounts').set({ plan: 'unlimited' }).where('email', '=', email).execute(),
    )
    const sources = JSON.stringify([{ type: 'docs', enabled: true, serverId: server.serverId }])
    const { open, ask } = await configureWidget(docent, clientSecret, { sources })
    const anonymous = (await open()).body.session
    for (let n = 0; n < 2; n++) expect((await ask(anonymous)).items.at(-1)).toMatchObject({ type: 'end' })
    const message = 'This widget has answered as many questions as it may today. Ask again tomorrow.'
    expect((await ask(anonymous)).items.at(-1)).toMatchObject({ type: 'error', message })
    const minted = await docent.request('POST', '/api/attribution/token', { clientId }, { key: clientSecret })
    const named = (await open({ attributionToken: minted.body.token })).body.session
    expect((await ask(named)).items.at(-1)).toMatchObject({ type: 'end' })
    await set({ anonymousPerDay: 3 })
    expect((await ask(anonymous)).items.at(-1)).toMatchObject({ type: 'end' })
  })

  describe('the setting', () => {
    test('keeps what a change leaves out, and refuses what is out of bounds', async () => {
      const { set, read } = await openAccount({ anonymousPerDay: 5 })
      await set({ reservedPercent: 100 })
      expect(await read()).toMatchObject({ ...NONE, reservedPercent: 100, anonymousPerDay: 5 })
      for (const wrong of [{ reservedPercent: 101 }, { reservedPercent: -1 }, { anonymousPerDay: 1.5 }]) {
        expect((await set(wrong)).status).toBe(400)
      }
      expect((await set({ anonymousPerDay: 1_000_001 })).status).toBe(400)
      expect((await set({ anonymousPerDay: 1_000_000 })).status).toBe(200)
    })

    test('is changed by owners, and is in the audit log', async () => {
      const { email } = await openAccount({})
      const { secret } = await openSessionOf(docent, email)
      const headers = { cookie: `docent_session=${secret}`, 'sec-fetch-site': 'same-origin' }
      await docent.request('PATCH', '/api/account/caller-limits', { reservedPercent: 30 }, { key: null, headers })
      const { body } = await docent.request('GET', '/api/audit', undefined, { key: null, headers })
      expect(body.entries[0]).toMatchObject({
        action: 'account.changeCallerLimits',
        details: '{"reservedPercent":30}',
      })
    })
  })

  test('admits exactly its limits over two nodes, and again on the next day', async () => {
    await using place = await makePlace(engine)
    await using nodes = await openTwoNodes(place)
    const { one: first, other } = nodes
    const { id: accountId } = await createAccount(first, { email: 'a@example.test', password: null, plan: 'free' })
    const open = (store: Store) => new CallAllowance(store, { onError: () => {}, onReached: async () => {} })
    const [one, two] = [open(first), open(other)]
    const on = (n: number) => (n % 2 ? one : two)
    const noon = Date.UTC(2030, 0, 10, 12)
    const limits = { reservedPercent: 50, anonymousPerDay: 10, anonymousPerNetworkPerDay: 4 }
    const passedOf = async (count: number, now: number, networkOf: (n: number) => string) => {
      const takes = Array.from({ length: count }, (_, n) =>
        on(n).take({ accountId, plan: 'free', now, anonymous: { network: networkOf(n), limits } }),
      )
      return (await Promise.all(takes)).filter((refused) => refused === null).length
    }
    const DAY = 24 * 60 * 60 * 1000
    expect(await passedOf(20, noon, () => '192.0.2.1')).toBe(4)
    expect(await passedOf(40, noon, (n) => `192.0.2.${n}`)).toBe(6)
    expect(await passedOf(40, noon + DAY, (n) => `192.0.2.${n}`)).toBe(10)
    // Five are left of the month's 25.
    expect(await passedOf(40, noon + 2 * DAY, (n) => `192.0.2.${n}`)).toBe(5)
    const known = await Promise.all(
      Array.from({ length: 40 }, (_, n) => on(n).take({ accountId, plan: 'free', now: noon, anonymous: null })),
    )
    expect(known.filter((refused) => refused === null)).toHaveLength(25)
    for (const allowance of [one, two]) await allowance[Symbol.asyncDispose]()
    await deleteOldAnonymousCalls(first.write, noon + 2 * DAY)
    const days = await first.read.selectFrom('anonymousCalls').select('day').distinct().execute()
    expect(days).toEqual([{ day: Math.floor((noon + 2 * DAY) / DAY) }])
  })
})
