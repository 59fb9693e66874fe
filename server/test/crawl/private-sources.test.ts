import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { GITHUB_TOKEN } from '../support/sites/github-api.ts'
import { NOWHERE, account, world } from '../support/indexing/source-world.ts'

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)

onSqliteAtLeast('repository source', (engine) => {
  const at = world(engine)
  const repo = (name: string) => ({ url: `https://github.com/acme/${name}` })
  const about = (name: string) => ({ message: expect.any(String), owner: 'acme', repo: name })

  test('adds a public repository and ends its indexing with a clear message', async () => {
    const { add, detail } = await account(at)
    const { status, body } = await add({ url: 'https://github.com/acme/public.git' })
    expect([status, body.type, body.isPrivate, body.visibility]).toEqual([200, 'repo', false, 'public'])
    await expect
      .poll(async () => (await detail()).sources.find(({ id }: { id: string }) => id === body.id))
      .toMatchObject({
        crawlStatus: 'error',
        crawlError: expect.stringContaining('GitHub has no archive of acme/public'),
      })
  })

  test('requires a linked account for a private repository, and makes and keeps the server private', async () => {
    const { add, remove, link, server, setVisibility } = await account(at)
    const without = await add(repo('secret'))
    expect([without.status, without.body]).toEqual([
      422,
      { error: 'auth_required', ...about('secret'), hasGithubLink: false, isPrivate: false },
    ])
    expect((await link()).status).toBe(200)
    const { status, body } = await add(repo('secret'))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      isPrivate: true,
      hasCredential: false,
      visibility: 'private',
      issuedToken: { id: expect.stringMatching(/^tok_/), plaintext: expect.stringMatching(/^dat_/), createdAt: ISO },
    })
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const as = (key: string | null) => at.docent.request('POST', `/api/mcp/${server.slug}`, ping, { key })
    expect([(await as(null)).status, (await as(body.issuedToken.plaintext)).status]).toEqual([401, 200])
    const refused = await setVisibility('public')
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: 'private_source_present', message: expect.stringContaining('deletes everything indexed from it') },
    ])
    expect((await remove({ sourceId: body.id })).body).toMatchObject({ removed: 1, remainingPrivateSources: 0 })
    expect((await as(null)).status).toBe(401)
    expect((await setVisibility('public')).body).toMatchObject({ ok: true, visibility: 'public' })
    expect((await as(null)).status).toBe(200)
  })

  test.each([
    ['nowhere', true, 'not_found_or_no_access'],
    ['nowhere', false, 'auth_required'],
    ['broken', false, 'repo_access_failed'],
    ['broken', true, 'repo_access_failed'],
    ['odd', false, 'repo_access_failed'],
    ['forbidden', true, 'repo_access_failed'],
    ['limited', false, 'repo_access_failed'],
  ])('refuses the repository %s (linked account: %s): %s', async (name, hasGithubLink, error) => {
    const { add, link, detail } = await account(at)
    if (hasGithubLink) await link()
    const { status, body } = await add(repo(name))
    expect([status, body]).toEqual([422, { error, ...about(name), hasGithubLink, isPrivate: false }])
    expect((await detail()).sources).toHaveLength(1)
  })

  test('makes a new server private for a private repository', async () => {
    const { as, link } = await account(at)
    const make = () => as('POST', '/api/mcp/create', { name: 'Repos', sources: [repo('secret')], visibility: 'public' })
    expect((await make()).body).toMatchObject({ visibility: 'public', accessToken: null })
    await link()
    const { body } = await make()
    expect(body).toMatchObject({ visibility: 'private', accessToken: expect.stringMatching(/^dat_/) })
    expect(body.configSnippet).toContain('Bearer <ACCESS_TOKEN>')
    expect((await as('GET', `/api/mcp/${body.slug}`)).body.sources).toMatchObject([{ isPrivate: true }])
  })

  test.each(['/api/mcp/crawl', '/api/mcp/{id}/crawl'])(
    'reads a private repository with an account linked after it was added: %s',
    async (path) => {
      const { as, link } = await account(at)
      const { body } = await as('POST', '/api/mcp/create', { name: 'Repos', sources: [repo('secret'), repo('public')] })
      const refresh = () => as('POST', path.replace('{id}', body.slug), { serverId: body.slug })
      const read = async () => (await as('GET', `/api/mcp/${body.slug}`)).body
      await expect.poll(async () => (await read()).status).toBe('error')
      expect((await refresh()).body.issuedToken).toBeUndefined()
      await expect.poll(async () => (await read()).status).toBe('error')
      await link()
      const refreshed = await refresh()
      expect(refreshed.status).toBe(200)
      expect(refreshed.body.issuedToken).toMatchObject({ plaintext: expect.stringMatching(/^dat_/) })
      expect(await read()).toMatchObject({
        visibility: 'private',
        sources: [{ isPrivate: true }, { isPrivate: false }],
      })
      expect((await refresh()).body.issuedToken).toBeUndefined()
      await expect.poll(async () => (await read()).status).toBe('error')
    },
  )

  test('checks plan limits before the code host is asked', async () => {
    const { add, email } = await account(at, { plan: 'free' })
    await at.docent.inStore(({ write }) =>
      sql`update accounts set trial_ends_at = 0 where email = ${email}`.execute(write),
    )
    await add({ url: `${NOWHERE}/2` })
    const asked = at.github.requests.length
    expect((await add(repo('public'))).status).toBe(402)
    expect(at.github.requests).toHaveLength(asked)
  })
})

onSqliteAtLeast('linked account', (engine) => {
  const at = world(engine)
  const path = '/api/linked-accounts/github.com'

  test('links an account, hides its token, replaces it and unlinks it', async () => {
    const { as, link } = await account(at)
    const none = { host: 'github.com', linked: false, login: null, linkedAt: null, via: null, appAvailable: false }
    expect((await as('GET', path)).body).toEqual(none)
    const linked = { ...none, linked: true, login: 'octo', linkedAt: ISO, via: 'token' }
    expect((await link()).body).toEqual(linked)
    expect((await link()).body).toEqual(linked)
    const shown = await as('GET', path)
    expect(shown.body).toEqual(linked)
    expect(shown.text).not.toContain(GITHUB_TOKEN)
    expect((await as('DELETE', path)).body).toEqual({ ok: true, removed: 1 })
    expect((await as('DELETE', path)).body).toEqual({ ok: true, removed: 0 })
    expect((await as('GET', path)).body).toEqual(none)
  })

  test('refuses a rejected or missing token, and unsupported hosts', async () => {
    const { as, email } = await account(at)
    const put = (body: unknown, host = 'github.com') => as('PUT', `/api/linked-accounts/${host}`, body)
    const rejected = await put({ token: 'ghp_wrong' })
    expect([rejected.status, rejected.body]).toEqual([
      422,
      { error: 'credential_rejected', message: 'GitHub refused the token. The token has not been saved.' },
    ])
    expect(await put({})).toMatchObject({ status: 400, body: { error: 'Provide a credential, or remove: true.' } })
    expect(await put({ token: 'two words' })).toMatchObject({ status: 400, body: { error: 'invalid_input' } })
    expect(await put({ token: 'x' }, 'nowhere')).toMatchObject({
      status: 404,
      body: { error: 'Code host not found' },
    })
    const scoped = await at.docent.makeKey(email, [(await as('GET', '/api/mcp/list')).body[0].id])
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { token: GITHUB_TOKEN } : undefined
      expect(await at.docent.request(method, path, body, { key: scoped })).toMatchObject({
        status: 403,
        body: { error: 'key_scoped' },
      })
    }
    expect((await as('GET', path)).body.linked).toBe(false)
  })
})

onSqliteAtLeast('credential of an MCP source', (engine) => {
  const at = world(engine)
  const SECRET = 'canary-0123456789'

  test('makes the server private for a credential, reports it, and never shows it', async () => {
    const { add, detail, setVisibility } = await account(at)
    const added = await add({ url: at.remote.url, auth: { secret: SECRET } })
    expect(added.body).toMatchObject({
      type: 'mcp',
      hasCredential: true,
      isPrivate: false,
      visibility: 'private',
      issuedToken: { plaintext: expect.stringMatching(/^dat_/) },
    })
    const seen = await detail()
    expect(seen.sources[1]).toMatchObject({ id: added.body.id, hasCredential: true })
    expect(added.text + JSON.stringify(seen)).not.toContain(SECRET)
    expect((await setVisibility('public')).body.error).toBe('private_source_present')
  })

  test('makes a new server private for a credential', async () => {
    const { as } = await account(at)
    const sources = [{ url: at.remote.url, auth: { headerName: 'X-API-Key', secret: SECRET } }]
    const { body } = await as('POST', '/api/mcp/create', { name: 'M', sources })
    expect(body).toMatchObject({ visibility: 'private', accessToken: expect.stringMatching(/^dat_/) })
  })

  test('tests a credential before it is saved, rotates it and removes it', async () => {
    const { add, patch, detail, setVisibility } = await account(at)
    const { body: added } = await add({ url: at.remote.url })
    expect(added).toMatchObject({ hasCredential: false, visibility: 'public', issuedToken: null })
    at.remote.lock = { header: 'authorization', value: `Bearer ${SECRET}` }
    const change = (body: object) => patch({ sourceId: added.id, ...body })

    const rejected = await change({ secret: 'canary-wrong' })
    expect([rejected.status, rejected.body]).toEqual([
      422,
      {
        error: 'credential_rejected',
        message: expect.stringMatching(
          /^127\.0\.0\.1:\d+ refused the credential \(401\)\. The credential has not been saved\.$/,
        ),
      },
    ])
    at.remote.misbehave = (_, response) => void response.writeHead(503).end()
    const unasked = await change({ secret: SECRET })
    expect([unasked.status, unasked.body]).toEqual([
      422,
      { error: 'host_unavailable', message: expect.stringMatching(/503\. The credential has not been saved\.$/) },
    ])
    at.remote.misbehave = null
    expect(await detail()).toMatchObject({ visibility: 'public', sources: [{}, { hasCredential: false }] })

    expect((await change({ secret: SECRET })).body).toEqual({
      ok: true,
      hasCredential: true,
      tools: ['alpha', 'beta'],
      visibility: 'private',
      issuedToken: { id: expect.stringMatching(/^tok_/), plaintext: expect.stringMatching(/^dat_/), createdAt: ISO },
    })
    at.remote.lock = { header: 'x-api-key', value: SECRET }
    expect((await change({ secret: SECRET, headerName: 'X-API-Key' })).body).toEqual({
      ok: true,
      hasCredential: true,
      tools: ['alpha', 'beta'],
      visibility: 'private',
      issuedToken: null,
    })
    expect((await change({ secret: SECRET })).status).toBe(422)
    expect((await setVisibility('public')).status).toBe(409)
    expect((await change({ remove: true })).body).toEqual({
      ok: true,
      hasCredential: false,
      tools: [],
      visibility: 'private',
      issuedToken: null,
    })
    expect(await detail()).toMatchObject({ visibility: 'private', sources: [{}, { hasCredential: false }] })
    expect((await setVisibility('public')).status).toBe(200)
    at.remote.lock = null
  })

  test('refuses a credential of other sources and invalid input', async () => {
    const { add, patch, detail } = await account(at)
    const { body: mcp } = await add({ url: at.remote.url })
    const website = (await detail()).sources[0]
    for (const [body, status, error] of [
      [{}, 400, 'sourceId is required'],
      [{ sourceId: '' }, 400, 'sourceId is required'],
      [{ sourceId: 'src_none', secret: 'x' }, 404, 'Source not found'],
      [{ sourceId: website.id, secret: 'x' }, 400, 'Only MCP sources can carry credentials.'],
      [{ sourceId: mcp.id }, 400, 'Provide a credential, or remove: true.'],
      [{ sourceId: mcp.id, remove: false }, 400, 'Provide a credential, or remove: true.'],
      [{ sourceId: mcp.id, secret: '' }, 400, 'Provide a credential, or remove: true.'],
      [{ sourceId: mcp.id, secret: 'x', remove: true }, 400, 'Provide a credential, or remove: true.'],
      [{ sourceId: mcp.id, secret: 'x'.repeat(4097) }, 400, 'invalid_input'],
      [{ sourceId: mcp.id, secret: 'a\nb' }, 400, 'invalid_input'],
      [
        { sourceId: mcp.id, secret: 'x', headerName: 'Cookie' },
        400,
        'Unsupported authentication header. Use Authorization or X-API-Key.',
      ],
    ] as const) {
      expect(await patch(body)).toMatchObject({ status, body: { error } })
    }
    expect((await patch({ sourceId: mcp.id, remove: true })).body).toMatchObject({ ok: true, hasCredential: false })
  })

  test('keeps the server private while any is left, whatever their order of removal', async () => {
    const { add, remove, patch, link, setVisibility } = await account(at)
    await link()
    const { body: repo } = await add({ url: 'https://github.com/acme/secret' })
    const { body: mcp } = await add({ url: at.remote.url, auth: { secret: SECRET } })
    expect([repo.issuedToken === null, mcp.issuedToken]).toEqual([false, null])
    expect((await remove({ sourceId: repo.id })).body).toMatchObject({ removed: 1, remainingPrivateSources: 1 })
    expect((await setVisibility('public')).status).toBe(409)
    const { body: again } = await add({ url: 'https://github.com/acme/secret' })
    expect(again.issuedToken).toBeNull()
    await patch({ sourceId: mcp.id, remove: true })
    expect((await remove({ sourceId: mcp.id })).body).toMatchObject({ removed: 1, remainingPrivateSources: 1 })
    expect((await setVisibility('public')).status).toBe(409)
    expect((await remove({ url: 'https://github.com/acme/secret' })).body).toMatchObject({ remainingPrivateSources: 0 })
    expect((await setVisibility('public')).body.visibility).toBe('public')
  })
})
