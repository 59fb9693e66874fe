import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { page, startSite } from '../support/sites/site.ts'

const create = (url: string) => ({ name: 'Acme Docs', sources: [{ url }] })
/** Nothing listens here. These tests check the answers before any crawl. */
const NOWHERE = 'http://127.0.0.1:19151/'

onSqliteAtLeast('creating a server', (engine) => {
  test('returns the address of a new server, whose endpoint answers at once', async () => {
    await using docent = await startDocent({ engine })
    const { status, body } = await docent.request('POST', '/api/mcp/create', create(NOWHERE))
    expect(status).toBe(200)
    expect(body).toEqual({
      serverId: expect.stringMatching(/^srv_[0-9A-Za-z]{22}$/),
      slug: 'acme-docs',
      url: `${docent.url}/api/mcp/acme-docs`,
      configSnippet: JSON.stringify(
        { mcpServers: { 'acme-docs': { type: 'http', url: `${docent.url}/api/mcp/acme-docs` } } },
        null,
        2,
      ),
      visibility: 'public',
      accessToken: null,
    })
    const ping = await docent.request(
      'POST',
      '/api/mcp/acme-docs',
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { key: null },
    )
    expect(ping.body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  test('deduplicates several forms of one address', async () => {
    await using docent = await startDocent({ engine })
    const paths = ['/s2', '/s2/', '/s2#', '/s2/more', '/x/../s2/']
    const sources = paths.map((path) => ({ url: `${new URL(NOWHERE).origin}${path}` }))
    const { status, body } = await docent.request('POST', '/api/mcp/create', { name: 'Forms', sources })
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('ignoredSources')
    const { body: detail } = await docent.request('GET', `/api/mcp/${body.slug}`)
    expect(detail.sources.map(({ url }: { url: string }) => new URL(url).pathname)).toEqual(['/s2', '/s2/more'])
  })

  test('gives a second server of the same name its own slug', async () => {
    await using docent = await startDocent({ engine })
    await docent.request('POST', '/api/mcp/create', create(NOWHERE))
    const { body } = await docent.request('POST', '/api/mcp/create', create(NOWHERE))
    expect(body.slug).toMatch(/^acme-docs-[0-9a-z]{6}$/)
  })

  test('returns a private server’s token once and admits only that token', async () => {
    await using docent = await startDocent({ engine })
    const { body } = await docent.request('POST', '/api/mcp/create', { ...create(NOWHERE), visibility: 'private' })
    expect(body.accessToken).toMatch(/^dat_[0-9A-Za-z]{36}$/)
    expect(body.configSnippet).toContain('Bearer <ACCESS_TOKEN>')
    expect(body.configSnippet).not.toContain(body.accessToken)
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const without = await docent.request('POST', '/api/mcp/acme-docs', ping, { key: null })
    expect(without.status).toBe(401)
    expect(without.headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]+", error="invalid_token"/)
    expect(without.body).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32001, data: { reason: 'missing_token' } },
    })
    const wrong = await docent.request('POST', '/api/mcp/acme-docs', ping, { key: docent.key })
    expect(wrong.body.error.data.reason).toBe('invalid_token')
    const right = await docent.request('POST', '/api/mcp/acme-docs', ping, { key: body.accessToken })
    expect(right.body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    expect(JSON.stringify((await docent.request('GET', '/api/mcp/acme-docs')).body)).not.toContain(body.accessToken)
  })

  test('admits ten requests for a server an hour, refused ones included, on every plan', async () => {
    await using docent = await startDocent({ engine })
    const makeAccount = async (plan: string) => {
      const email = `${plan}@example.test`
      const key = await docent.makeKey(email)
      await docent.inStore(({ write }) =>
        write.updateTable('accounts').set({ plan }).where('email', '=', email).execute(),
      )
      const send = (body: unknown, idempotencyKey?: string) =>
        docent.request('POST', '/api/mcp/create', body, {
          key,
          headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
        })
      const { serverId } = (await send(create(NOWHERE))).body
      return { key, send, scoped: await docent.makeKey(email, [serverId]) }
    }
    const refused = [{}, 'no JSON', create('http://10.0.0.1/'), { ...create(NOWHERE), tools: ['search'] }]
    const six = { name: 'A', sources: Array.from({ length: 6 }, (_, n) => ({ url: `${NOWHERE}${n}` })) }
    for (const plan of ['free', 'core', 'unlimited']) {
      const { key, send, scoped } = await makeAccount(plan)
      const { body: allowed } = await docent.request('GET', '/api/account/entitlements', undefined, { key })
      expect(allowed.rateLimits).toContainEqual({ of: 'requests to create a server', limit: 10, windowSeconds: 3_600 })
      // Refusals of the caller come before the limit.
      for (let n = 0; n < 12; n++) {
        expect((await docent.request('POST', '/api/mcp/create', {}, { key: scoped })).status).toBe(403)
        expect((await docent.request('POST', '/api/mcp/create', {}, { key: 'dk_live_none' })).status).toBe(401)
      }
      for (const body of refused) expect((await send(body)).status).toBe(400)
      expect((await send({}, 'with a key')).status).toBe(400)
      expect((await send(six)).status).toBe(plan === 'free' ? 402 : 200)
      for (let n = 0; n < 3; n++)
        expect((await send(create(NOWHERE))).status).toBe(plan === 'free' && n === 2 ? 403 : 200)
      // The limit is checked before the body.
      for (const body of [{}, create(NOWHERE)]) {
        const { status, headers, body: answer } = await send(body)
        const wait = Number(headers.get('retry-after'))
        expect(wait).toBeGreaterThan(3_400)
        expect([plan, status, answer]).toEqual([
          plan,
          429,
          {
            error: expect.stringMatching(
              /^Too many requests\. The limit is 10 requests to create a server in an hour\. Try again in \d\d minutes\.$/,
            ),
            limit: 10,
            retryAfterSeconds: wait,
          },
        ])
      }
    }
  })

  test('has no rate limit if it is switched off', async () => {
    await using docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
    for (let n = 0; n < 12; n++) expect((await docent.request('POST', '/api/mcp/create', {})).status).toBe(400)
    expect((await docent.request('POST', '/api/mcp/create', create(NOWHERE))).status).toBe(200)
    expect((await docent.request('GET', '/api/account/entitlements')).body.rateLimits).toBeNull()
  })

  test('creates ten servers from twelve concurrent requests', async () => {
    await using docent = await startDocent({ engine })
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => docent.request('POST', '/api/mcp/create', create(NOWHERE))),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array<number>(10).fill(200), 429, 429])
    expect((await docent.request('GET', '/api/mcp/list')).body).toHaveLength(10)
  })

  test('stops at the free plan’s three servers and two sources, or five on the first in the trial', async () => {
    await using docent = await startDocent({ engine, plan: 'free' })
    const key = await docent.makeKey('guest@example.test')
    const make = (sources: number) =>
      docent.request(
        'POST',
        '/api/mcp/create',
        { name: 'A', sources: Array.from({ length: sources }, (_, n) => ({ url: `${NOWHERE}${n}` })) },
        { key },
      )
    expect((await make(6)).body).toMatchObject({
      error: 'source_limit',
      limit: 5,
      purchaseUrl: expect.any(String),
      upgradeUrl: expect.any(String),
    })
    expect((await make(5)).status).toBe(200)
    expect(await make(3)).toMatchObject({ status: 402, body: { error: 'source_limit', limit: 2 } })
    expect((await make(2)).status).toBe(200)
    expect((await make(1)).status).toBe(200)
    expect(await make(1)).toMatchObject({
      status: 403,
      body: { error: 'enterprise_limit', upgradeUrl: expect.any(String) },
    })
  })
})

onSqliteAtLeast('checking a new server', (engine) => {
  let docent: Docent
  let guest = ''
  beforeAll(async () => {
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
    guest = await docent.makeKey('guest@example.test')
    return () => docent[Symbol.asyncDispose]()
  })

  test.each([
    ['create', /^create-[0-9a-z]{6}$/],
    ['List', /^list-[0-9a-z]{6}$/],
    ['srv_abc', /^srv-abc-[0-9a-z]{6}$/],
    ['Ünïcödé & Söhne', /^unicode-sohne$/],
    ['設定', /^sheding$/],
    ['設定 1', /^sheding-1$/],
    ['北京 Docs', /^beijing-docs$/],
    ['Документация', /^dokumentatsiya$/],
    ['Ελληνικά', /^ellinika$/],
    ['한국어 문서', /^hangugeo-munseo$/],
    ['हिन्दी', /^hindi$/],
    ['תיעוד', /^tyvd$/],
    ['Straße ½', /^strasse-1-2$/],
    ['Don’t panic!', /^don-t-panic$/],
    ['ﬁle Ａ', /^file-a$/],
    ['🚀 Docs', /^docs$/],
    ['🚀', /^server$/],
    ['文'.repeat(80), /^[a-z]{48}$/],
    ['x'.repeat(80), /^x{48}$/],
  ])('derives a slug from the name %j', async (name, slug) => {
    const { body } = await docent.request('POST', '/api/mcp/create', { ...create(NOWHERE), name })
    expect(body.slug).toMatch(slug)
  })

  test('lists the skipped sources with the reasons', async () => {
    const sources = [{ url: NOWHERE }, { url: 'ftp://files.example.test/' }, { url: 'not a url' }, { url: 7 }]
    const { body } = await docent.request('POST', '/api/mcp/create', { name: 'A', sources })
    expect(body.ignoredSources).toEqual(['ftp://files.example.test/', 'not a url', ''])
    expect(body.ignoredSourceReasons).toEqual([
      {
        url: 'ftp://files.example.test/',
        reason: '"ftp://files.example.test/" does not start with http:// or https://.',
      },
      { url: 'not a url', reason: '"not a url" is not a URL. Write it like https://example.com/docs.' },
      { url: '', reason: '"" is not a URL. Write it like https://example.com/docs.' },
    ])
    expect((await docent.request('GET', `/api/mcp/${body.slug}`)).body.sources).toHaveLength(1)
  })

  const valid = create(NOWHERE)
  const refusals: [name: string, body: unknown, status: number, error: string][] = [
    ['no name', { sources: valid.sources }, 400, 'Name is required'],
    ['a blank name', { ...valid, name: ' ' }, 400, 'Name is required'],
    ['a name that is no text', { ...valid, name: 7 }, 400, 'Name is required'],
    ['nothing', {}, 400, 'Name is required'],
    ['no sources', { name: 'A' }, 400, 'At least 1 source is required'],
    ['an empty list of sources', { name: 'A', sources: [] }, 400, 'At least 1 source is required'],
    ['two tools', { ...valid, tools: ['search_docs', 'ask_question'] }, 400, 'Select between 3 and 10 tools'],
    [
      'three tools of which one exists',
      { ...valid, tools: ['search_docs', 'a', 'b'] },
      400,
      'At least 3 valid tools required',
    ],
    ['three tools that are no names', { ...valid, tools: [1, null, {}] }, 400, 'At least 3 valid tools required'],
    ['no sources and two tools', { name: 'A', sources: [], tools: ['a', 'b'] }, 400, 'At least 1 source is required'],
    [
      'three tools that do not exist, and no usable address',
      { name: 'A', sources: [{ url: 'nonsense' }], tools: ['a', 'b', 'c'] },
      400,
      'At least 3 valid tools required',
    ],
    ['a source without an address', { name: 'A', sources: [{}] }, 400, 'At least one valid source URL is required'],
    [
      'an address that is no text',
      { name: 'A', sources: [{ url: 7 }] },
      400,
      'At least one valid source URL is required',
    ],
    [
      'an address of 2,001 characters',
      { name: 'A', sources: [{ url: NOWHERE.padEnd(2_001, 'x') }] },
      400,
      'At least one valid source URL is required',
    ],
    [
      'no usable address',
      { name: 'A', sources: [{ url: 'ftp://x/' }, { url: 'nonsense' }] },
      400,
      'At least one valid source URL is required',
    ],
    [
      'addresses of private networks',
      { name: 'A', sources: [{ url: 'HTTP://0x0A.1' }, { url: ' http://[::1]/x#y' }, { url: NOWHERE }] },
      400,
      'These URLs point to private or internal network addresses and cannot be indexed: HTTP://0x0A.1, http://[::1]/x#y',
    ],
    ['a visibility that there is not', { ...valid, visibility: 'secret' }, 400, 'invalid_input'],
    [
      'a credential for a website',
      { name: 'A', sources: [{ url: NOWHERE, type: 'website', auth: { secret: 'x' } }] },
      400,
      'Only MCP sources can carry credentials.',
    ],
    [
      'a credential in an odd header',
      { name: 'A', sources: [{ url: NOWHERE, type: 'mcp', auth: { headerName: 'Cookie', secret: 'x' } }] },
      400,
      'Unsupported authentication header. Use Authorization or X-API-Key.',
    ],
    ['a list', [], 400, 'The request body must be a JSON object'],
    ['no JSON', '{"name": ', 400, 'The request body must be a JSON object'],
  ]
  test.each(refusals)('refuses %s and changes nothing', async (_, body, status, error) => {
    const answer = await docent.request('POST', '/api/mcp/create', body, { key: guest })
    expect([answer.status, answer.body.error]).toEqual([status, error])
    expect((await docent.request('GET', '/api/mcp/list', undefined, { key: guest })).body).toEqual([])
  })

  test('explains what is wrong with the first address when none is usable', async () => {
    const sources = [{ url: 'https://docs.example.test:99999' }, { url: 'nonsense' }]
    const answer = await docent.request('POST', '/api/mcp/create', { name: 'A', sources })
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: 'At least one valid source URL is required',
        message: 'Port 99999 does not exist: ports are 1 to 65535.',
      },
    ])
  })
})

test('shows progress without a key, in numbers and ids only', async () => {
  await using site = await startSite({
    '/?canary=1': page('Canary title', 'Canary text that is long enough to be kept.'),
  })
  await using docent = await startDocent()
  const { body: made } = await docent.request('POST', '/api/mcp/create', {
    name: 'A',
    sources: [{ url: `${site.url}/?canary=1`, label: 'Canary label' }],
  })
  for (let status = 'crawling'; status === 'crawling'; await sleep(10)) {
    const progress = await docent.request('GET', `/api/mcp/${made.slug}/crawl-next`, undefined, { key: null })
    expect(progress.text).not.toMatch(/canary|127\.0\.0\.1/i)
    status = progress.body.status
  }
  const { body } = await docent.request('POST', `/api/mcp/${made.slug}/crawl-next`, undefined, { key: null })
  expect(body).toEqual({
    status: 'active',
    jobs: { queued: 0, running: 0, done: 1, failed: 0 },
    percent: 100,
    etaSeconds: null,
    pagesPerSecond: null,
    sources: [
      {
        id: expect.stringMatching(/^src_/),
        crawlStatus: 'complete',
        pagesDiscovered: 1,
        pagesIndexed: 1,
        pagesSkipped: 0,
        pagesFailed: 0,
      },
    ],
  })
})
