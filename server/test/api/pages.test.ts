import { createDocentClient } from '../../../sdk/src/client.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'

onSqliteAtLeast('page report', (engine) => {
  let site: Site
  let docent: Docent
  let server: any
  const many = Array.from({ length: 60 }, (_, n) => `/many/${String(n).padStart(2, '0')}`)

  beforeAll(async () => {
    site = await startSite({
      '/docs/': page('=Home', 'Welcome to this place.', ['/docs/a', '/docs/gone', '/docs/same', ...many]),
      '/docs/a': page('A', 'All about apples.'),
      '/docs/same': page('A', 'All about apples.'),
      '/many/': page('Many', 'One of many.', many),
      ...Object.fromEntries(many.map((path) => [path, page(`Page ${path}`, `Number ${path} of many.`)])),
    })
    docent = await startDocent({ engine })
    const sources = [{ url: `${site.url}/docs/` }, { url: `${site.url}/many/` }]
    const { body } = await docent.request('POST', '/api/mcp/create', { name: 'Pages', sources })
    server = await docent.untilDone(body.serverId)
  })
  afterAll(() => disposeAll(docent, site))

  const list = async (query = '') => (await docent.request('GET', `/api/mcp/${server.slug}/pages${query}`)).body
  const source = (n: number) => server.sources[n].id as string

  test('lists every page once, fifty at a time', async () => {
    const first = await list()
    const second = await list('?page=2')
    expect(first).toMatchObject({ page: 1, pageSize: 50, total: 65, totalPages: 2 })
    expect([first.pages.length, second.pages.length, (await list('?page=3')).pages.length]).toEqual([50, 15, 0])
    const urls = [...first.pages, ...second.pages].map(({ url }: any) => url)
    expect(new Set(urls).size).toBe(65)
    const counted = server.sources.reduce((sum: number, one: any) => sum + one.pagesDiscovered, 0)
    expect(counted).toBe(65)
  })

  test('gives the outcome of each page with a reason and a sentence', async () => {
    const { pages } = await list(`?sourceId=${source(0)}`)
    const told = pages.map((one: any) => [one.url.replace(site.url, ''), one.state, one.reason, one.chunks > 0])
    // Of two identical pages the one read first is kept.
    const [kept, left] = told[1][1] === 'indexed' ? ['a', 'same'] : ['same', 'a']
    expect(told).toEqual(
      [
        ['/docs/', 'indexed', null, true],
        [`/docs/${kept}`, 'indexed', null, true],
        ['/docs/gone', 'failed', 'not_found', false],
        [`/docs/${left}`, 'skipped', 'duplicate', false],
      ].toSorted(),
    )
    for (const one of pages) {
      expect(one).toMatchObject({ sourceId: source(0), settledAt: expect.stringMatching(/^20/) })
      if (one.state !== 'indexed') expect(one.detail).toMatch(/^[A-Z].+/)
    }
  })

  test('filters the page report by state, reason and source', async () => {
    expect(await list('?state=failed')).toMatchObject({ total: 1, pages: [{ reason: 'not_found' }] })
    expect(await list('?reason=duplicate')).toMatchObject({ total: 1, pages: [{ state: 'skipped' }] })
    expect(await list(`?sourceId=${source(1)}&state=failed`)).toMatchObject({ total: 0, totalPages: 0, pages: [] })
    expect(await list('?state=waiting')).toMatchObject({ total: 0 })
    const waiting = { state: 'queued' as const, reason: null, detail: null, title: null }
    const at = `${site.url}/docs/gone`
    await docent.inStore(({ write }) => write.updateTable('pages').set(waiting).where('url', '=', at).execute())
    expect((await list('?state=waiting')).pages).toMatchObject([{ url: at, settledAt: null }])
    const failed = { state: 'failed' as const, reason: 'not_found', detail: 'The site answered 404.' }
    await docent.inStore(({ write }) => write.updateTable('pages').set(failed).where('url', '=', at).execute())
  })

  test.each(['?state=lost', '?page=0', '?page=1000001', '?page=x', '?sourceId='])('refuses %s', async (query) => {
    expect((await docent.request('GET', `/api/mcp/${server.slug}/pages${query}`)).status).toBe(400)
  })

  test.each(['pages', 'pages/export'])('returns 404 for a source of another server (%s)', async (path) => {
    const { status, body } = await docent.request('GET', `/api/mcp/${server.slug}/${path}?sourceId=src_other`)
    expect([status, body.error]).toEqual([404, 'Source not found'])
  })

  test('exports the page report as JSON, as rows, and as CSV without formula cells', async () => {
    const asJson = await docent.request('GET', `/api/mcp/${server.slug}/pages/export`)
    expect(asJson.body.length).toBe(65)
    const failed = await docent.request('GET', `/api/mcp/${server.slug}/pages/export?state=failed`)
    expect(failed.body).toMatchObject([{ state: 'failed', reason: 'not_found' }])
    const none = await docent.request('GET', `/api/mcp/${server.slug}/pages/export?state=waiting`)
    expect(none.body).toEqual([])
    const { headers, text } = await docent.request('GET', `/api/mcp/${server.slug}/pages/export?format=csv`)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const lines = text.trimEnd().split('\r\n')
    expect(lines.length).toBe(66)
    expect(lines[0]).toBe('"sourceId","url","title","state","reason","detail","chunks","settledAt"')
    expect(lines.find((line) => line.includes('/docs/"'))).toContain(`"'=Home"`)
    const client = createDocentClient({ baseUrl: docent.url, apiKey: docent.key })
    const rows = []
    for await (const row of await client.pages.export({ id: server.slug, format: 'csv' })) rows.push(row)
    expect(rows).toEqual(asJson.body)
  })

  test('exports more pages than one read returns', async () => {
    const settled = { state: 'skipped' as const, reason: 'robots', detail: 'No.', title: null, textHash: null }
    const unknown = { chunks: 0, etag: null, lastModified: null, published: 0, misses: 0, anchorTexts: null }
    const known = { ...settled, ...unknown, sourceId: source(1), run: 9, depth: 1, updatedAt: 1 }
    const rows = (from: number) =>
      Array.from({ length: 500 }, (_, n) => ({ ...known, url: `https://example.test/${from + n}` }))
    await docent.inStore(async ({ write }) => {
      for (const from of [0, 500, 1_000]) await write.insertInto('pages').values(rows(from)).execute()
    })
    const { body } = await docent.request('GET', `/api/mcp/${server.slug}/pages/export?reason=robots`)
    expect(new Set(body.map(({ url }: any) => url)).size).toBe(1_500)
    expect(body.length).toBe(1_500)
    expect(await list('?reason=robots&page=30')).toMatchObject({ total: 1_500, totalPages: 30 })
  })
})
