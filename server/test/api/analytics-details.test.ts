import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foldSettledCalls, rollUpDays } from '#analytics/settle-calls.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import type { Docent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import type { Site } from '../support/sites/site.ts'
import { startSprocketDocs } from '../support/service/sprocket-docs.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

onSqliteAtLeast('details of analytics', (engine) => {
  let site: Site
  let docent: Docent
  let key: string
  let slug: string
  let sourceId: string

  beforeAll(async () => {
    ;({ site, docent, key } = await startSprocketDocs(
      engine,
      'Sprockets must be oiled twice a year. See <a href="/gears/">gears</a>.',
    ))
    const body = { name: 'Machine', sources: [{ url: `${site.url}/` }] }
    slug = (await docent.request('POST', '/api/mcp/create', body, { key })).body.slug
    while ((await get(`/api/mcp/${slug}/crawl-next`)).body.status === 'crawling') await sleep(20)
    sourceId = (await get(`/api/mcp/${slug}`)).body.sources[0].id
    for (const query of ['oil sprockets', 'brass gears', 'sprockets twice a year'])
      await call('search_docs', { query }, 'probe/3')
    for (const question of ['Who invented the telephone?', 'who has invented telephones', 'Capital of Mongolia?'])
      await call('ask_question', { question }, 'other/1')
    await call('search_docs', {}, 'other/1')
  })
  afterAll(() => disposeAll(docent, site))

  const get = (path: string, as = key) => docent.request('GET', path, undefined, { key: as })
  const details = async (path: string) => (await get(`/api/analytics/${slug}${path}`)).body
  const call = (name: string, args: object, agent: string) => docent.callTool(slug, name, args, { 'user-agent': agent })
  /** Moves everything into the past, as if it had happened then. */
  const age = (days: number) =>
    docent.inStore(async ({ write }) => {
      await write
        .updateTable('calls')
        .set((is) => ({ at: is('at', '-', days * DAY_MS), day: is('day', '-', days) }))
        .execute()
      await write
        .updateTable('callHours')
        .set((is) => ({ hour: is('hour', '-', days * 24), lastAt: is('lastAt', '-', days * DAY_MS) }))
        .execute()
    })

  test('reports calls over time by client, tool and outcome', async () => {
    const byClient = await details('/series')
    expect(byClient).toMatchObject({ range: '30d', by: 'client', interval: 'day', total: { calls: 7, failed: 1 } })
    expect(byClient.groups.map(({ name, calls, failed }: Record<string, unknown>) => [name, calls, failed])).toEqual([
      ['other', 4, 1],
      ['probe', 3, 0],
    ])
    const [first] = byClient.groups
    expect(first.points).toEqual([
      {
        at: expect.stringMatching(/T00:00:00\.000Z$/),
        calls: 4,
        failed: 1,
        p50Ms: expect.any(Number),
        p95Ms: expect.any(Number),
      },
    ])
    expect(first.p99Ms).toBeGreaterThanOrEqual(first.p50Ms)

    const byTool = await details('/series?by=tool&range=7d&interval=hour&client=other')
    expect(byTool.groups.map(({ name, calls }: Record<string, unknown>) => [name, calls])).toEqual([
      ['ask_question', 3],
      ['search_docs', 1],
    ])
    expect(Date.now() - Date.parse(byTool.groups[0].points.at(-1).at)).toBeLessThan(2 * HOUR_MS)
    expect((await details('/series?status=error')).total.calls).toBe(1)
    expect((await details('/series?tool=nothing')).groups).toEqual([])
    expect((await details('/series?by=configuration')).total.calls).toBe(0)
  })

  test('counts calls by outcome, day and hour, with the filters of the chart', async () => {
    const daily = await details('/quality')
    const outcomes = { answered: 3, related: 0, none: 3, refused: 1, failed: 0 }
    expect(daily).toMatchObject({ range: '30d', interval: 'day', unanswered: 3, outcomes })
    expect(daily.points).toEqual([{ at: expect.stringMatching(/T00:00:00\.000Z$/), unanswered: 3, outcomes }])
    expect(daily.feedback).toEqual({ helpful: 0, notHelpful: 0 })
    const hourly = await details('/quality?range=7d&interval=hour&client=other')
    expect(hourly.points.reduce((sum: number, point: { unanswered: number }) => sum + point.unanswered, 0)).toBe(3)
    expect(Date.now() - Date.parse(hourly.points.at(-1).at)).toBeLessThan(2 * HOUR_MS)
    const ofProbe = { answered: 3, related: 0, none: 0, refused: 0, failed: 0 }
    expect(await details('/quality?client=probe')).toMatchObject({ unanswered: 0, outcomes: ofProbe })
    expect(await details('/quality?client=nobody')).toMatchObject({ unanswered: 0, points: [] })
    expect((await details('/quality?outcome=refused')).outcomes).toMatchObject({ answered: 0, refused: 1 })
    expect((await details('/series?outcome=none&by=tool')).groups).toMatchObject([{ name: 'ask_question', calls: 3 }])
    expect((await get(`/api/analytics/${slug}/series?outcome=ok`)).status).toBe(400)
    expect(await get(`/api/analytics/${slug}/quality?range=30d&interval=hour`)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('interval must be day') },
    })
  })

  test('lists cited pages with citations by day, in the same way before and after they are folded', async () => {
    const before = await details('/pages')
    expect(before).toMatchObject({ page: 1, pageSize: 20, total: before.pages.length })
    expect(before.pages.length).toBeGreaterThanOrEqual(2)
    const today = new Date().toISOString().slice(0, 10)
    for (const { url, title, citations, points, ...rest } of before.pages) {
      expect(url).toContain(site.url)
      expect(['Sprockets', 'Gears']).toContain(title)
      expect(points).toEqual([{ date: today, citations }])
      expect(rest.sourceId).toBe(sourceId)
    }
    const report = await details('')
    expect(report.topPages).toEqual(before.pages.map(({ points: _, ...one }: { points: unknown }) => one))
    await docent.inStore((store) => foldSettledCalls(store, Date.now() + HOUR_MS))
    expect((await docent.inStore(({ read }) => read.selectFrom('pageDays').selectAll().execute())).length).toBe(1)
    expect(await details('/pages')).toEqual(before)

    await docent.inStore(({ write }) => write.updateTable('callFolds').set({ foldedUntil: Date.now() }).execute())
    await call('search_docs', { query: 'brass gears' }, 'probe/3')
    const late = await details(`/pages?sourceId=${sourceId}`)
    expect(late.total).toBe(before.total)
    expect(sum(late.pages)).toBeGreaterThan(sum(before.pages))
    expect((await get(`/api/analytics/${slug}/pages?sourceId=src_none`)).status).toBe(404)
  })

  const sum = (pages: readonly { citations: number }[]) => pages.reduce((total, { citations }) => total + citations, 0)

  test('groups unanswered questions by meaning, with the last call of each wording', async () => {
    const { groups, complete, total } = await details('/unanswered')
    expect([complete, total]).toEqual([true, 2])
    expect(groups[0]).toMatchObject({
      calls: 2,
      wordings: 2,
      examples: [{ calls: 1, callId: expect.stringMatching(/^call_/) }, { calls: 1 }],
    })
    expect(groups[0].question).toMatch(/telephone/)
    expect(groups[1]).toMatchObject({ question: 'Capital of Mongolia?', calls: 1, wordings: 1 })
    const { callId } = groups[1].examples[0]
    expect((await get(`/api/mcp/${slug}/calls/${callId}/trace`)).body.arguments).toEqual({
      question: 'Capital of Mongolia?',
    })
    expect((await details('/unanswered?page=2')).groups).toEqual([])
  })

  test('exports the log with its filters as JSON and as CSV that no spreadsheet runs', async () => {
    await call('search_docs', { query: '=HYPERLINK("https://evil.test")' }, '+cmd/1')
    const all = await details('/calls/export')
    expect(all).toHaveLength(9)
    expect(all[0]).toMatchObject({
      tool: 'search_docs',
      status: 'ok',
      query: '=HYPERLINK("https://evil.test")',
      clientName: '+cmd',
      clientVersion: '1',
      configurationId: null,
      endUserId: null,
      arguments: { query: '=HYPERLINK("https://evil.test")' },
    })
    const { body: log } = await get(`/api/analytics/${slug}/calls`)
    expect(all.map(({ id }: { id: string }) => id)).toEqual(log.calls.map(({ id }: { id: string }) => id))
    const failed = await details('/calls/export?status=error&tool=search_docs')
    expect(failed).toEqual([expect.objectContaining({ status: 'error', error: expect.any(String) })])

    const { text } = await get(`/api/analytics/${slug}/calls/export?format=csv&client=%2Bcmd`)
    const [head, row, ...rest] = text.split('\r\n')
    expect(head).toContain('"id","at","tool","status","outcome","durationMs","query"')
    expect(row).toContain(`"'=HYPERLINK(""https://evil.test"")"`)
    expect(row).toContain(`"'+cmd"`)
    expect(rest).toEqual([''])
    expect((await get(`/api/analytics/${slug}/calls/export?client=nobody`)).text.trim()).toBe('[]')
  })

  test('exports a log that is longer than a batch, each call once', async () => {
    await docent.inStore(async ({ read, write }) => {
      const [row] = await read.selectFrom('calls').selectAll().where('tool', '=', 'search_docs').limit(1).execute()
      if (!row) throw new Error('There is no call')
      const { seq: _, ...values } = row
      // Many share a time.
      const copies = Array.from({ length: 650 }, (_, n) => ({
        ...values,
        id: `copy_${n}`,
        at: row.at - Math.floor(n / 300),
        tool: 'copied',
      }))
      for (let from = 0; from < copies.length; from += 50)
        await write
          .insertInto('calls')
          .values(copies.slice(from, from + 50))
          .execute()
    })
    const exported = await details('/calls/export?tool=copied')
    expect(new Set(exported.map(({ id }: { id: string }) => id)).size).toBe(650)
    expect(exported).toHaveLength(650)
    await docent.inStore(({ write }) => write.deleteFrom('calls').where('tool', '=', 'copied').execute())
  })

  test.each([
    'series?interval=hour',
    'series?by=version',
    'series?range=2d',
    'pages?page=0',
    'unanswered?range=1d',
    'calls/export?format=xml',
    `calls/export?endUser=${'x'.repeat(256)}`,
  ])('rejects %s with a sentence', async (path) => {
    const { status, body } = await get(`/api/analytics/${slug}/${path}`)
    expect([status, body.error]).toEqual([400, 'invalid_input'])
    expect(body.message.length).toBeGreaterThan(20)
  })

  test('keeps all figures of earlier days, and leaves out those before the range', async () => {
    await age(20)
    await docent.inStore((store) => rollUpDays(store, Date.now()))
    expect((await details('/series')).total.calls).toBe(9)
    expect((await details('/series?range=7d')).total.calls).toBe(0)
    expect((await details('/unanswered?range=7d')).groups).toEqual([])
    // With the search that looked like a formula.
    expect((await details('/unanswered?range=90d')).total).toBe(3)
  })

  test('locks the details without the core analytics tier', async () => {
    const setPlan = (values: { plan: string; trialEndsAt?: number | null }) =>
      docent.inStore(({ write }) =>
        write.updateTable('accounts').set(values).where('email', '=', 'guest@example.test').execute(),
      )
    await setPlan({ plan: 'free', trialEndsAt: null })
    for (const path of ['series', 'pages', 'unanswered', 'calls/export']) {
      const { status, body } = await get(`/api/analytics/${slug}/${path}`)
      expect([status, body.error]).toEqual([403, 'request_log_locked'])
    }
    await setPlan({ plan: 'core' })
  })
})
