import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteExpiredGrants } from '#store/accounts/grants.ts'
import { makePlace, onBothEngines, repeatsOn } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { CALLBACK, oauthWorld } from '../support/service/oauth-client.ts'

const DAY_MS = 24 * 60 * 60 * 1000

onBothEngines('the authorization server', (engine) => {
  let docent: Docent
  /** Another node of the same service, where the engine allows one. */
  let second: Docent
  let asked: Docent
  const world = oauthWorld(() => asked)
  const { person, register, request, show, decide, returned, allow, redeem, refresh, connect, call } = world
  beforeAll(async () => {
    const environment = { DOCENT_RATE_LIMITS: 'off' }
    docent = await startDocent({ engine, environment })
    const { place, key } = docent
    second = engine === 'postgres' ? await startDocent({ engine, environment, place, key }) : docent
    asked = docent
  })
  afterAll(async () => {
    if (second !== docent) await second[Symbol.asyncDispose]()
    await docent[Symbol.asyncDispose]()
  })

  /** Asks a node. */
  const at = <T>(node: Docent, ask: () => Promise<T>): Promise<T> => {
    asked = node
    const answer = ask()
    asked = docent
    return answer
  }
  /** Asks 50 times at once, the nodes in turn. */
  const crowd = <T>(ask: () => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: 50 }, (_, i) => at(i % 2 === 0 ? docent : second, ask)))

  /** Joins the account of a key as an editor, in a new browser. */
  async function joinAs(key: string, email: string) {
    const { body } = await docent.request('POST', '/api/members/invitations', { email, role: 'editor' }, { key })
    const token = String(body.link).split('#')[1]
    const accepted = { token, password: 'correct horse battery' }
    const headers = { 'sec-fetch-site': 'same-origin' }
    const joined = await docent.request('POST', '/api/invitations/accept', accepted, { key: null, headers })
    const { members } = (await docent.request('GET', '/api/members', undefined, { key })).body
    const { id } = members.find((member: { email: string }) => member.email === email)
    return { cookie: joined.headers.get('set-cookie')?.split(';')[0] ?? '', memberId: String(id), email }
  }

  const moveBack = (ms: number) =>
    docent.inStore(async ({ write }) => {
      const tokens = await write.selectFrom('oauthTokens').selectAll().execute()
      for (const { hash, usedAt, expiresAt } of tokens) {
        const times = { usedAt: usedAt === null ? null : usedAt - ms, expiresAt: expiresAt - ms }
        await write.updateTable('oauthTokens').set(times).where('hash', '=', hash).execute()
      }
    })

  if (repeatsOn(engine))
    describe('its metadata', () => {
      test('names itself, its addresses and what it can do', async () => {
        const { body } = await docent.request('GET', '/.well-known/oauth-authorization-server', undefined, {
          key: null,
        })
        expect(body).toMatchObject({
          issuer: docent.url,
          authorization_endpoint: `${docent.url}/oauth/authorize`,
          token_endpoint: `${docent.url}/oauth/token`,
          registration_endpoint: `${docent.url}/oauth/register`,
          code_challenge_methods_supported: ['S256'],
          client_id_metadata_document_supported: true,
          authorization_response_iss_parameter_supported: true,
          scopes_supported: ['read', 'ask', 'offline_access'],
          token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
        })
        const openId = await docent.request('GET', '/.well-known/openid-configuration', undefined, { key: null })
        expect(openId.body).toEqual(body)
      })

      test('is found through the 401 of a private server, under the name that was called', async () => {
        const { slug, serverId } = await person('found')
        for (const name of [slug, serverId]) {
          const refused = await call(name, 'ping', null)
          const where = `${docent.url}/.well-known/oauth-protected-resource/api/mcp/${name}`
          expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
            401,
            `Bearer realm="Docent", error="invalid_token", resource_metadata="${where}", scope="read ask"`,
          ])
          expect(await (await fetch(where, { headers: { origin: 'https://app.example' } })).json()).toMatchObject({
            resource: `${docent.url}/api/mcp/${name}`,
            authorization_servers: [docent.url],
          })
        }
      })

      test('is absent for public and unknown servers, which need no sign-in', async () => {
        const { slug, key } = await person('public')
        await docent.request('PATCH', `/api/mcp/${slug}/visibility`, { visibility: 'public' }, { key })
        for (const name of [slug, 'unknown', ''])
          expect((await fetch(`${docent.url}/.well-known/oauth-protected-resource/api/mcp/${name}`)).status).toBe(404)
      })
    })

  describe('a connection', () => {
    test('lets the client use the server, and no other', async () => {
      const [own, other] = [await person('own'), await person('other')]
      const { access, body } = await connect(own)
      expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read ask' })
      expect((await call(own.slug, 'tools/list', access)).body.result.tools.length).toBeGreaterThan(2)
      expect(
        (await call(own.slug, 'tools/call', access, { name: 'search_docs', arguments: { query: 'x' } })).status,
      ).toBe(200)
      expect((await call(other.slug, 'ping', access)).status).toBe(401)
      expect((await docent.request('GET', '/api/keys', undefined, { key: access })).status).toBe(401)
    })

    test('with the scope read alone calls no tool, and says which scope is missing', async () => {
      const own = await person('reader')
      const { access } = await connect(own, { scope: 'read offline_access' })
      expect((await call(own.slug, 'tools/list', access)).status).toBe(200)
      const refused = await call(own.slug, 'tools/call', access, { name: 'search_docs', arguments: { query: 'x' } })
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        403,
        expect.stringContaining('error="insufficient_scope", resource_metadata='),
      ])
      expect(refused.headers.get('www-authenticate')).toContain('scope="read ask"')
    })

    test('is listed for its account alone, and ends at once when it is revoked', async () => {
      const [own, other] = [await person('lister'), await person('stranger')]
      const { access } = await connect(own)
      const as = (key: string, method: string, path: string) => docent.request(method, path, undefined, { key })
      const { connections } = (await as(own.key, 'GET', '/api/connections')).body
      expect(connections).toMatchObject([
        {
          name: 'Test client',
          host: null,
          returnsTo: '127.0.0.1:39117',
          serverId: own.serverId,
          scopes: ['read', 'ask'],
        },
      ])
      expect((await as(other.key, 'GET', '/api/connections')).body.connections).toEqual([])
      expect((await as(other.key, 'DELETE', `/api/connections/${connections[0].id}`)).status).toBe(404)
      const onSecond = async () => (await at(second, () => call(own.slug, 'ping', access))).status
      expect(await onSecond()).toBe(200)
      expect((await as(own.key, 'DELETE', `/api/connections/${connections[0].id}`)).body).toEqual({ ok: true })
      expect([(await call(own.slug, 'ping', access)).status, await onSecond()]).toEqual([401, 401])
      expect((await as(own.key, 'DELETE', `/api/connections/${connections[0].id}`)).status).toBe(404)
    })

    test('ends when its member no longer sees the server, and one to another server stays', async () => {
      const own = await person('limiter')
      const as = (method: string, path: string, body?: unknown) => docent.request(method, path, body, { key: own.key })
      const { cookie, memberId, email } = await joinAs(own.key, 'limited@member.test')
      const kept = await as('POST', '/api/mcp/create', {
        name: 'Kept',
        sources: [{ url: 'http://127.0.0.1:19151/' }],
        visibility: 'private',
      })
      const accessTo = async (slug: string) => (await connect({ cookie, slug })).access
      const [lost, stays] = [await accessTo(own.slug), await accessTo(kept.body.slug)]
      expect((await call(own.slug, 'ping', lost)).status).toBe(200)
      const limited = { role: 'editor', serverIds: [kept.body.serverId] }
      expect(await as('PATCH', `/api/members/${memberId}`, limited)).toMatchObject({ status: 200, body: { email } })
      expect((await call(own.slug, 'ping', lost)).status).toBe(401)
      expect((await call(kept.body.slug, 'ping', stays)).status).toBe(200)
    })

    test('ends when its client revokes a token, and not when another does', async () => {
      const own = await person('leaver')
      const { access, refreshToken, clientId } = await connect(own)
      const { client_id: stranger = '' } = await register()
      const revoke = (id: string, token: string) => world.post('/oauth/revoke', { client_id: id, token })
      expect((await revoke(stranger, refreshToken)).status).toBe(200)
      expect((await call(own.slug, 'ping', access)).status).toBe(200)
      expect((await revoke(clientId, 'unknown')).status).toBe(200)
      expect((await revoke(clientId, refreshToken)).status).toBe(200)
      expect((await call(own.slug, 'ping', access)).status).toBe(401)
    })
  })

  describe('a code', () => {
    test('is for one client, redirect address, verifier and server', async () => {
      const own = await person('codes')
      const [{ client_id: id = '' }, { client_id: thief = '' }] = [await register(), await register()]
      const code = await allow(own, id)
      for (const [clientId, more, error] of [
        [thief, {}, 'invalid_grant'],
        [id, { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
        [id, { redirect_uri: `${CALLBACK}/x` }, 'invalid_grant'],
        [id, { resource: `${docent.url}/api/mcp/other` }, 'invalid_target'],
        [id, { grant_type: 'password' }, 'unsupported_grant_type'],
        ['unknown', {}, 'invalid_client'],
      ] as const)
        expect((await redeem(clientId, code, more)).body).toMatchObject({ error })
      expect((await redeem(id, code, { resource: world.resource(own.slug) })).status).toBe(200)
    })

    test('is good once, for a minute; a second use revokes the connection', async () => {
      const own = await person('replay')
      const { client_id: id = '' } = await register()
      const code = await allow(own, id)
      const { body } = await redeem(id, code)
      expect((await call(own.slug, 'ping', body['access_token'])).status).toBe(200)
      expect(await redeem(id, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
      expect((await call(own.slug, 'ping', body['access_token'])).status).toBe(401)

      const late = await allow(own, id)
      await moveBack(60_000)
      expect((await redeem(id, late)).body).toMatchObject({ error: 'invalid_grant' })
    })

    test('of 50 exchanges at the same time is good for exactly one', async () => {
      const own = await person('crowd')
      const { client_id: id = '' } = await register()
      const code = await allow(own, id)
      const answers = await crowd(() => redeem(id, code))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    })
  })

  describe('a refresh token', () => {
    test('has one successor for all who ask within a minute, and the same access token', async () => {
      const own = await person('windows')
      const { clientId, refreshToken } = await connect(own)
      const answers = await crowd(() => refresh(clientId, refreshToken))
      expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
      expect(new Set(answers.map(({ body }) => body['refresh_token'])).size).toBe(1)
      expect(new Set(answers.map(({ body }) => body['access_token'])).size).toBe(1)
      expect((await call(own.slug, 'ping', answers[0]?.body['access_token'])).status).toBe(200)
      expect((await refresh(clientId, answers[0]?.body['refresh_token'])).status).toBe(200)
    })

    test('revokes the connection when it comes again after that minute', async () => {
      const own = await person('thief')
      const { clientId, refreshToken } = await connect(own)
      const { body } = await refresh(clientId, refreshToken)
      await moveBack(59_000)
      expect((await refresh(clientId, refreshToken)).status).toBe(200)
      await moveBack(2_000)
      expect(await at(second, () => refresh(clientId, refreshToken))).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      })
      expect((await call(own.slug, 'ping', body['access_token'])).status).toBe(401)
      expect((await refresh(clientId, body['refresh_token'])).status).toBe(400)
      const acts = await docent.inStore(({ read }) =>
        read.selectFrom('auditEntries').select(['action', 'details']).where('thingId', '=', own.serverId).execute(),
      )
      expect(acts.filter(({ action }) => action === 'connections.replay')).toEqual([
        { action: 'connections.replay', details: '{"kind":"refresh"}' },
      ])
    })

    test('is for its client and server alone, and lives 90 days', async () => {
      const own = await person('lasting')
      const { clientId, refreshToken } = await connect(own)
      const { client_id: stranger = '' } = await register()
      expect((await refresh(stranger, refreshToken)).body).toMatchObject({ error: 'invalid_grant' })
      expect((await refresh(clientId, refreshToken, { resource: world.resource('else') })).body).toMatchObject({
        error: 'invalid_target',
      })
      await moveBack(90 * DAY_MS)
      expect((await refresh(clientId, refreshToken)).body).toMatchObject({ error: 'invalid_grant' })
    })
  })

  test('deletes what has expired, and clients that nobody uses', async () => {
    const own = await person('sweeper')
    const kept = await connect(own)
    const { client_id: unused = '' } = await register()
    const ids = () => docent.inStore(({ read }) => read.selectFrom('oauthClients').select('id').execute())
    const sweep = (unusedBefore: number) =>
      docent.inStore(({ write }) => deleteExpiredGrants(write, Date.now(), { never: unusedBefore, since: 0 }))
    await sweep(0)
    expect((await ids()).map(({ id }) => id)).toContain(unused)
    await sweep(Date.now() + 1_000)
    const left = (await ids()).map(({ id }) => id)
    expect([left.includes(unused), left.includes(kept.clientId)]).toEqual([false, true])
    expect((await call(own.slug, 'ping', kept.access)).status).toBe(200)
    await moveBack(60 * 60_000)
    await sweep(0)
    expect((await call(own.slug, 'ping', kept.access)).status).toBe(401)
    expect((await refresh(kept.clientId, kept.refreshToken)).status).toBe(200)
  })

  if (repeatsOn(engine))
    describe('its pages', () => {
      test('ask an anonymous person to sign in, then show the request', async () => {
        const own = await person('visitor')
        const { client_id: id = '' } = await register()
        const asked = request(id, own.slug)
        const anonymous = await show(asked)
        expect(await anonymous.text()).toContain('Sign in to Docent')
        const form = { ...asked, decision: 'sign in', email: own.email }
        const from = { 'sec-fetch-site': 'same-origin' }
        const wrong = await world.post('/oauth/authorize', { ...form, password: 'wrong' }, from)
        expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining('role="alert"')])
        const right = await world.post('/oauth/authorize', { ...form, password: 'correct horse battery' }, from)
        const cookie = (right.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
        expect([right.status, cookie]).toEqual([303, expect.stringMatching(/^docent_session=dss_/)])
        const shown = await world.send(right.headers.get('location') ?? '', { headers: { cookie } })
        const text = await shown.text()
        for (const part of [
          'Test client',
          'nobody has checked',
          'a program on this computer',
          'Docs of visitor',
          own.email,
        ])
          expect(text).toContain(part)
      })

      test('grant nothing by an address alone, nor for a page of another site', async () => {
        const own = await person('careful')
        const { client_id: id = '' } = await register()
        const asked = request(id, own.slug)
        const shown = await show({ ...asked, decision: 'allow' }, own.cookie)
        expect([shown.status, shown.headers.get('location')]).toEqual([200, null])
        for (const site of ['cross-site', 'same-site'])
          expect((await decide(asked, own.cookie, 'allow', site)).status).toBe(403)
        const bare = await world.post('/oauth/authorize', { ...asked, decision: 'allow' }, { cookie: own.cookie })
        expect(bare.status).toBe(403)
      })

      test('cannot be framed or kept', async () => {
        const { headers } = await show({})
        expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
        expect([headers.get('x-frame-options'), headers.get('cache-control')]).toEqual(['DENY', 'no-store'])
      })

      test('return with the state and the issuer, also after a refusal', async () => {
        const own = await person('answers')
        const { client_id: id = '' } = await register()
        const asked = request(id, own.slug)
        expect(returned(await decide(asked, own.cookie))).toEqual({
          code: expect.stringMatching(/^doc_/),
          state: 'st',
          iss: docent.url,
        })
        expect(returned(await decide(asked, own.cookie, 'deny'))).toEqual({
          error: 'access_denied',
          state: 'st',
          iss: docent.url,
        })
      })

      test.each([
        ['without PKCE', { code_challenge: '' }, 'invalid_request'],
        ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
        ['for tokens in the address', { response_type: 'token' }, 'unsupported_response_type'],
        ['without a resource', { resource: '' }, 'invalid_target'],
        ['for a server elsewhere', { resource: 'https://else.example/api/mcp/docs' }, 'invalid_target'],
        ['for unknown scopes', { scope: 'admin' }, 'invalid_scope'],
      ])('tell the client of a request %s', async (name, more, error) => {
        const own = await person(`e${name.replaceAll(/\W/g, '')}`)
        const { client_id: id = '' } = await register()
        expect(returned(await show(request(id, own.slug, more), own.cookie))).toMatchObject({ error, state: 'st' })
      })

      test('send nobody to an address that is not the client’s, and show no server of others', async () => {
        const [own, other] = [await person('victim'), await person('attacker')]
        const { client_id: id = '' } = await register()
        for (const [asked, said] of [
          [request('unknown', own.slug), 'not known here'],
          [request(id, own.slug, { redirect_uri: 'https://evil.example/' }), 'not its own'],
          [request(id, own.slug, { redirect_uri: `${CALLBACK}?x=1` }), 'not its own'],
          [request(id, other.slug), 'has no private server'],
          [request(id, 'no-such-server'), 'has no private server'],
        ] as const) {
          const shown = await show(asked, own.cookie)
          expect([shown.headers.get('location'), await shown.text()]).toEqual([null, expect.stringContaining(said)])
          const pressed = await decide(asked, own.cookie)
          expect([pressed.headers.get('location'), pressed.status >= 400]).toEqual([null, true])
        }
      })

      test('allow another port of a client on this computer', async () => {
        const own = await person('port')
        const { client_id: id = '' } = await register()
        const redirect = CALLBACK.replace('39117', '40001')
        const answer = await decide(request(id, own.slug, { redirect_uri: redirect }), own.cookie)
        expect(answer.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:40001\/callback\?code=/)
      })

      test('sign out to use another account', async () => {
        const own = await person('switcher')
        const { client_id: id = '' } = await register()
        const asked = request(id, own.slug)
        expect((await decide(asked, own.cookie, 'switch')).status).toBe(303)
        expect(await (await show(asked, own.cookie)).text()).toContain('Sign in to Docent')
      })
    })

  describe('clients', () => {
    test.each([
      ['no redirect address', { redirect_uris: [] }, 'invalid_client_metadata'],
      ['plain HTTP elsewhere', { redirect_uris: ['http://app.example/'] }, 'invalid_redirect_uri'],
      ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
      ['an unknown application', { redirect_uris: ['evil://callback'] }, 'invalid_redirect_uri'],
      ['21 addresses', { redirect_uris: Array(21).fill(CALLBACK) }, 'invalid_client_metadata'],
      ['a key for tokens', { token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    ])('cannot register with %s', async (_, more, error) => {
      expect(await register(more)).toMatchObject({ error, error_description: expect.any(String) })
    })

    test('can register with addresses of applications, and with a secret', async () => {
      const uris = ['cursor://anysphere.cursor-mcp/oauth/callback', 'https://claude.ai/api/mcp/auth_callback']
      const made = await register({ redirect_uris: uris, token_endpoint_auth_method: 'client_secret_post' })
      expect(made).toMatchObject({ client_secret: expect.stringMatching(/^dos_/), redirect_uris: uris })
      const own = await person('secret')
      const code = await allow(own, made['client_id'] ?? '', { redirect_uri: uris[1] ?? '' })
      const redirect = { redirect_uri: uris[1] ?? '' }
      expect((await redeem(made['client_id'] ?? '', code, redirect)).body).toMatchObject({ error: 'invalid_client' })
      const right = await redeem(made['client_id'] ?? '', code, {
        ...redirect,
        client_secret: made['client_secret'] ?? '',
      })
      expect(right.status).toBe(200)
    })

    test('are made by hand, listed and deleted with their connections', async () => {
      const own = await person('maker')
      const as = (method: string, path: string, body?: object) => docent.request(method, path, body, { key: own.key })
      const made = await as('POST', '/api/oauth-clients', { name: 'Chat', redirectUris: [CALLBACK], secret: true })
      const { clientSecret, ...shown } = made.body
      expect((await as('GET', '/api/oauth-clients')).body).toEqual({ clients: [shown], maxClients: 20 })
      const { body } = await redeem(shown.id, await allow(own, shown.id), { client_secret: clientSecret })
      expect((await call(own.slug, 'ping', body['access_token'])).status).toBe(200)
      expect((await as('DELETE', `/api/oauth-clients/${shown.id}`)).body).toEqual({ ok: true })
      expect((await call(own.slug, 'ping', body['access_token'])).status).toBe(401)
      expect((await as('DELETE', `/api/oauth-clients/${shown.id}`)).status).toBe(404)
      expect(await as('POST', '/api/oauth-clients', { name: 'x', redirectUris: ['ftp://x'] })).toMatchObject({
        status: 400,
        body: { error: 'invalid_input' },
      })
    })

    test('are limited to 20 by hand', async () => {
      const own = await person('many')
      const make = () =>
        docent.request('POST', '/api/oauth-clients', { name: 'x', redirectUris: [CALLBACK] }, { key: own.key })
      for (let count = 0; count < 20; count++) expect((await make()).status).toBe(200)
      expect(await make()).toMatchObject({ status: 409, body: { error: 'oauth_client_limit', limit: 20 } })
    })
  })
})

test('with DOCENT_OAUTH off, a private server asks for an access token alone', async () => {
  await using docent = await startDocent({ environment: { DOCENT_OAUTH: 'off' } })
  const { person, call } = oauthWorld(() => docent)
  const { slug } = await person('off')
  const refused = await call(slug, 'ping', null)
  expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="Docent", error="invalid_token"')
  for (const path of ['/.well-known/oauth-authorization-server', '/oauth/authorize'])
    expect((await fetch(docent.url + path)).status).toBe(404)
})

test('asks clients to register where DOCENT_OAUTH_DOCUMENTS is off', async () => {
  for (const [value, supported] of [
    ['on', true],
    ['off', false],
  ] as const) {
    await using docent = await startDocent({ environment: { DOCENT_OAUTH_DOCUMENTS: value } })
    const { body } = await docent.request('GET', '/.well-known/oauth-authorization-server')
    expect([body.client_id_metadata_document_supported, typeof body.registration_endpoint]).toEqual([
      supported,
      'string',
    ])
  }
})

test('lets 30 clients of one network register in an hour', async () => {
  await using docent = await startDocent()
  const body = JSON.stringify({ client_name: 'Many', redirect_uris: [CALLBACK] })
  const statuses = []
  for (let i = 0; i < 31; i++)
    statuses.push((await fetch(`${docent.url}/oauth/register`, { method: 'POST', body })).status)
  expect(statuses).toEqual([...Array<number>(30).fill(201), 429])
})

test('a connection from before DOCENT_OAUTH was off opens no server until it is on again', async () => {
  await using place = await makePlace('sqlite')
  let [slug, access, key] = ['', '', '']
  for (const [oauth, status] of [
    ['on', 200],
    ['off', 401],
    ['on', 200],
  ] as const) {
    await using docent = await startDocent({ place, environment: { DOCENT_OAUTH: oauth }, ...(key ? { key } : {}) })
    const { person, connect, call } = oauthWorld(() => docent)
    if (slug === '') {
      const own = await person('switched')
      ;({ slug, key } = own)
      ;({ access } = await connect(own))
    }
    expect((await call(slug, 'ping', access)).status).toBe(status)
  }
})

test('reads no client description at an address that may not be fetched, and few in a minute', async () => {
  await using docent = await startDocent({ environment: { DOCENT_ALLOW_NETWORKS: '' } })
  const { person, request, show } = oauthWorld(() => docent)
  const own = await person('guarded')
  const shown = await show(request('https://127.0.0.1:9443/client.json', own.slug), own.cookie)
  expect([shown.status, await shown.text()]).toEqual([401, expect.stringContaining('could not be read')])
  const statuses = []
  for (let i = 1; i <= 20; i++)
    statuses.push((await show(request(`https://127.0.0.1:9443/${i}.json`, own.slug), own.cookie)).status)
  expect(statuses).toEqual([...Array(19).fill(401), 429])
})
