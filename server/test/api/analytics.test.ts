import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import type { Docent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import type { Site } from '../support/sites/site.ts'
import { startSprocketDocs } from '../support/service/sprocket-docs.ts'

const DAY_MS = 24 * 60 * 60 * 1000

onSqliteAtLeast('analytics', (engine) => {
  let site: Site
  let docent: Docent
  let key: string
  let server: { serverId: string; slug: string }
  let other: { serverId: string; slug: string }
  let sourceIds: string[]

  beforeAll(async () => {
    ;({ site, docent, key } = await startSprocketDocs(
      engine,
      'Sprockets must be oiled twice a year, in spring and in autumn.',
    ))
    const create = async (body: object) => (await docent.request('POST', '/api/mcp/create', body, { key })).body
    const sources = [{ url: `${site.url}/`, label: 'Sprockets' }, { url: 'http://127.0.0.1:19151/' }]
    server = await create({ name: 'Machine', sources, tools: ['search_docs', 'ask_question', 'get_code_examples'] })
    other = await create({ name: 'Other', sources: [{ url: `${site.url}/gears/` }] })
    await untilDone(server.slug)
    await untilDone(other.slug)
    sourceIds = (await get(`/api/mcp/${server.slug}`)).body.sources.map(({ id }: { id: string }) => id)
  })
  afterAll(() => disposeAll(docent, site))

  const get = (path: string, with_ = key) => docent.request('GET', path, undefined, { key: with_ })
  const untilDone = async (slug: string) => {
    while ((await get(`/api/mcp/${slug}/crawl-next`)).body.status === 'crawling') await sleep(20)
  }
  const call = (slug: string, name: string, args: object, headers = {}) =>
    docent.callTool(slug, name, args, { 'user-agent': 'probe/3 (test)', ...headers })
  const setPlan = (values: { plan?: string; trialEndsAt?: number | null }) =>
    docent.inStore(({ write }) =>
      write.updateTable('accounts').set(values).where('email', '=', 'guest@example.test').execute(),
    )

  test('reports no calls and a success rate of 100 before the first call', async () => {
    const { status, body } = await get(`/api/analytics/${server.serverId}/summary`)
    expect([status, body]).toEqual([
      200,
      {
        serverId: server.serverId,
        slug: 'machine',
        name: 'Machine',
        status: 'active',
        generatedAt: expect.any(String),
        totalCalls: 0,
        failedCalls: 0,
        successRate: 100,
        avgDurationMs: 0,
        activeSources: 1,
        citedSources: 0,
        toolUsage: [],
        sourceUsage: [
          {
            sourceId: sourceIds[0],
            url: `${site.url}/`,
            label: 'Sprockets',
            type: 'website',
            calls: 0,
            citations: 0,
            lastCitedAt: null,
          },
          {
            sourceId: sourceIds[1],
            url: 'http://127.0.0.1:19151/',
            label: null,
            type: 'website',
            calls: 0,
            citations: 0,
            lastCitedAt: null,
          },
        ],
        upgradeUrl: `${docent.url}/plan`,
      },
    ])
    expect((await get(`/api/analytics/${server.slug}/calls`)).body).toEqual({
      calls: [],
      page: 1,
      pageSize: 20,
      total: 0,
      totalPages: 0,
    })
    expect((await get(`/api/analytics/${server.slug}`)).body).toMatchObject({
      range: '30d',
      series: [],
      clients: [],
      topQueries: [],
      unanswered: [],
      topPages: [],
      latency: { p50Ms: null, p95Ms: null, p99Ms: null },
    })
  })

  test('counts every call at once, by tool and source, for its server only', async () => {
    const found = await call(server.slug, 'search_docs', { query: 'oil sprockets' })
    expect(found.result.content[0].text).toContain('twice a year')
    await call(server.slug, 'search_docs', { query: 'Oil  SPROCKETS' })
    await call(server.slug, 'ask_question', { question: 'What is the capital of Mongolia?' })
    expect((await call(server.slug, 'search_docs', {})).error.code).toBe(-32602)
    expect((await call(server.slug, 'no_such_tool', {})).error.code).toBe(-32602)
    await call(other.slug, 'search_docs', { query: 'brass gears' })

    const { body } = await get(`/api/analytics/${server.slug}/summary`)
    expect(body).toMatchObject({
      totalCalls: 5,
      failedCalls: 2,
      successRate: 60,
      citedSources: 1,
      toolUsage: [
        { name: 'search_docs', calls: 3, successRate: 66.67 },
        { name: 'ask_question', calls: 1, successRate: 100 },
        { name: 'no_such_tool', calls: 1, successRate: 0 },
      ],
    })
    expect(body.avgDurationMs).toBeGreaterThan(0)
    const [sprockets, nowhere] = body.sourceUsage
    expect(sprockets.calls).toBeGreaterThanOrEqual(2)
    expect(sprockets.citations).toBeGreaterThanOrEqual(sprockets.calls)
    expect(Date.now() - Date.parse(sprockets.lastCitedAt)).toBeLessThan(3_600_000)
    expect([nowhere.calls, nowhere.lastCitedAt]).toEqual([0, null])
  })

  test('lists the calls of a server newest, oldest or slowest first', async () => {
    const listed = async (sort: string) => (await get(`/api/analytics/${server.slug}/calls?sort=${sort}`)).body.calls
    const newest: { id: string; durationMs: number }[] = await listed('newest')
    expect(newest).toHaveLength(5)
    expect(await listed('oldest')).toEqual(newest.toReversed())
    expect((await get(`/api/analytics/${server.slug}/calls`)).body.calls).toEqual(newest)
    const slowest = (await listed('slowest')).map(({ durationMs }: { durationMs: number }) => durationMs)
    expect(slowest).toEqual(newest.map(({ durationMs }) => durationMs).toSorted((one, other) => other - one))
    expect((await get(`/api/analytics/${server.slug}/calls?sort=luck`)).status).toBe(400)
  })

  test('logs every call, newest first, with its query, client and citations', async () => {
    const { status, body } = await get(`/api/analytics/${server.slug}/calls`)
    expect([status, body.total, body.totalPages, body.pageSize]).toEqual([200, 5, 1, 20])
    expect(body.calls.map(({ tool, status: outcome }: { tool: string; status: string }) => [tool, outcome])).toEqual([
      ['no_such_tool', 'error'],
      ['search_docs', 'error'],
      ['ask_question', 'ok'],
      ['search_docs', 'ok'],
      ['search_docs', 'ok'],
    ])
    expect(body.calls[0]).toMatchObject({ error: expect.stringContaining('There is no tool'), citations: [] })
    expect(body.calls[1].error).toEqual(expect.any(String))
    expect(body.calls[4]).toEqual({
      id: expect.stringMatching(/^call_[0-9A-Za-z]{29}$/),
      at: expect.any(String),
      tool: 'search_docs',
      arguments: { query: 'oil sprockets' },
      client: { name: 'probe', version: '3' },
      status: 'ok',
      outcome: 'answered',
      durationMs: expect.any(Number),
      citations: [
        {
          sourceId: sourceIds[0],
          url: expect.stringContaining(site.url),
          title: 'Sprockets',
          rank: 1,
          score: expect.any(Number),
        },
      ],
    })
  })

  test.each<[query: string, tools: string[]]>([
    ['tool=ask_question', ['ask_question']],
    ['tool=no_such_tool', ['no_such_tool']],
    ['status=error', ['no_such_tool', 'search_docs']],
    ['client=probe&tool=search_docs&status=ok', ['search_docs', 'search_docs']],
    ['client=nobody', []],
    ['range=7d', ['no_such_tool', 'search_docs', 'ask_question', 'search_docs', 'search_docs']],
    ['page=2', []],
  ])('filters the log by ?%s', async (query, tools) => {
    const { body } = await get(`/api/analytics/${server.slug}/calls?${query}`)
    expect(body.calls.map(({ tool }: { tool: string }) => tool)).toEqual(tools)
    expect(body.total).toBe(query === 'page=2' ? 5 : tools.length)
  })

  test.each(['range=2d', 'page=0', 'page=x', 'page=1.5', 'status=maybe', 'tool=', 'client='])(
    'rejects the log filter ?%s',
    async (query) => {
      const { status, body } = await get(`/api/analytics/${server.slug}/calls?${query}`)
      expect([status, body.error]).toEqual([400, 'invalid_input'])
    },
  )

  test('pages the log by twenty', async () => {
    const { body: made } = await docent.request(
      'POST',
      '/api/mcp/create',
      { name: 'Paged', sources: [{ url: site.url }] },
      { key },
    )
    await setPlan({ plan: 'unlimited' })
    for (let n = 0; n < 21; n++) await call(made.slug, 'search_docs', { query: `q${n}` })
    const pages = [1, 2, 3].map(async (n) => (await get(`/api/analytics/${made.slug}/calls?page=${n}`)).body)
    const [first, second, third] = await Promise.all(pages)
    const found = async (search: string) => {
      const query = new URLSearchParams({ search })
      const { body } = await get(`/api/analytics/${made.slug}/calls?${query}`)
      const exported = await get(`/api/analytics/${made.slug}/calls/export?${query}`)
      return [body.total, exported.body.length]
    }
    expect([await found('Q20'), await found('q1'), await found('q q2'), await found('%')]).toEqual([
      [1, 1],
      [11, 11],
      [2, 2],
      [0, 0],
    ])
    await setPlan({ plan: 'free' })
    expect([first.total, first.totalPages, first.page, second.page]).toEqual([21, 2, 1, 2])
    const queries = [...first.calls, ...second.calls, ...third.calls].map((entry) => entry.arguments.query)
    expect(queries).toEqual(Array.from({ length: 21 }, (_, n) => `q${20 - n}`))
    await docent.request('DELETE', `/api/mcp/${made.slug}`, undefined, { key })
  })

  test('reports top queries, unanswered ones, clients and cited pages', async () => {
    const { body } = await get(`/api/analytics/${server.slug}?range=7d`)
    expect(body).toMatchObject({
      totalCalls: 5,
      range: '7d',
      series: [{ date: new Date().toISOString().slice(0, 10), calls: 5, failed: 2 }],
      clients: [{ name: 'probe', version: '3', calls: 5 }],
      topQueries: [{ calls: 2 }, { query: 'What is the capital of Mongolia?', calls: 1 }],
      unanswered: [{ query: 'What is the capital of Mongolia?', calls: 1 }],
    })
    expect(body.topQueries[0].query.toLowerCase()).toBe('oil sprockets')
    expect(body.topPages[0]).toMatchObject({ sourceId: sourceIds[0], title: 'Sprockets' })
    const { p50Ms, p95Ms, p99Ms } = body.latency
    expect(p50Ms).toBeGreaterThan(0)
    expect(p95Ms).toBeGreaterThanOrEqual(p50Ms)
    expect(p99Ms).toBeGreaterThanOrEqual(p95Ms)
    expect(body.series[0].p50Ms).toBe(p50Ms)
    expect(body.locked).toBeUndefined()
  })

  test('limits the report to its range, and keeps totals and daily counts when the log is pruned', async () => {
    await docent.inStore(async ({ write }) => {
      const day = Math.floor(Date.now() / DAY_MS) - 20
      const move = { at: day * DAY_MS, day }
      await write
        .updateTable('calls')
        .set(move)
        .where('tool', '=', 'ask_question')
        .where('serverId', '=', server.serverId)
        .execute()
      await write
        .updateTable('callHours')
        .set({ hour: day * 24 })
        .where('tool', '=', 'ask_question')
        .where('serverId', '=', server.serverId)
        .execute()
    })
    const calls = async (range: string) => {
      const { body } = await get(`/api/analytics/${server.slug}?range=${range}`)
      const days: { calls: number }[] = body.series
      return [days.map((day) => day.calls), body.unanswered.length, body.totalCalls]
    }
    expect(await calls('7d')).toEqual([[4], 0, 5])
    for (const range of ['30d', '90d', '1y', 'all']) expect(await calls(range)).toEqual([[1, 4], 1, 5])
    expect((await get(`/api/analytics/${server.slug}/calls?range=7d`)).body.total).toBe(4)
    expect((await get(`/api/analytics/${server.slug}/calls?range=30d`)).body.total).toBe(5)
    expect((await get(`/api/analytics/${server.slug}?range=2d`)).status).toBe(400)
  })

  test('locks the log and shows only the summary after the trial, and opens both on a larger plan', async () => {
    const locked = {
      error: 'request_log_locked',
      message: 'The request log is part of the core analytics tier and of the trial.',
      upgradeUrl: `${docent.url}/plan`,
    }
    const hidden = { series: null, clients: null, topQueries: null, unanswered: null, topPages: null, latency: null }
    await setPlan({ trialEndsAt: Date.now() - 60_000 })
    const log = await get(`/api/analytics/${server.slug}/calls?page=nonsense`)
    expect([log.status, log.body]).toEqual([403, locked])
    const report = await get(`/api/analytics/${server.slug}?range=90d`)
    expect([report.status, report.body]).toEqual([
      200,
      expect.objectContaining({
        totalCalls: 5,
        range: '90d',
        locked: true,
        upgradeUrl: `${docent.url}/plan`,
        ...hidden,
      }),
    ])
    expect((await get(`/api/analytics/${server.slug}/summary`)).body.totalCalls).toBe(5)
    await setPlan({ plan: 'core' })
    expect((await get(`/api/analytics/${server.slug}/calls`)).status).toBe(200)
    expect((await get(`/api/analytics/${server.slug}`)).body.clients).toHaveLength(1)
    await setPlan({ plan: 'free', trialEndsAt: Date.now() + DAY_MS })
    expect((await get(`/api/analytics/${server.slug}/calls`)).status).toBe(200)
  })

  test('hides analytics of a server that the key cannot access', async () => {
    const scoped = await docent.makeKey('guest@example.test', [other.serverId])
    for (const path of ['', '/summary', '/calls']) {
      const absent = await get(`/api/analytics/srv_none${path}`)
      expect([absent.status, absent.text]).toEqual([404, '{"error":"Server not found"}'])
      for (const with_ of [docent.key, scoped]) {
        expect((await get(`/api/analytics/${server.slug}${path}`, with_)).text).toBe(absent.text)
      }
      expect((await get(`/api/analytics/${other.slug}${path}`, scoped)).status).toBe(200)
    }
  })
})
