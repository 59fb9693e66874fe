import { afterAll, beforeAll, expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'

const OIL =
  'Oil every widget twice a year with fine oil, and wipe off what runs down the sides of the widget afterwards.'

onSqliteAtLeast('trace of a call', (engine) => {
  let site: Site
  let docent: Docent
  let slug: string

  beforeAll(async () => {
    site = await startSite({
      '/': page('Widgets', 'A widget is a small machine that bends spoons.', ['/oil', '/copy', '/gears', '/far']),
      '/oil': page('Oiling widgets', OIL),
      '/copy': page('Oiling the widgets', OIL),
      '/gears': page('Gears', 'The gears of a widget are made of brass. Never oil a hot gear.'),
      '/far': page('Weather', 'It rains in autumn, and the sun shines in spring.'),
    })
    docent = await startDocent({ engine })
    ;({ slug } = await docent.createServer({
      name: 'Widgets',
      sources: [{ url: `${site.url}/` }],
      tools: ['search_docs', 'ask_question', 'query_source', 'get_code_examples'],
    }))
  })
  afterAll(() => disposeAll(docent, site))

  /** Calls a tool and returns the trace and the log entry of that call. */
  async function traceOf(tool: string, args: object, key = docent.key) {
    await docent.callTool(slug, tool, args)
    const { body } = await docent.request('GET', `/api/analytics/${slug}/calls`)
    const [call] = body.calls
    const answer = await docent.request('GET', `/api/mcp/${slug}/calls/${call.id}/trace`, undefined, { key })
    return { call, status: answer.status, trace: answer.body }
  }

  test('shows how the query was read, what was found, and the outcome of each candidate', async () => {
    const { call, trace } = await traceOf('search_docs', { query: 'oil the wigdet', limit: 1 })
    expect(trace).toMatchObject({
      callId: call.id,
      tool: 'search_docs',
      arguments: { query: 'oil the wigdet', limit: 1 },
      version: 'same',
      complete: true,
      remark: null,
      rules: [],
      recorded: call.citations,
    })
    expect(trace.searches).toHaveLength(1)
    const [search] = trace.searches
    expect(search.repaired).toEqual([{ given: 'wigdet', used: 'widget' }])
    expect(search.words.map(({ word }: { word: string }) => word)).toEqual(['oil', 'widget'])
    expect(search.filters).toMatchObject({ limit: 1 })
    expect(search.sources).toEqual([{ sourceId: call.citations[0].sourceId, type: 'website', passages: 5 }])
    const shown = search.candidates.filter(({ outcome }: { outcome: string }) => outcome === 'shown')
    expect(shown.map(({ url, score }: { url: string; score: number }) => [url, score])).toEqual(
      call.citations.map(({ url, score }: { url: string; score: number }) => [url, score]),
    )
    const outcomes = new Map(search.candidates.map((one: any) => [new URL(one.url).pathname, one.outcome]))
    expect(new Set([outcomes.get('/oil'), outcomes.get('/copy')])).toEqual(new Set(['shown', 'near_duplicate']))
    expect(outcomes.get('/gears')).toBe('over_limit')
    expect(outcomes.has('/far')).toBe(false)
    for (const { features } of search.candidates)
      for (const value of Object.values<number>(features)) expect(value >= 0 && value <= 1).toBe(true)
  })

  test('recognises earlier pages of results', async () => {
    const first = await docent.callTool(slug, 'search_docs', { query: 'oil', limit: 1 })
    const { trace } = await traceOf('search_docs', {
      query: 'oil',
      limit: 1,
      cursor: /with cursor "([^"]+)"/.exec(first.result.content[0].text)?.[1],
    })
    const outcomes = trace.searches[0].candidates.map(({ outcome }: { outcome: string }) => outcome)
    expect(outcomes[0]).toBe('passed_over')
    expect(outcomes).toContain('shown')
  })

  test('includes the search and the confidence of an answer', async () => {
    const { trace } = await traceOf('ask_question', { question: 'How often do I oil a widget?' })
    expect(trace.searches).toHaveLength(1)
    expect(trace.confidence).toMatch(/^(?:high|medium|low)$/)
  })

  test('gives the reason of a failed call', async () => {
    const { call, trace } = await traceOf('search_docs', { query: 'oil', source: 'nowhere' })
    expect(call.status).toBe('error')
    expect(trace).toMatchObject({ complete: false, remark: call.error, searches: [] })
  })

  test('notes an unknown tool and searches for nothing', async () => {
    for (const tool of ['no_such_tool', 'find_api_reference']) {
      const { call, trace } = await traceOf(tool, { query: 'oil', name: 'oil' })
      expect(call).toMatchObject({ tool, status: 'error' })
      expect(trace).toMatchObject({ complete: false, remark: 'The server had no tool of this name.', searches: [] })
    }
  })

  test('notes that the recorded question is cut', async () => {
    const { trace } = await traceOf('search_docs', { query: `oil ${'widget '.repeat(300)}` })
    expect(trace).toMatchObject({ complete: false, remark: expect.stringContaining('are cut') })
    expect(trace.searches).toHaveLength(1)
  })

  test('adds no call to the log', async () => {
    const count = async () => (await docent.request('GET', `/api/analytics/${slug}/calls`)).body.total
    const { call } = await traceOf('search_docs', { query: 'oil' })
    const before = await count()
    await docent.request('GET', `/api/mcp/${slug}/calls/${call.id}/trace`)
    expect(await count()).toBe(before)
  })

  test('hides the trace from other accounts and without the request log', async () => {
    const stranger = await docent.makeKey('stranger@example.test')
    expect(await traceOf('search_docs', { query: 'oil' }, stranger)).toMatchObject({
      status: 404,
      trace: { error: 'Server not found' },
    })
    const second = await docent.request('POST', '/api/mcp/create', { name: 'B', sources: [{ url: `${site.url}/` }] })
    const { call } = await traceOf('search_docs', { query: 'oil' })
    const other = await docent.request('GET', `/api/mcp/${second.body.slug}/calls/${call.id}/trace`)
    expect([other.status, other.body]).toEqual([404, { error: 'Call not found' }])
    const setPlan = (plan: string) =>
      docent.inStore(({ write }) => write.updateTable('accounts').set({ plan, trialEndsAt: 1 }).execute())
    await setPlan('free')
    const locked = await docent.request('GET', `/api/mcp/${slug}/calls/${call.id}/trace`)
    expect([locked.status, locked.body.error]).toEqual([403, 'request_log_locked'])
    await setPlan('unlimited')
  })

  test('says if the sources were re-indexed since, and if that is unknown', async () => {
    const { call, trace } = await traceOf('search_docs', { query: 'oil' })
    expect(trace.version).toBe('same')
    site.pages.set('/gears', page('Gears', 'The gears of a widget are made of steel these days, and need oil.'))
    await docent.request('POST', '/api/mcp/crawl', { serverId: slug })
    await docent.untilDone(slug)
    const again = await docent.request('GET', `/api/mcp/${slug}/calls/${call.id}/trace`)
    expect(again.body.version).toBe('changed')
    expect(again.body.searches[0].candidates.length).toBeGreaterThan(0)
    await docent.inStore(({ write }) =>
      write.updateTable('calls').set({ segments: null }).where('id', '=', call.id).execute(),
    )
    const old = await docent.request('GET', `/api/mcp/${slug}/calls/${call.id}/trace`)
    expect(old.body.version).toBe('unknown')
  })
})
