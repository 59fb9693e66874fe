import { afterAll, beforeAll, expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'

const NOWHERE = 'http://127.0.0.1:19151/'
const PASSWORD = 'correct horse battery'

type Person = Awaited<ReturnType<typeof makeAccess>>

/** The requests of a browser that keeps its cookie. */
function makeAccess(docent: Docent) {
  let cookie = ''
  const as = async (method: string, path: string, body?: unknown) => {
    const headers = { 'sec-fetch-site': 'same-origin', ...(cookie === '' ? {} : { cookie }) }
    const answer = await docent.request(method, path, body, { key: null, headers })
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return answer
  }
  return as
}

onSqliteAtLeast('members', (engine) => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  /** An account with two servers, whose key invites. */
  async function account(name: string) {
    const key = await docent.makeKey(`${name}@example.test`)
    const as = (method: string, path: string, body?: unknown) => docent.request(method, path, body, { key })
    const make = async () => (await as('POST', '/api/mcp/create', { name, sources: [{ url: NOWHERE }] })).body
    return { name, key, as, first: await make(), second: await make() }
  }
  type Account = Awaited<ReturnType<typeof account>>

  async function invite({ as }: Pick<Account, 'as'>, email: string, role: string, serverIds?: string[]) {
    const { body } = await as('POST', '/api/members/invitations', { email, role, ...(serverIds ? { serverIds } : {}) })
    return String(body.link).split('#')[1] ?? ''
  }

  async function join(owner: Pick<Account, 'as'>, email: string, role: string, serverIds?: string[]): Promise<Person> {
    const token = await invite(owner, email, role, serverIds)
    const access = makeAccess(docent)
    expect(await access('POST', '/api/invitations/accept', { token, password: PASSWORD })).toMatchObject({
      status: 200,
      body: { account: { role, email } },
    })
    return access
  }

  test('lets a person join by a link, once, with the role and the servers of the invitation', async () => {
    const one = await account('one')
    const token = await invite(one, 'Ann@One.test', 'viewer', [one.first.serverId])
    const ann = makeAccess(docent)
    const read = await ann('POST', '/api/invitations/read', { token })
    expect(read.body).toMatchObject({ email: 'ann@one.test', account: 'one', role: 'viewer', isKnown: false })
    const weak = await ann('POST', '/api/invitations/accept', { token, password: 'short' })
    expect(weak).toMatchObject({ status: 400, body: { error: 'password_too_short' } })
    const both = await Promise.all([
      ann('POST', '/api/invitations/accept', { token, password: PASSWORD }),
      makeAccess(docent)('POST', '/api/invitations/accept', { token, password: PASSWORD }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, expect.toSatisfy((status) => status !== 200)])
    const signedIn = makeAccess(docent)
    await signedIn('POST', '/api/sessions', { email: 'ann@one.test', password: PASSWORD })
    const { body: list } = await signedIn('GET', '/api/mcp/list')
    expect(list.map(({ id }: { id: string }) => id)).toEqual([one.first.serverId])
    expect((await signedIn('GET', `/api/mcp/${one.second.slug}`)).status).toBe(404)
    expect(await signedIn('POST', '/api/mcp/create', {})).toMatchObject({
      status: 403,
      body: { error: 'not_permitted' },
    })
    const change = await signedIn('PATCH', `/api/mcp/${one.first.slug}`, { name: 'Other' })
    expect(change).toMatchObject({ status: 403, body: { error: 'not_permitted', requiredRole: 'editor' } })
    expect((await ann('POST', '/api/invitations/read', { token })).status).toBe(404)
  })

  test('applies a changed role with the next request and ends the sessions of a removed member', async () => {
    const two = await account('two')
    const bob = await join(two, 'bob@two.test', 'viewer')
    const members = async () => (await two.as('GET', '/api/members')).body.members
    const { id } = (await members()).find(({ email }: { email: string }) => email === 'bob@two.test')
    expect((await bob('PATCH', `/api/mcp/${two.first.slug}`, { name: 'Bob' })).status).toBe(403)
    await two.as('PATCH', `/api/members/${id}`, { role: 'editor' })
    expect((await bob('PATCH', `/api/mcp/${two.first.slug}`, { name: 'Bob' })).status).toBe(200)
    expect((await bob('DELETE', `/api/mcp/${two.first.slug}`)).body).toMatchObject({ requiredRole: 'owner' })
    await two.as('PATCH', `/api/members/${id}`, { role: 'owner' })
    const made = await bob('POST', '/api/keys', { name: 'Bob’s' })
    expect((await two.as('DELETE', `/api/members/${id}`)).body).toEqual({ ok: true, revokedKeys: 1 })
    expect((await bob('GET', '/api/mcp/list')).status).toBe(401)
    expect((await docent.request('GET', '/api/mcp/list', undefined, { key: made.body.plaintext })).status).toBe(401)
    const again = makeAccess(docent)
    const refused = await again('POST', '/api/sessions', { email: 'bob@two.test', password: PASSWORD })
    expect(refused).toMatchObject({ status: 403, body: { error: 'not_permitted' } })
    expect(await members()).toHaveLength(1)
  })

  test('switches a session between the accounts of a person, and leaves one', async () => {
    const [three, four] = [await account('three'), await account('four')]
    const cleo = await join(three, 'cleo@example.test', 'editor')
    const token = await invite(four, 'cleo@example.test', 'viewer')
    expect((await cleo('POST', '/api/invitations/accept', { token })).status).toBe(200)
    const current = async () => (await cleo('GET', '/api/sessions')).body.account
    const { accounts } = await current()
    expect(accounts).toMatchObject([
      { name: 'three', role: 'editor' },
      { name: 'four', role: 'viewer' },
    ])
    expect((await current()).role).toBe('viewer')
    expect((await cleo('PUT', '/api/sessions/account', { accountId: accounts[0].id })).status).toBe(200)
    expect(await current()).toMatchObject({ name: 'three', role: 'editor' })
    expect((await cleo('GET', '/api/mcp/list')).body).toHaveLength(2)
    expect((await cleo('PUT', '/api/sessions/account', { accountId: 'acc_other' })).status).toBe(404)
    expect((await cleo('POST', '/api/members/leave', {})).status).toBe(200)
    await cleo('POST', '/api/sessions', { email: 'cleo@example.test', password: PASSWORD })
    expect(await current()).toMatchObject({ name: 'four', accounts: [{ name: 'four' }] })
  })

  test('keeps an owner in each account, and transfers ownership', async () => {
    const five = await account('five')
    const dan = await join(five, 'dan@five.test', 'owner')
    const { members } = (await dan('GET', '/api/members')).body
    const [first, second] = members
    expect(second).toMatchObject({ email: 'dan@five.test', isYou: true })
    expect((await dan('POST', `/api/members/${first.id}/transfer`, {})).status).toBe(200)
    expect((await dan('GET', '/api/sessions')).body.account.role).toBe('editor')
    const emailOf = () =>
      docent.inStore(({ read }) =>
        read.selectFrom('accounts').select('email').where('name', '=', 'five').executeTakeFirstOrThrow(),
      )
    expect(await emailOf()).toEqual({ email: 'five@example.test' })
    expect((await five.as('POST', `/api/members/${second.id}/transfer`, {})).body.error).toBe('not_permitted')
    const byEditor = await five.as('POST', `/api/members/${first.id}/transfer`, { from: second.id })
    expect(byEditor).toMatchObject({ status: 404, body: { error: 'member_not_found' } })
    expect((await five.as('POST', `/api/members/${second.id}/transfer`, { from: first.id })).status).toBe(200)
    expect(await emailOf()).toEqual({ email: 'dan@five.test' })
    const { body: audit } = await five.as('GET', '/api/audit')
    const done = audit.entries.map(({ action, by }: { action: string; by: string }) => `${action} ${by}`)
    expect(done).toEqual(expect.arrayContaining(['invitations.accept dan@five.test', 'members.transfer dan@five.test']))
    await five.as('POST', `/api/members/${first.id}/transfer`, { from: second.id })
    expect(await five.as('DELETE', `/api/members/${first.id}`)).toMatchObject({
      status: 409,
      body: { error: 'last_owner' },
    })
    expect((await five.as('PATCH', `/api/members/${first.id}`, { role: 'viewer' })).status).toBe(409)
    expect((await five.as('GET', '/api/members')).body.members).toHaveLength(2)
  })

  test('does not let an invitation replace the password of a known person', async () => {
    const [six, seven] = [await account('six'), await account('seven')]
    await join(six, 'eve@example.test', 'editor')
    const token = await invite(seven, 'eve@example.test', 'owner')
    const stranger = makeAccess(docent)
    for (const password of ['another password', undefined]) {
      const tried = await stranger('POST', '/api/invitations/accept', { token, ...(password ? { password } : {}) })
      expect(tried).toMatchObject({ status: 401, body: { error: 'sign_in_failed' } })
    }
    const eve = makeAccess(docent)
    expect((await eve('POST', '/api/invitations/accept', { token, password: PASSWORD })).status).toBe(200)
    expect((await eve('GET', '/api/sessions')).body.account).toMatchObject({ name: 'seven', role: 'owner' })
  })

  test('withdraws an invitation, and replaces an earlier one of the same address', async () => {
    const eight = await account('eight')
    const [earlier, token] = [await invite(eight, 'f@e.test', 'viewer'), await invite(eight, 'f@e.test', 'editor')]
    const anybody = makeAccess(docent)
    expect((await anybody('POST', '/api/invitations/read', { token: earlier })).status).toBe(404)
    expect((await anybody('POST', '/api/invitations/read', { token })).body.role).toBe('editor')
    const { invitations } = (await eight.as('GET', '/api/members')).body
    expect(invitations).toHaveLength(1)
    expect((await eight.as('DELETE', `/api/members/invitations/${invitations[0].id}`)).status).toBe(200)
    expect((await anybody('POST', '/api/invitations/read', { token })).status).toBe(404)
  })

  test('records changes, sign-ins and failed sign-ins in the audit log, which only owners read', async () => {
    const ten = await account('ten')
    const eve = await join(ten, 'gil@ten.test', 'editor')
    await eve('PATCH', `/api/mcp/${ten.first.slug}`, { name: 'Renamed' })
    await makeAccess(docent)('POST', '/api/sessions', { email: 'gil@ten.test', password: 'a wrong password' })
    const log = await ten.as('GET', '/api/audit')
    const act = (action: string) => log.body.entries.find((entry: { action: string }) => entry.action === action)
    expect(act('servers.update')).toMatchObject({ by: 'gil@ten.test', credential: 'session', thing: 'server' })
    expect(act('servers.update').thingId).toBe(ten.first.serverId)
    expect(act('members.invite')).toMatchObject({ by: 'Test', credential: 'key', thing: 'invitation' })
    expect(act('servers.create')).toMatchObject({ thing: 'server', thingId: expect.stringMatching(/^srv_/) })
    expect(JSON.parse(act('members.invite').details)).toEqual({ role: 'editor', email: 'gil@ten.test' })
    expect(act('sessions.create')).toMatchObject({ by: 'gil@ten.test', address: '127.0.0.1' })
    expect(act('sessions.failed')).toMatchObject({ by: 'gil@ten.test', credential: 'password' })
    expect(act('servers.list')).toBeUndefined()
    const actions = async (filter: string) =>
      (await ten.as('GET', `/api/audit?${filter}`)).body.entries.map((entry: { action: string }) => entry.action)
    const { members } = (await ten.as('GET', '/api/members')).body
    const gil = members.find(({ email }: { email: string }) => email === 'gil@ten.test').id
    expect(await actions(`memberId=${gil}`)).toEqual([
      'sessions.failed',
      'servers.update',
      'sessions.create',
      'invitations.accept',
    ])
    expect(await actions('noun=members')).toEqual(['members.invite'])
    expect(await actions('noun=member')).toEqual([])
    expect(await actions('thing=invitation')).toEqual(['members.invite'])
    expect(await actions('search=GIL%40&noun=servers')).toEqual(['servers.update'])
    expect(await actions('search=nobody')).toEqual([])
    expect((await ten.as('GET', '/api/audit?noun=a%25')).status).toBe(400)
    expect((await ten.as('GET', '/api/audit?noun=members')).body.total).toBe(1)
    expect((await ten.as('GET', '/api/audit/export?noun=members&format=csv')).text.trim().split('\r\n')).toHaveLength(2)
    expect((await eve('GET', '/api/audit')).status).toBe(403)
    const lines = await ten.as('GET', '/api/audit/export?format=ndjson')
    expect(lines.text.trim().split('\n')).toHaveLength(log.body.total + 2)
    expect((await ten.as('GET', '/api/audit/export?format=csv')).text).toMatch(/^"at","action","by",/)
    expect((await ten.as('GET', '/api/audit')).body.entries[0]).toMatchObject({ action: 'audit.export' })
  })

  test('gives a key the scopes that it was made with, and no more to a key that it makes', async () => {
    const nine = await account('nine')
    const { body: made } = await nine.as('POST', '/api/keys', { name: 'Reader', scopes: ['publish', 'read', 'read'] })
    expect(made.scopes).toEqual(['read', 'publish'])
    const as = (method: string, path: string, body?: unknown) =>
      docent.request(method, path, body, { key: made.plaintext })
    expect((await as('GET', '/api/mcp/list')).status).toBe(200)
    const change = await as('PATCH', `/api/mcp/${nine.first.slug}`, { name: 'Other' })
    expect(change).toMatchObject({ status: 403, body: { error: 'not_permitted', requiredScope: 'write' } })
    expect((await as('POST', '/api/keys', { name: 'More', scopes: ['write'] })).status).toBe(403)
    expect((await as('POST', '/api/keys', { name: 'Same' })).body.scopes).toEqual(['read', 'publish'])
    const toolsOf = async (key: string) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const { body } = await docent.request('POST', '/api/headless/mcp', message, { key })
      return body.result.tools.map(({ name }: { name: string }) => name)
    }
    const names = await toolsOf(made.plaintext)
    expect(names).toEqual(expect.arrayContaining(['delete_server', 'get_indexing_progress']))
    expect(names).not.toContain('add_source')
    const scopes = ['read', 'write']
    const limited = { name: 'One', scopes, serverIds: [nine.first.serverId] }
    const ofOne = await toolsOf((await nine.as('POST', '/api/keys', limited)).body.plaintext)
    expect(ofOne).toEqual(expect.arrayContaining(['add_source', 'get_server']))
    // It could not create a server.
    expect(ofOne).not.toContain('create_server')
    expect(await toolsOf(nine.key)).toHaveLength(21)
  })
})
