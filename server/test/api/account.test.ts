import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertCustomTool } from '#store/servers/custom-tools.ts'
import { onBothEngines } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { modern } from '../support/mcp/mcp-fakes.ts'

const NOWHERE = 'http://127.0.0.1:19151/'
const DAY_MS = 24 * 60 * 60 * 1000

onBothEngines('plans and usage', (engine) => {
  let docent: Docent

  beforeAll(async () => {
    docent = await startDocent({ engine, plan: 'free', environment: { DOCENT_RATE_LIMITS: 'off' } })
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  const get = async (path: string, key: string) => (await docent.request('GET', path, undefined, { key })).body
  const create = async (key: string, sources: number, visibility = 'public') => {
    const body = { name: 'A', visibility, sources: Array.from({ length: sources }, (_, n) => ({ url: NOWHERE + n })) }
    return (await docent.request('POST', '/api/mcp/create', body, { key })).body
  }
  const setAccount = (email: string, values: { plan?: string; trialEndsAt?: number | null }) =>
    docent.inStore(({ write }) => write.updateTable('accounts').set(values).where('email', '=', email).execute())
  const accountOf = (email: string) =>
    docent.inStore(async ({ read }) => {
      const query = read.selectFrom('accounts').select('id').where('email', '=', email)
      return (await query.executeTakeFirstOrThrow()).id
    })
  const now = new Date()
  const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString()
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString()

  test('reports no usage and the free plan’s limits for a new account', async () => {
    const key = await docent.makeKey('new@example.test')
    expect(await get('/api/billing/usage', key)).toEqual({
      plan: 'free',
      period: { start, end },
      servers: { used: 0, limit: 3 },
      sources: [],
      customTools: { used: 0, limit: 5 },
      mcpRequests: { used: 0, limit: 50, remaining: 50, resetsAt: end },
    })
    const { trial, ...entitlements } = await get('/api/account/entitlements', key)
    expect(trial.active).toBe(true)
    expect((Date.parse(trial.endsAt) - Date.now()) / DAY_MS).toBeCloseTo(14, 1)
    expect(entitlements).toEqual({
      rateLimits: null,
      plan: 'free',
      key: { scope: 'account', serverIds: null },
      limits: {
        servers: 3,
        sourcesPerServer: 2,
        trialSourcesOnFirstServer: 5,
        sourceBytesPerServer: 200_000_000,
        minToolsPerServer: 3,
        maxToolsPerServer: 10,
        customTools: 5,
        rulesPerServer: 10,
        mcpRequestsPerMonth: 50,
        retentionDays: 7,
        customToolPromptMinLength: 20,
        customToolPromptMaxLength: 1_000,
        customToolSources: 8,
        ruleMinLength: 20,
        ruleMaxLength: 600,
        rulePriorityMin: -100,
        rulePriorityMax: 100,
        credentialSecretMaxLength: 4_096,
      },
      features: {
        requestLog: true,
        analytics: true,
        customTools: true,
        retrievalRules: true,
        llm: false,
        embeddings: false,
        javascriptRendering: false,
      },
    })
  })

  test('enables features by plan and disables them when the trial ends', async () => {
    const email = 'plans@example.test'
    const key = await docent.makeKey(email)
    const features = async () => {
      const { trial, features: on } = await get('/api/account/entitlements', key)
      return [trial.active, on.requestLog, on.analytics]
    }
    await setAccount(email, { trialEndsAt: Date.now() - 60_000 })
    expect(await features()).toEqual([false, false, false])
    await setAccount(email, { plan: 'core', trialEndsAt: Date.now() + DAY_MS })
    expect(await features()).toEqual([false, true, true])
    await setAccount(email, { plan: 'unlimited', trialEndsAt: null })
    expect(await features()).toEqual([false, true, true])
    expect((await get('/api/account/entitlements', key)).trial).toEqual({ active: false, endsAt: null })
    expect(await get('/api/billing/usage', key)).toMatchObject({
      servers: { used: 0, limit: null },
      mcpRequests: { used: 0, limit: null, remaining: null },
    })
    await setAccount(email, { plan: 'of a later version' })
    expect((await get('/api/billing/usage', key)).servers.limit).toBe(3)
  })

  test('counts servers, sources with purchased ones, and tools, but no deleted servers', async () => {
    const email = 'counts@example.test'
    const key = await docent.makeKey(email)
    const [first, second, third] = [await create(key, 5), await create(key, 2), await create(key, 1)]
    await docent.inStore(async ({ write }) => {
      await write.insertInto('sourceCredits').values({ serverId: second.serverId, credits: 3, updatedAt: 1 }).execute()
      const texts = { name: 'a', displayName: 'A', description: 'A', inputSchema: '{}', plan: null, error: null }
      const accountId = await accountOf(email)
      await insertCustomTool(write, {
        id: `ct_${engine}`,
        accountId,
        status: 'ready',
        ...texts,
        createdAt: 1,
        updatedAt: 1,
      })
    })
    await docent.request('DELETE', `/api/mcp/${third.slug}`, undefined, { key })
    const sources = [
      { serverId: first.serverId, used: 5, limit: 5, paidCredits: 0 },
      { serverId: second.serverId, used: 2, limit: 5, paidCredits: 3 },
    ]
    expect(await get('/api/billing/usage', key)).toMatchObject({
      servers: { used: 2, limit: 3 },
      sources,
      customTools: { used: 1, limit: 5 },
    })
    await setAccount(email, { trialEndsAt: Date.now() - 60_000 })
    expect((await get('/api/billing/usage', key)).sources[0]).toMatchObject({ used: 5, limit: 2 })

    const scoped = await docent.makeKey(email, [second.serverId])
    expect(await get('/api/billing/usage', scoped)).toMatchObject({ servers: { used: 1 }, sources: [sources[1]] })
    expect((await get('/api/account/entitlements', scoped)).key).toEqual({
      scope: 'servers',
      serverIds: [second.serverId],
    })
  })

  test('refuses calls beyond the shared monthly allowance in the form of each protocol era', async () => {
    const email = 'calls@example.test'
    const key = await docent.makeKey(email)
    const [one, two] = [await create(key, 1), await create(key, 1)]
    const { mcpRequests } = await get('/api/billing/usage', key)
    expect(mcpRequests.used).toBe(0)
    const call = (slug: string, args: object = { query: 'x' }) => docent.callTool(slug, 'search_docs', args)
    const send = (slug: string, method: string) =>
      docent.request('POST', `/api/mcp/${slug}`, { jsonrpc: '2.0', id: 1, method, params: {} }, { key: null })
    for (const slug of [one.slug, two.slug]) {
      await send(slug, 'tools/list')
      await send(slug, 'ping')
      await call(slug, {})
    }
    expect((await get('/api/billing/usage', key)).mcpRequests.used).toBe(0)

    const month = start.slice(0, 7)
    const accountId = await accountOf(email)
    await call(one.slug)
    await docent.inStore(({ write }) =>
      write
        .updateTable('monthlyCalls')
        .set({ calls: 48 })
        .where('accountId', '=', accountId)
        .where('month', '=', month)
        .execute(),
    )
    expect((await call(two.slug)).result).toBeDefined()
    expect((await call(one.slug)).result).toBeDefined()
    const reached = {
      reason: 'monthly_limit_reached',
      limit: 50,
      used: 50,
      resetsAt: end,
      upgradeUrl: `${docent.url}/plan`,
    }
    for (const slug of [one.slug, two.slug]) {
      expect((await call(slug)).error).toEqual({ code: -32003, message: expect.any(String), data: reached })
    }
    const { headers, body } = modern('tools/call', { name: 'search_docs', arguments: { query: 'x' } })
    const answer = await docent.request('POST', `/api/mcp/${two.slug}`, body, {
      key: null,
      headers: Object.fromEntries(headers),
    })
    expect([answer.status, answer.body.result]).toMatchObject([200, { isError: true, structuredContent: reached }])
    expect((await send(one.slug, 'tools/list')).body.result.tools).not.toEqual([])
    expect(await get('/api/billing/usage', key)).toMatchObject({ mcpRequests: { used: 50, limit: 50, remaining: 0 } })

    await setAccount(email, { plan: 'core' })
    expect((await call(one.slug)).result).toBeDefined()
    expect((await get('/api/billing/usage', key)).mcpRequests.used).toBe(51)
  })

  test.each(['', '?buy=source'])('serves the plan page that limit errors link to: /plan%s', async (query) => {
    const response = await fetch(`${docent.url}/plan${query}`)
    const text = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
    for (const words of ['free', 'core', 'unlimited', 'MCP requests in a month', 'docent admin plan']) {
      expect(text).toContain(words)
    }
  })
})

test('prints the price of one more source and the command that grants it on the plan page', async () => {
  await using docent = await startDocent()
  const sources = [{ url: 'http://127.0.0.1:19151/' }]
  const { serverId } = (await docent.request('POST', '/api/mcp/create', { name: 'A', sources })).body
  const read = async (query: string) => (await fetch(`${docent.url}/plan${query}`)).text()
  const bought = await read(`?buy=source&server=${serverId}`)
  for (const words of [
    'One more source on a server costs $3',
    `docent admin credit --server ${serverId} --sources 1`,
    'docent admin plan --email ADDRESS --plan core',
  ]) {
    expect(bought).toContain(words)
  }
  expect(await read('?buy=source')).toContain('docent admin credit --server SERVER_ID --sources 1')
  const hostile = await read(`?buy=source&server=${encodeURIComponent('"><script>alert(1)</script>')}`)
  expect(hostile).not.toContain('<script>')
  expect(hostile).toContain('docent admin credit --server SERVER_ID --sources 1')
})

test('serves the OpenAPI document without a key', async () => {
  await using docent = await startDocent()
  const { status, body } = await docent.request('GET', '/openapi.json', undefined, { key: null })
  expect([status, body.openapi]).toEqual([200, '3.1.0'])
})
