import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { addSourceCredits } from '#store/sources/source-credits.ts'
import { onBothEngines } from '../support/engines.ts'
import { page, startSite } from '../support/site.ts'
import { NOWHERE, account, world } from '../support/source-world.ts'

onBothEngines('adding a source', (engine) => {
  const at = world(engine)

  test('returns it, queues it, and keeps the server’s visibility', async () => {
    const { add, detail } = await account(at)
    const { status, body } = await add({ url: `${NOWHERE}/docs#top`, label: 'Handbook' })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^src_[0-9A-Za-z]{22}$/),
      url: `${NOWHERE}/docs`,
      type: 'docs',
      typeReason: null,
      label: 'Handbook',
      crawlStatus: 'pending',
      pagesDiscovered: 0,
      pagesIndexed: 0,
      pagesSkipped: 0,
      pagesFailed: 0,
      skipped: [],
      chunks: 0,
      lastIndexedAt: null,
      include: [],
      exclude: [],
      allowedTools: [],
      isPrivate: false,
      hasCredential: false,
      visibility: 'public',
      issuedToken: null,
    })
    expect((await detail()).sources.map(({ id }: { id: string }) => id)).toContain(body.id)
  })

  test('treats an address with and without a trailing slash as the same', async () => {
    const { add, remove, detail } = await account(at)
    expect((await add({ url: `${NOWHERE}/s2/` })).status).toBe(200)
    for (const path of ['/s2', '/s2/', '/s2#', '/x/../s2']) {
      const again = await add({ url: `${NOWHERE}${path}` })
      expect([again.status, again.body]).toEqual([409, { error: 'Source already exists' }])
    }
    expect((await add({ url: `${NOWHERE}/s2/more` })).status).toBe(200)
    expect((await add({ url: `${NOWHERE}/s2?more` })).status).toBe(200)
    expect((await remove({ url: `${NOWHERE}/s2` })).body.removed).toBe(1)
    const urls = (await detail()).sources.map(({ url }: { url: string }) => url)
    expect(urls).toEqual([`${NOWHERE}/`, `${NOWHERE}/s2/more`, `${NOWHERE}/s2?more`])
  })

  test.each<[string, object, number, object]>([
    ['no address', {}, 400, { error: 'Valid URL required' }],
    ['an empty address', { url: '' }, 400, { error: 'Valid URL required' }],
    [
      'an invalid address',
      { url: 'docs' },
      400,
      {
        error: 'Valid URL required',
        message: '"docs" is not a URL. Write it like https://example.com/docs.',
      },
    ],
    [
      'an address of another protocol',
      { url: 'ftp://files.example.test/' },
      400,
      {
        error: 'Valid URL required',
        message: '"ftp://files.example.test/" does not start with http:// or https://.',
      },
    ],
    [
      'an address of 2,001 characters',
      { url: NOWHERE.padEnd(2_001, 'x') },
      400,
      { error: 'Valid URL required', message: 'The URL has 2,001 characters, and may have 2,000.' },
    ],
    ...[0, 65_536, 123_456_789].map((port): [string, object, number, object] => [
      `one with the port ${port}`,
      { url: `https://docs.example.test:${port}/a:1` },
      400,
      { error: 'Valid URL required', message: `Port ${port} does not exist: ports are 1 to 65535.` },
    ]),
    [
      'an address with the port of another protocol',
      { url: 'http://docs.example.test:25/' },
      400,
      {
        error: 'Valid URL required',
        message: 'Port 25 belongs to another protocol than HTTP and is not fetched.',
      },
    ],
    [
      'an address in a private network',
      { url: 'http://10.0.0.1/' },
      400,
      { error: 'That URL points to a private or internal network address which cannot be indexed.' },
    ],
    [
      'a credential in an odd header',
      { url: NOWHERE, type: 'mcp', auth: { headerName: 'Cookie', secret: 'x' } },
      400,
      { error: 'Unsupported authentication header. Use Authorization or X-API-Key.' },
    ],
    [
      'a credential for a website',
      { url: NOWHERE, type: 'website', auth: { secret: 'x' } },
      400,
      { error: 'Only MCP sources can carry credentials.' },
    ],
    ['a source that the server has already', { url: NOWHERE }, 409, { error: 'Source already exists' }],
    [
      'another form of an address that it has already',
      { url: `${NOWHERE}//#` },
      409,
      { error: 'Source already exists' },
    ],
  ])('refuses %s and changes nothing', async (_, body, status, error) => {
    const { add, detail } = await account(at)
    const before = await detail()
    const answer = await add(body)
    expect([answer.status, answer.body]).toEqual([status, error])
    expect((await detail()).sources).toHaveLength(before.sources.length)
  })

  test.each([{ type: 'mcp', auth: { secret: 'x'.repeat(4096) } }, { label: 'x'.repeat(100) }, { label: null }])(
    'accepts %j',
    async (more) => {
      const { add } = await account(at)
      expect(await add({ url: `${NOWHERE}/mcp`, ...more })).toMatchObject({ status: 200 })
    },
  )

  test.each([
    { type: 'wiki' },
    { type: 'x'.repeat(21) },
    { type: 'mcp', auth: { secret: '' } },
    { type: 'mcp', auth: { secret: 'x'.repeat(4097) } },
    { type: 'mcp', auth: { secret: 'a\r\nHost: evil.example.test' } },
    { label: 'x'.repeat(101) },
  ])('refuses %j', async (more) => {
    const { add } = await account(at)
    expect(await add({ url: `${NOWHERE}/mcp`, ...more })).toMatchObject({
      status: 400,
      body: { error: 'invalid_input' },
    })
  })

  test('stops at the plan’s two, accepts purchased ones, and says what to do', async () => {
    const { as, add, server, email } = await account(at, { plan: 'free' })
    await sql`update accounts set trial_ends_at = 0 where email = ${email}`.execute(at.store.write)
    expect((await add({ url: `${NOWHERE}/2` })).status).toBe(200)
    const urls = {
      purchaseUrl: `${at.docent.url}/plan?buy=source&server=${server.serverId}`,
      upgradeUrl: `${at.docent.url}/plan`,
    }
    const reached = await add({ url: `${NOWHERE}/3` })
    expect([reached.status, reached.body]).toEqual([
      402,
      {
        error: 'source_limit_reached',
        message: expect.any(String),
        limit: 2,
        used: 2,
        paidCredits: 0,
        canUpgrade: true,
        ...urls,
      },
    ])
    await addSourceCredits(at.store.write, server.serverId, 1, Date.now())
    expect((await add({ url: `${NOWHERE}/3` })).status).toBe(200)
    expect((await add({ url: `${NOWHERE}/4` })).body).toEqual({
      error: 'source_credit_required',
      message: expect.any(String),
      limit: 3,
      used: 3,
      paidCredits: 1,
      canUpgrade: true,
      ...urls,
    })
    expect((await as('GET', `/api/mcp/${server.slug}`)).body.sources).toHaveLength(3)
  })

  test('allows five on the first server during the trial, and keeps them after it', async () => {
    const { as, add, email, detail } = await account(at, { plan: 'free' })
    for (let n = 2; n <= 5; n++) expect((await add({ url: `${NOWHERE}/${n}` })).status).toBe(200)
    expect(await add({ url: `${NOWHERE}/6` })).toMatchObject({ status: 402, body: { limit: 5, used: 5 } })
    const { body: second } = await as('POST', '/api/mcp/create', { name: 'B', sources: [{ url: NOWHERE }] })
    const more = (n: number) => as('POST', `/api/mcp/${second.slug}/sources`, { url: `${NOWHERE}/${n}` })
    expect((await more(2)).status).toBe(200)
    expect(await more(3)).toMatchObject({ status: 402, body: { limit: 2, used: 2 } })
    await sql`update accounts set trial_ends_at = 1 where email = ${email}`.execute(at.store.write)
    expect(await add({ url: `${NOWHERE}/6` })).toMatchObject({ status: 402, body: { limit: 2, used: 5 } })
    expect((await detail()).sources).toHaveLength(5)
  })

  test('stops when the server’s text reaches the plan’s limit', async () => {
    const { add, server } = await account(at, { plan: 'free' })
    const grow = (size: number) =>
      sql`update sources set text_bytes = ${size} where server_id = ${server.serverId}`.execute(at.store.write)
    await grow(200_000_000)
    expect(await add({ url: `${NOWHERE}/2` })).toMatchObject({
      status: 402,
      body: {
        error: 'source_size_limit_reached',
        limit: 200_000_000,
        used: 200_000_000,
        paidCredits: 0,
        canUpgrade: true,
      },
    })
    await grow(199_999_999)
    expect((await add({ url: `${NOWHERE}/2` })).status).toBe(200)
  })

  test('takes one place for several concurrent requests', async () => {
    const { add, email, detail } = await account(at, { plan: 'free' })
    await sql`update accounts set trial_ends_at = 0 where email = ${email}`.execute(at.store.write)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => add({ url: `${NOWHERE}/${n}` })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 402, 402, 402])
    expect((await detail()).sources).toHaveLength(2)
  })

  test('returns 404 for an unknown server', async () => {
    const { as } = await account(at)
    expect(await as('POST', '/api/mcp/nobody/sources', {})).toMatchObject({
      status: 404,
      body: { error: 'Server not found' },
    })
  })
})

onBothEngines('removing a source', (engine) => {
  const at = world(engine)

  test('deletes all of it, counts what was deleted, and removes it from search', async () => {
    const { server, remove, detail, as, untilDone } = await account(at, {
      sources: [{ url: at.site.url }, { url: `${NOWHERE}/` }],
    })
    await untilDone()
    const { sources } = await detail()
    const ask = async () =>
      JSON.stringify(await at.docent.callTool(server.slug, 'search_docs', { query: 'apples colours' }))
    expect(await ask()).toContain('Apples are described')
    const answer = await remove({ sourceId: sources[0].id })
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ok: true,
        removed: 1,
        purged: { chunks: sources[0].chunks, crawlUrls: 3, indexJobs: 0, callCitations: expect.any(Number) },
        remainingPrivateSources: 0,
      },
    ])
    expect(answer.body.purged.chunks).toBeGreaterThan(0)
    expect(answer.body.purged.callCitations).toBeGreaterThan(0)
    expect(await ask()).not.toContain('Apples')
    expect((await detail()).sources).toHaveLength(1)
    for (const table of ['pages', 'texts', 'segments', 'call_citations', 'jobs', 'source_uses']) {
      const { rows } = await sql`select 1 as one from ${sql.table(table)} where source_id = ${sources[0].id}`.execute(
        at.store.read,
      )
      expect([table, rows]).toEqual([table, []])
    }
    const nothing = { chunks: 0, crawlUrls: 0, indexJobs: 0, callCitations: 0 }
    expect((await remove({ sourceId: sources[0].id })).body).toEqual({
      ok: true,
      removed: 0,
      purged: nothing,
      remainingPrivateSources: 0,
    })
    expect((await as('POST', '/api/mcp/crawl', { serverId: server.slug, sourceId: sources[0].id })).status).toBe(404)
  })

  test('matches by address, by id, or by both when they belong together', async () => {
    const { add, remove } = await account(at)
    const { body: one } = await add({ url: `${NOWHERE}/one` })
    const { body: two } = await add({ url: `${NOWHERE}/two` })
    expect((await remove({ sourceId: one.id, url: two.url })).body.removed).toBe(0)
    expect((await remove({ sourceId: one.id, url: `${NOWHERE}/one` })).body.removed).toBe(1)
    expect((await remove({ url: `${NOWHERE}/x/../two#part` })).body.removed).toBe(1)
    expect((await remove({ url: 'not a url' })).body.removed).toBe(0)
    const refused = await remove({})
    expect([refused.status, refused.body]).toEqual([400, { error: 'sourceId or url required' }])
  })

  test('stops a running crawl and counts its job', async () => {
    const slow: string[] = []
    await using endless = await startSite({})
    const pages = new Proxy(endless.pages, {
      get: (target, name) =>
        name === 'get'
          ? (path: string) => {
              slow.push(path)
              const n = Number(path.slice(1)) || 0
              if (path === '/robots.txt') return ''
              return page(`Page ${n}`, `Text number ${n} about ${'many '.repeat(20)} things.`, [
                `/${n + 1}`,
                `/${n + 2}`,
              ])
            }
          : Reflect.get(target, name, target),
    })
    endless.pages = pages
    const { remove, detail, server } = await account(at, { sources: [{ url: endless.url }] })
    await expect.poll(async () => (await detail()).sources[0].pagesIndexed, { timeout: 10_000 }).toBeGreaterThan(5)
    const { body } = await remove({ url: endless.url })
    expect(body).toMatchObject({ removed: 1, purged: { indexJobs: 1 } })
    expect(body.purged.crawlUrls).toBeGreaterThan(5)
    // Requests in flight may still arrive; then no more follow.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const asked = slow.length
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(slow).toHaveLength(asked)
    expect(await detail()).toMatchObject({ status: 'active', sources: [] })
    const { rows } = await sql`select * from jobs where server_id = ${server.serverId}`.execute(at.store.read)
    expect(rows).toEqual([])
  })

  test('finds nothing for a source of another server', async () => {
    const [mine, other] = [await account(at), await account(at)]
    const { sources } = await other.detail()
    expect((await mine.remove({ sourceId: sources[0].id })).body.removed).toBe(0)
    expect((await other.detail()).sources).toHaveLength(1)
  })
})

onBothEngines('path patterns', (engine) => {
  const at = world(engine)
  const urlsOf = async ({ as, server }: Awaited<ReturnType<typeof account>>) =>
    (await as('GET', `/api/mcp/${server.slug}/pages?state=indexed`)).body.pages.map(({ url }: { url: string }) =>
      url.slice(at.site.url.length),
    )

  test('applies patterns given with a source to its first crawl', async () => {
    const sources = [{ url: at.site.url, exclude: ['/b'] }]
    const created = await account(at, { sources })
    await created.untilDone()
    expect((await created.detail()).sources).toMatchObject([{ exclude: ['/b'], include: [] }])
    expect(await urlsOf(created)).toEqual(['/', '/a'])
    const empty = await account(at)
    const added = await empty.add({ url: at.site.url, include: ['/a'], exclude: ['/b'] })
    expect([added.status, added.body]).toMatchObject([200, { include: ['/a'], exclude: ['/b'] }])
    const refused = await empty.add({ url: `${at.site.url}/b`, exclude: ['b'] })
    expect([refused.status, refused.body.message]).toEqual([400, 'exclude[0] must start with / or *.'])
  })

  test('applies patterns changed during a crawl to pages already read', async () => {
    const words = 'are described at length, with their colours and their seasons.'
    at.site.pages.set('/w/', page('Fruit', `All fruits ${words}`, ['/w/a', '/w/b', '/w/slow']))
    at.site.pages.set('/w/a', page('Plums', `Plums ${words}`))
    at.site.pages.set('/w/b', page('Figs', `Figs ${words}`))
    const slow = Promise.withResolvers<void>()
    const late = page('Dates', `Dates ${words}`)
    at.site.pages.set(
      '/w/slow',
      (_, response) => void slow.promise.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(late)),
    )
    const owner = await account(at, { sources: [{ url: `${at.site.url}/w/` }] })
    await expect.poll(() => urlsOf(owner), { timeout: 10_000 }).toContain('/w/b')
    const [source] = (await owner.detail()).sources
    expect(source.crawlStatus).toBe('crawling')
    await owner.as('PATCH', `/api/mcp/${owner.server.slug}/sources/${source.id}`, { exclude: ['/w/b'] })
    slow.resolve()
    await owner.untilDone()
    expect(await urlsOf(owner)).toEqual(['/w/', '/w/a', '/w/slow'])
  })
})

onBothEngines('changing a source', (engine) => {
  const at = world(engine)

  test('sets its name and its patterns, and re-indexes for new patterns', async () => {
    const { server, as, detail, untilDone } = await account(at, { sources: [{ url: at.site.url }] })
    await untilDone()
    const [source] = (await detail()).sources
    const change = (body: unknown) => as('PATCH', `/api/mcp/${server.slug}/sources/${source.id}`, body)
    expect((await change({ label: ' Fruit ' })).body).toEqual({ ...source, label: 'Fruit' })
    const narrowed = await change({ exclude: ['/b'] })
    expect(narrowed.body).toMatchObject({ label: 'Fruit', include: [], exclude: ['/b'], crawlStatus: 'pending' })
    await untilDone()
    expect((await detail()).sources[0]).toMatchObject({
      crawlStatus: 'complete',
      pagesIndexed: 2,
      skipped: [{ reason: 'out_of_scope', pages: 1 }],
    })
    expect((await change({ exclude: ['/b'] })).body.crawlStatus).toBe('complete')
    await change({ exclude: [], label: null })
    await untilDone()
    expect((await detail()).sources[0]).toMatchObject({ label: null, exclude: [], pagesIndexed: 3, skipped: [] })
  })

  test.each([
    [{}, 400, 'Nothing to update.'],
    [{ include: ['docs'] }, 400, 'invalid_input'],
    [{ include: '/docs' }, 400, 'invalid_input'],
    [{ exclude: Array.from({ length: 51 }, () => '/x') }, 400, 'invalid_input'],
    [{ label: 'x'.repeat(101) }, 400, 'invalid_input'],
  ])('refuses %j', async (body, status, error) => {
    const { server, as, detail } = await account(at)
    const [source] = (await detail()).sources
    const answer = await as('PATCH', `/api/mcp/${server.slug}/sources/${source.id}`, body)
    expect(answer).toMatchObject({ status, body: { error } })
  })

  test('returns the same 404 for an unknown source and one of another server', async () => {
    const [mine, other] = [await account(at), await account(at)]
    const [theirs] = (await other.detail()).sources
    const answers = await Promise.all(
      ['src_none', theirs.id].map((id) =>
        mine.as('PATCH', `/api/mcp/${mine.server.slug}/sources/${id}`, { label: 'x' }),
      ),
    )
    for (const { status, text } of answers) expect([status, text]).toEqual([404, '{"error":"Source not found"}'])
  })
})

describe('detecting a source', () => {
  const at = world('sqlite')
  const detect = (url: unknown) => at.docent.request('POST', '/api/sources/detect', { url })
  const there = { reachable: true, problem: null }

  test.each<[string, string, string, object]>([
    [
      'a website',
      '/',
      'text/html',
      { type: 'website', label: 'Home', reason: expect.stringMatching(/^Website: no list/), ...there },
    ],
    [
      'a PDF',
      '/paper',
      'application/pdf',
      { type: 'pdf', label: null, reason: 'PDF: the answer says that it is one.', ...there },
    ],
    [
      'an API in JSON',
      '/api.json',
      'application/json',
      { type: 'api', label: 'Pets', reason: 'API: its content is OpenAPI.', ...there },
    ],
    [
      'an API in YAML',
      '/api.yaml',
      'text/yaml',
      { type: 'api', label: 'Pets', reason: 'API: its content is OpenAPI.', ...there },
    ],
    [
      'nothing',
      '/missing',
      '',
      {
        type: 'website',
        label: null,
        reachable: false,
        problem: 'The address answered 404.',
        reason: 'Judged by the address alone.',
      },
    ],
  ])('recognises %s', async (_, path, type, expected) => {
    const bodies: Record<string, string> = {
      '/paper': '%PDF-1.7',
      '/api.json': '{\n "openapi": "3.1.0", "info": {"title": "Pets"}}',
      '/api.yaml': 'openapi: 3.1.0\ninfo:\n  title: Pets\n',
    }
    const body = bodies[path]
    if (body) {
      at.site.pages.set(path, (_request, response) => void response.writeHead(200, { 'content-type': type }).end(body))
    }
    expect((await detect(at.site.url + path)).body).toEqual({ url: at.site.url + path, ...expected })
  })

  test('recognises an MCP server by a request and reports when nothing answers', async () => {
    expect((await detect(at.remote.url)).body).toMatchObject({
      type: 'mcp',
      label: 'Remote gadgets',
      reason: 'MCP server: it answers as one, with 2 tools.',
      ...there,
    })
    expect((await detect(`${NOWHERE}/`)).body).toMatchObject({ reachable: false, problem: expect.any(String) })
  })

  test.each([
    [undefined, 'Valid URL required'],
    ['docs', 'Valid URL required'],
    ['https://docs.example.test:99999/', 'Valid URL required', 'Port 99999 does not exist: ports are 1 to 65535.'],
    ['http://192.168.1.1/', 'That URL points to a private or internal network address which cannot be indexed.'],
  ])('refuses %j', async (url, error, message?: string) => {
    expect(await detect(url)).toMatchObject({
      status: 400,
      body: message === undefined ? { error } : { error, message },
    })
  })
})
