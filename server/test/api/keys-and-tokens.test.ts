import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePlace, onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'

const NOWHERE = 'http://127.0.0.1:19151/'
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

onSqliteAtLeast('API keys', (engine) => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  /** A fresh account with two servers. */
  async function account(name: string) {
    const key = await docent.makeKey(`${name}@example.test`)
    const as = (method: string, path: string, body?: unknown, with_: string | null = key) =>
      docent.request(method, path, body, { key: with_ })
    const make = async () => (await as('POST', '/api/mcp/create', { name, sources: [{ url: NOWHERE }] })).body
    return { key, as, first: await make(), second: await make() }
  }

  test('creates account-wide keys, shows them once, lists them, and revokes them at once', async () => {
    const { key, as } = await account('one')
    const made = await as('POST', '/api/keys', { name: ' CI ' })
    expect(made).toMatchObject({ status: 200 })
    expect(made.body).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{22}$/),
      name: 'CI',
      last4: made.body.plaintext.slice(-4),
      scope: 'account',
      serverIds: null,
      scopes: null,
      forAssistant: false,
      createdAt: ISO,
      lastUsedAt: null,
      plaintext: expect.stringMatching(/^dk_live_[0-9A-Za-z]{36}$/),
    })
    const { plaintext, ...unused } = made.body
    const shown = { ...unused, lastUsedAt: ISO }
    const listed = await as('GET', '/api/keys', undefined, plaintext)
    expect(listed.body).toMatchObject({ maxKeys: 100, keys: [{ name: 'Test', last4: key.slice(-4) }, shown] })
    expect(listed.text).not.toContain(plaintext)
    expect((await as('DELETE', `/api/keys/${made.body.id}`)).body).toEqual({ ok: true })
    expect(await as('GET', '/api/keys', undefined, plaintext)).toMatchObject({ status: 401 })
    expect((await as('GET', '/api/keys')).body.keys).toHaveLength(1)
    expect(await as('DELETE', `/api/keys/${made.body.id}`)).toMatchObject({
      status: 404,
      body: { error: 'API key not found' },
    })
  })

  test('limits a scoped key to its servers and lets it manage no keys', async () => {
    const { as, first, second } = await account('two')
    const made = await as('POST', '/api/keys', { name: 'One', serverIds: [first.serverId, first.serverId] })
    expect(made.body).toMatchObject({ scope: 'servers', serverIds: [first.serverId] })
    const scoped = made.body.plaintext
    const { body: list } = await as('GET', '/api/mcp/list', undefined, scoped)
    expect(list.map(({ id }: { id: string }) => id)).toEqual([first.serverId])
    expect((await as('GET', `/api/mcp/${second.slug}`, undefined, scoped)).status).toBe(404)
    for (const [method, path] of [
      ['GET', '/api/keys'],
      ['POST', '/api/keys'],
      ['DELETE', `/api/keys/${made.body.id}`],
    ] as const) {
      expect(await as(method, path, method === 'POST' ? { name: 'x' } : undefined, scoped)).toMatchObject({
        status: 403,
        body: { error: 'key_scoped' },
      })
    }
  })

  test('refuses a key without a name or for servers of another account', async () => {
    const { as, first } = await account('three')
    const other = await account('four')
    const refusals = [
      [{}, 400, 'Name is required'],
      [{ name: ' ' }, 400, 'Name is required'],
      [{ name: 'x'.repeat(101) }, 400, 'invalid_input'],
      [{ name: 'x', serverIds: [] }, 400, 'invalid_input'],
      [{ name: 'x', serverIds: [other.first.serverId] }, 404, 'Server not found'],
      [{ name: 'x', serverIds: [first.serverId, 'srv_none'] }, 404, 'Server not found'],
      [[], 400, 'The request body must be a JSON object'],
    ] as const
    for (const [body, status, error] of refusals) {
      expect(await as('POST', '/api/keys', body)).toMatchObject({ status, body: { error } })
    }
    expect((await as('GET', '/api/keys')).body.keys).toHaveLength(1)
    const unknown = await as('DELETE', '/api/keys/key_none')
    const foreign = await as('DELETE', `/api/keys/${(await other.as('GET', '/api/keys')).body.keys[0].id}`)
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  })

  test('allows at most a hundred keys', async () => {
    const { as } = await account('five')
    for (let n = 1; n < 100; n++) await as('POST', '/api/keys', { name: `${n}` })
    const { body } = await as('GET', '/api/keys')
    expect(body.keys).toHaveLength(100)
    expect(await as('POST', '/api/keys', { name: 'one more' })).toMatchObject({
      status: 409,
      body: { error: 'key_limit', message: expect.any(String), limit: 100 },
    })
    await as('DELETE', `/api/keys/${body.keys[5].id}`)
    expect((await as('POST', '/api/keys', { name: 'in its place' })).status).toBe(200)
  })
})

onSqliteAtLeast('access tokens', (engine) => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  const make = async (visibility: string) =>
    (await docent.request('POST', '/api/mcp/create', { name: 'A', sources: [{ url: NOWHERE }], visibility })).body
  const status = async (slug: string, key: string | null) =>
    (await docent.request('POST', `/api/mcp/${slug}`, ping, { key })).status

  test('does not let a token delete its server', async () => {
    const { slug, accessToken } = await make('private')
    const refused = await docent.request('DELETE', `/api/mcp/${slug}`, undefined, { key: accessToken })
    expect([refused.status, refused.body.error]).toEqual([401, 'unauthorized'])
    expect(await status(slug, accessToken)).toBe(200)
  })

  test('lists tokens without their text, allows ten, and rejects a revoked one', async () => {
    const { slug, accessToken } = await make('private')
    const path = `/api/mcp/${slug}/access-tokens`
    const listed = await docent.request('GET', path)
    expect(listed.body).toEqual({
      maxTokens: 10,
      tokens: [
        {
          id: expect.stringMatching(/^tok_[0-9A-Za-z]{22}$/),
          name: 'First token',
          last4: accessToken.slice(-4),
          createdAt: ISO,
          lastUsedAt: null,
        },
      ],
    })
    const { body: minted } = await docent.request('POST', path, { name: 'Laptop' })
    expect(minted).toEqual({
      id: expect.stringMatching(/^tok_/),
      name: 'Laptop',
      last4: minted.plaintext.slice(-4),
      createdAt: ISO,
      lastUsedAt: null,
      plaintext: expect.stringMatching(/^dat_[0-9A-Za-z]{36}$/),
    })
    expect([await status(slug, accessToken), await status(slug, minted.plaintext)]).toEqual([200, 200])
    for (let n = 3; n <= 10; n++) {
      expect((await docent.request('POST', path, { name: `${n}` })).status).toBe(200)
    }
    expect(await docent.request('POST', path, { name: 'eleventh' })).toMatchObject({
      status: 409,
      body: { error: 'token_limit', message: expect.any(String), limit: 10 },
    })
    expect((await docent.request('DELETE', `${path}/${minted.id}`)).body).toEqual({ ok: true })
    expect([await status(slug, accessToken), await status(slug, minted.plaintext)]).toEqual([200, 401])
    expect((await docent.request('POST', path, { name: 'in its place' })).status).toBe(200)
    expect((await docent.request('GET', path)).body.tokens).toHaveLength(10)
  })

  test('returns the same 404 for unknown and revoked tokens and those of other servers', async () => {
    const [mine, other] = [await make('private'), await make('private')]
    const { body } = await docent.request('GET', `/api/mcp/${other.slug}/access-tokens`)
    const at = (id: string) => docent.request('DELETE', `/api/mcp/${mine.slug}/access-tokens/${id}`)
    const unknown = await at('tok_none')
    expect([unknown.status, unknown.body]).toEqual([404, { error: 'Access token not found' }])
    expect((await at(body.tokens[0].id)).text).toBe(unknown.text)
    expect(await status(other.slug, other.accessToken)).toBe(200)
    expect(await status(mine.slug, other.accessToken)).toBe(401)
    expect(await docent.request('DELETE', `/api/mcp/nobody/access-tokens/${body.tokens[0].id}`)).toMatchObject({
      status: 404,
      body: { error: 'Server not found' },
    })
  })

  test('requires a name for a token', async () => {
    const { slug } = await make('private')
    for (const body of [{}, { name: '' }, { name: 7 }]) {
      expect(await docent.request('POST', `/api/mcp/${slug}/access-tokens`, body)).toMatchObject({
        status: 400,
        body: { error: 'Name is required' },
      })
    }
  })

  test('issues a token when a server first becomes private, but not again while it has one', async () => {
    const { slug } = await make('public')
    const set = async (visibility: string) => docent.request('PATCH', `/api/mcp/${slug}/visibility`, { visibility })
    expect((await set('public')).body).toEqual({
      ok: true,
      visibility: 'public',
      unchanged: true,
      maxTokens: 10,
      issuedToken: null,
    })
    const { body } = await set('private')
    expect(body).toEqual({
      ok: true,
      visibility: 'private',
      maxTokens: 10,
      issuedToken: { id: expect.stringMatching(/^tok_/), plaintext: expect.stringMatching(/^dat_/), createdAt: ISO },
    })
    expect([await status(slug, null), await status(slug, body.issuedToken.plaintext)]).toEqual([401, 200])
    expect((await set('private')).body).toMatchObject({ unchanged: true, issuedToken: null })
    expect((await set('public')).body).toEqual({ ok: true, visibility: 'public', maxTokens: 10, issuedToken: null })
    expect(await status(slug, null)).toBe(200)
    expect((await set('private')).body.issuedToken).toBeNull()
    expect(await status(slug, body.issuedToken.plaintext)).toBe(200)
    await docent.request('DELETE', `/api/mcp/${slug}/access-tokens/${body.issuedToken.id}`)
    await set('public')
    expect((await set('private')).body.issuedToken).toMatchObject({ plaintext: expect.stringMatching(/^dat_/) })
    expect(await set('secret')).toMatchObject({ status: 400, body: { error: 'invalid_input' } })
    expect((await docent.request('PATCH', '/api/mcp/nobody/visibility', { visibility: 'public' })).body).toEqual({
      error: 'Server not found',
    })
  })

  test('keeps the last use of tokens and keys when the service stops', async () => {
    await using place = await makePlace(engine)
    const before = Date.now()
    {
      await using first = await startDocent({ place })
      const given = { name: 'A', sources: [{ url: NOWHERE }], visibility: 'private' }
      const { body } = await first.request('POST', '/api/mcp/create', given)
      await first.request('POST', `/api/mcp/${body.slug}`, ping, { key: body.accessToken })
    }
    await using second = await startDocent({ place })
    const { tokens } = (await second.request('GET', '/api/mcp/a/access-tokens')).body
    const { keys } = (await second.request('GET', '/api/keys')).body
    for (const { lastUsedAt } of [tokens[0], keys[0]]) {
      expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(before)
      expect(Date.parse(lastUsedAt)).toBeLessThanOrEqual(Date.now())
    }
  })
})
