import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertMember, updateMember } from '#store/accounts/people.ts'
import { makePlace, onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { CALLBACK, oauthWorld } from '../support/service/oauth-client.ts'

const ON = { DOCENT_RATE_LIMITS: 'off', DOCENT_OAUTH_ACCOUNT: 'on' }

onSqliteAtLeast('connections to the account', (engine) => {
  let docent: Docent
  const world = oauthWorld(() => docent)
  const { person, register, request, show, decide, returned, redeem, refresh, connect, call } = world
  beforeAll(async () => {
    docent = await startDocent({ engine, environment: ON })
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  const wholeAccount = async (name: string) => {
    const own = await person(name)
    return { ...own, account: { cookie: own.cookie, slug: null } }
  }
  const tools = async (token: string) =>
    (await call(null, 'tools/list', token)).body.result.tools.map(({ name }: { name: string }) => name) as string[]
  /** The body of the answer of a tool, or its refusal. */
  const use = async (token: string, name: string, args: object = {}) => {
    const { status, body } = await call(null, 'tools/call', token, { name, arguments: args })
    return status === 200 ? JSON.parse(body.result.content[0].text) : { status }
  }
  const asOwner = (cookie: string) => (method: string, path: string, body?: unknown) =>
    docent.request(method, path, body, { key: null, headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  const connectionOf = async (cookie: string) =>
    (await asOwner(cookie)('GET', '/api/connections')).body.connections.find(
      ({ serverId }: { serverId: string | null }) => serverId === null,
    )

  test('are found through the 401, whose body stays, and need a right resource', async () => {
    const refused = await call(null, 'ping', null)
    const where = `${docent.url}/.well-known/oauth-protected-resource/api/headless/mcp`
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer realm="Docent", resource_metadata="${where}", scope="read ask write publish"`,
    ])
    expect(refused.body.error).toMatchObject({ code: -32001, data: { reason: 'missing_key' } })
    expect(await (await fetch(where)).json()).toMatchObject({
      resource: `${docent.url}/api/headless/mcp`,
      scopes_supported: ['read', 'ask', 'write', 'publish', 'offline_access'],
    })
  })

  test('are asked for in words that name the whole account and the role', async () => {
    const { account, email } = await wholeAccount('words')
    const { client_id: id = '' } = await register()
    const text = await (await show(request(id, null), account.cookie)).text()
    for (const part of ['Your whole account', 'with your role: owner', 'visibility, deletion', 'asks in the dashboard'])
      expect(text).toContain(part)
    expect(text).toContain(email)
    const less = await (await show(request(id, null, { scope: 'read' }), account.cookie)).text()
    expect(less).not.toContain('asks in the dashboard')
  })

  test('use the endpoint of the account, and neither its servers, nor the API, nor another account', async () => {
    const { account, slug, serverId } = await wholeAccount('own')
    const other = await wholeAccount('other')
    const { access, body } = await connect(account)
    expect(body).toMatchObject({ scope: 'read ask write publish', resource: `${docent.url}/api/headless/mcp` })
    expect(await tools(access)).toHaveLength(21)
    expect((await use(access, 'list_servers')).map(({ id }: { id: string }) => id)).toEqual([serverId])
    expect(await use(access, 'get_server', { server: other.slug })).toMatchObject({ status: 404 })
    expect((await call(slug, 'ping', access)).status).toBe(401)
    expect((await docent.request('GET', '/api/mcp/list', undefined, { key: access })).status).toBe(401)
    const { access: ofServer } = await connect(other)
    expect((await call(null, 'ping', ofServer)).status).toBe(401)
  })

  test('are listed with null for a server, and end at once when they are revoked', async () => {
    const { account, cookie, slug } = await wholeAccount('lister')
    const { access, clientId, refreshToken } = await connect(account)
    expect((await refresh(clientId, refreshToken, { resource: world.resource(slug) })).body).toMatchObject({
      error: 'invalid_target',
    })
    const connection = await connectionOf(cookie)
    expect(connection).toMatchObject({
      name: 'Test client',
      serverName: null,
      scopes: ['read', 'ask', 'write', 'publish'],
    })
    expect((await asOwner(cookie)('DELETE', `/api/connections/${connection.id}`)).status).toBe(200)
    expect((await call(null, 'ping', access)).status).toBe(401)
    expect((await refresh(clientId, refreshToken)).status).toBe(400)
    const { entries } = (await asOwner(cookie)('GET', '/api/audit')).body
    expect(entries).toContainEqual(
      expect.objectContaining({ action: 'connections.create', thing: 'account', credentialId: connection.id }),
    )
  })

  test('do and list only what their scopes allow', async () => {
    const { account, slug } = await wholeAccount('scopes')
    const { access } = await connect(account, { scope: 'read ask' })
    const names = await tools(access)
    expect([names.includes('list_servers'), names.includes('add_source')]).toEqual([true, false])
    const refused = await use(access, 'reindex_server', { server: slug })
    expect(refused).toMatchObject({ status: 403, body: { error: 'not_permitted', requiredScope: 'write' } })
  })

  test('can do no more than their member, from the next request on', async () => {
    const { email, account, cookie, slug, serverId } = await wholeAccount('member')
    const { access } = await connect(account)
    const { personId, accountId } = await docent.inStore(async ({ read, write }) => {
      const who = await read
        .selectFrom('members')
        .innerJoin('people', 'people.id', 'personId')
        .select(['personId', 'accountId'])
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
      await updateMember(write, who.accountId, who.personId, { role: 'viewer' })
      return who
    })
    expect(await tools(access)).not.toContain('add_source')
    expect(await use(access, 'reindex_server', { server: slug })).toMatchObject({ body: { requiredRole: 'editor' } })
    const limit = (serverIds: string) =>
      docent.inStore(({ write }) => updateMember(write, accountId, personId, { role: 'editor', serverIds }))
    await limit('["srv_other"]')
    expect(await use(access, 'get_server', { server: slug })).toMatchObject({ status: 404 })
    await limit(JSON.stringify([serverId]))
    expect(await use(access, 'get_server', { server: slug })).toMatchObject({ id: serverId })
    const create = { name: 'New', sources: [{ url: 'http://127.0.0.1:19151/' }] }
    expect(await use(access, 'create_server', create)).toMatchObject({ status: 403, body: { error: 'not_permitted' } })
    await docent.inStore(async ({ write }) => {
      await write.deleteFrom('members').where('personId', '=', personId).execute()
    })
    expect((await call(null, 'ping', access)).status).toBe(401)
    await docent.inStore(({ write }) =>
      insertMember(write, { accountId, personId, role: 'owner', serverIds: null, createdAt: 1 }),
    )
    expect([(await call(null, 'ping', access)).status, cookie === '']).toEqual([200, false])
  })

  test('ask for approvals as keys of assistants do', async () => {
    const { account, cookie, slug } = await wholeAccount('asks')
    const { access } = await connect(account)
    const remove = () => use(access, 'delete_server', { server: slug, confirm: true })
    const refused = await remove()
    expect(refused).toMatchObject({ status: 403, body: { error: 'approval_required' } })
    const { approvals } = (await asOwner(cookie)('GET', '/api/approvals')).body
    expect(approvals).toMatchObject([{ key: { name: 'Test client' }, operation: 'servers.delete' }])
    expect((await asOwner(cookie)('POST', `/api/approvals/${approvals[0].id}`)).status).toBe(200)
    expect(await remove()).toMatchObject({ ok: true })
    const { entries } = (await asOwner(cookie)('GET', '/api/audit')).body
    const { id } = await connectionOf(cookie)
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: 'servers.delete',
        credential: 'connection',
        credentialId: id,
        address: '127.0.0.1',
      }),
    )
    await use(access, 'delete_server', { server: slug, confirm: true })
    await asOwner(cookie)('DELETE', `/api/connections/${id}`)
    expect((await asOwner(cookie)('GET', '/api/approvals')).body.approvals).toEqual([])
  })

  test('are refused with an answer for the client where the operator has not allowed them', async () => {
    await using off = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
    const elsewhere = oauthWorld(() => off)
    const own = await elsewhere.person('off')
    const { client_id: id = '' } = await elsewhere.register()
    expect(returned(await elsewhere.decide(elsewhere.request(id, null), own.cookie))).toMatchObject({
      error: 'invalid_target',
      iss: off.url,
    })
    const refused = await elsewhere.call(null, 'ping', null)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="Docent"')
    expect((await fetch(`${off.url}/.well-known/oauth-protected-resource/api/headless/mcp`)).status).toBe(404)
    const { client_id: here = '' } = await register()
    const { account } = await wholeAccount('denies')
    expect(returned(await decide(request(here, null), account.cookie, 'deny'))).toMatchObject({
      error: 'access_denied',
    })
    expect((await redeem(here, 'doc_none', { redirect_uri: CALLBACK })).status).toBe(400)
  })

  test('open nothing while the operator has turned them off, and their keys stay', async () => {
    await using place = await makePlace(engine)
    let [access, key] = ['', '']
    for (const [on, status] of [
      ['on', 200],
      ['off', 401],
      ['on', 200],
    ] as const) {
      await using node = await startDocent({
        engine,
        place,
        environment: { ...ON, DOCENT_OAUTH_ACCOUNT: on },
        ...(key ? { key } : {}),
      })
      const there = oauthWorld(() => node)
      if (access === '') {
        const own = await there.person('switched')
        key = own.key
        ;({ access } = await there.connect({ cookie: own.cookie, slug: null }))
      }
      expect((await there.call(null, 'ping', access)).status).toBe(status)
      expect((await there.call(null, 'ping', key)).status).toBe(200)
    }
  })
})
