import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { NEW_SOURCE } from '@docent/contract/reference/examples/sources'
import { addSourceCredits } from '#store/accounts/purchases.ts'
import { onBothEngines } from '../support/database/engines.ts'
import { NOWHERE, account, world } from '../support/indexing/source-world.ts'

onBothEngines('adding a source', (engine) => {
  const at = world(engine)

  test('returns a new source, queues it, and keeps the server’s visibility', async () => {
    const { add, detail } = await account(at)
    const { status, body } = await add({ url: `${NOWHERE}/docs#top`, label: 'Handbook' })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^src_[0-9A-Za-z]{22}$/),
      url: `${NOWHERE}/docs`,
      type: 'docs',
      typeReason: null,
      label: 'Handbook',
      ...NEW_SOURCE,
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

  test('refuses sources beyond the plan, accepts purchased ones, and says what to do', async () => {
    const { as, add, server, email } = await account(at, { plan: 'free' })
    await at.docent.inStore(({ write }) =>
      sql`update accounts set trial_ends_at = 0 where email = ${email}`.execute(write),
    )
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
    await at.docent.inStore(({ write }) => addSourceCredits(write, server.serverId, 1, Date.now()))
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

  test('allows five sources on the first server during the trial, and keeps them after it', async () => {
    const { as, add, email, detail } = await account(at, { plan: 'free' })
    for (let n = 2; n <= 5; n++) expect((await add({ url: `${NOWHERE}/${n}` })).status).toBe(200)
    expect(await add({ url: `${NOWHERE}/6` })).toMatchObject({ status: 402, body: { limit: 5, used: 5 } })
    const { body: second } = await as('POST', '/api/mcp/create', { name: 'B', sources: [{ url: NOWHERE }] })
    const more = (n: number) => as('POST', `/api/mcp/${second.slug}/sources`, { url: `${NOWHERE}/${n}` })
    expect((await more(2)).status).toBe(200)
    expect(await more(3)).toMatchObject({ status: 402, body: { limit: 2, used: 2 } })
    await at.docent.inStore(({ write }) =>
      sql`update accounts set trial_ends_at = 1 where email = ${email}`.execute(write),
    )
    expect(await add({ url: `${NOWHERE}/6` })).toMatchObject({ status: 402, body: { limit: 2, used: 5 } })
    expect((await detail()).sources).toHaveLength(5)
  })

  test('stops when the server’s text reaches the plan’s limit', async () => {
    const { add, server } = await account(at, { plan: 'free' })
    const grow = (size: number) =>
      at.docent.inStore(({ write }) =>
        sql`update sources set text_bytes = ${size} where server_id = ${server.serverId}`.execute(write),
      )
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

  test('adds one source for several concurrent requests with one place left', async () => {
    const { add, email, detail } = await account(at, { plan: 'free' })
    await at.docent.inStore(({ write }) =>
      sql`update accounts set trial_ends_at = 0 where email = ${email}`.execute(write),
    )
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
