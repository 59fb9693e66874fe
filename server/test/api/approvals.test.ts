import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteOldApprovals, openApprovals } from '#store/accounts/approvals.ts'
import { onBothEngines } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { toolMessage } from '../support/service/account-client.ts'
import { openSessionOf } from '../support/service/open-browser.ts'

const NOWHERE = 'http://127.0.0.1:19151/'
const MINUTE_MS = 60_000

onBothEngines('approvals', (engine) => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  /** An account with a server, a key for an assistant, and the session of its owner. */
  async function account(name: string) {
    const email = `${name}@example.test`
    const full = await docent.makeKey(email)
    const { body: server } = await docent.request(
      'POST',
      '/api/mcp/create',
      { name, sources: [{ url: NOWHERE }] },
      { key: full },
    )
    const makeKey = async () => {
      const wanted = { name: 'Assistant', forAssistant: true }
      return (await docent.request('POST', '/api/keys', wanted, { key: full })).body.plaintext as string
    }
    const { secret } = await openSessionOf(docent, email)
    const headers = { cookie: `docent_session=${secret}`, 'sec-fetch-site': 'same-origin' }
    const owner = (method: string, path: string, body?: unknown) =>
      docent.request(method, path, body, { key: null, headers })
    const [key, path] = [await makeKey(), `/api/mcp/${server.slug}`]
    const as = (method: string, path_: string, body?: unknown, by = key) =>
      docent.request(method, path_, body, { key: by })
    const setVisibility = (visibility: string, by = key) => as('PATCH', `${path}/visibility`, { visibility }, by)
    const list = async () => (await owner('GET', '/api/approvals')).body.approvals
    const approve = async (id: string) => owner('POST', `/api/approvals/${id}`)
    return { full, server, path, key, makeKey, owner, as, setVisibility, list, approve }
  }

  const idIn = ({ body }: { body: { approvalUrl: string } }) =>
    new URL(body.approvalUrl).searchParams.get('id') as string

  /** Moves the times of all requests back, instead of waiting. */
  const moveBack = (ms: number) =>
    docent.inStore(async ({ write }) => {
      for (const { id, createdAt, approvedAt } of await write.selectFrom('approvals').selectAll().execute()) {
        const times = { createdAt: createdAt - ms, approvedAt: approvedAt === null ? null : approvedAt - ms }
        await write.updateTable('approvals').set(times).where('id', '=', id).execute()
      }
    })

  test('refuses to publish by the key of an assistant, and names key, operation and thing to the owner', async () => {
    const { setVisibility, server, list, owner, path } = await account('one')
    const refused = await setVisibility('public')
    expect(refused).toMatchObject({ status: 403, body: { error: 'approval_required' } })
    expect(refused.body.approvalUrl).toBe(`${docent.url}/approvals?id=${idIn(refused)}`)
    expect(await list()).toMatchObject([
      {
        id: idIn(refused),
        key: { name: 'Assistant' },
        operation: 'servers.setVisibility',
        thing: 'one',
        arguments: { id: server.slug, visibility: 'public' },
        approvedAt: null,
      },
    ])
    expect(idIn(await setVisibility('public'))).toBe(idIn(refused))
    expect((await owner('GET', path)).body.visibility).toBe('public')
  })

  test('lets the key make an approved request once, and nobody else', async () => {
    const { as, path, makeKey, approve, list, owner, full } = await account('two')
    const other = await makeKey()
    const refused = await as('DELETE', path)
    expect((await as('POST', `/api/approvals/${idIn(refused)}`)).body.error).toBe('not_permitted')
    expect((await as('POST', `/api/approvals/${idIn(refused)}`, undefined, full)).body.error).toBe('not_permitted')
    expect(await approve(idIn(refused))).toMatchObject({ status: 200, body: { approvedAt: expect.any(String) } })
    expect((await approve(idIn(refused))).status).toBe(404)
    expect((await as('DELETE', path, undefined, other)).status).toBe(403)
    expect((await as('PATCH', `${path}/visibility`, { visibility: 'private' })).status).toBe(403)
    expect((await as('DELETE', path)).status).toBe(200)
    expect((await list()).map(({ operation }: { operation: string }) => operation).toSorted()).toEqual([
      'servers.delete',
      'servers.setVisibility',
    ])
    const { body: audit } = await owner('GET', '/api/audit')
    expect(audit.entries.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['approvals.approve', 'servers.delete']),
    )
    expect((await as('POST', `${path}/restore`, undefined, full)).status).toBe(200)
    expect((await as('DELETE', path)).status).toBe(403)
  })

  test.each([
    ['public', 'private'],
    ['private', 'public'],
  ])('covers one set of arguments: %s and not %s', async (approved, other) => {
    const { setVisibility, approve } = await account(`only-${approved}`)
    await approve(idIn(await setVisibility(approved)))
    expect((await setVisibility(other)).status).toBe(403)
    expect((await setVisibility(approved)).status).toBe(200)
    expect((await setVisibility(approved)).status).toBe(403)
  })

  test.each([
    ['lets a key make an approved request for ten minutes', 10 * MINUTE_MS - 5_000, 200],
    ['refuses it after ten minutes', 10 * MINUTE_MS, 403],
  ])('%s', async (_, after, status) => {
    const { setVisibility, approve, list } = await account(`after-${status}`)
    const first = idIn(await setVisibility('private'))
    await approve(first)
    await moveBack(after)
    const again = await setVisibility('private')
    expect(again.status).toBe(status)
    if (status !== 403) return
    expect(idIn(again)).not.toBe(first)
    expect(await list()).toHaveLength(1)
  })

  test('lets an owner approve within an hour, or refuse', async () => {
    const { setVisibility, approve, owner, list } = await account('hour')
    const first = idIn(await setVisibility('private'))
    await moveBack(60 * MINUTE_MS - 5_000)
    expect((await approve(first)).status).toBe(200)
    expect((await owner('DELETE', `/api/approvals/${first}`)).status).toBe(200)
    const second = idIn(await setVisibility('private'))
    expect(second).not.toBe(first)
    await moveBack(60 * MINUTE_MS)
    expect((await approve(second)).status).toBe(404)
    expect(await list()).toEqual([])
    await docent.inStore(({ write, clock }) => deleteOldApprovals(write, openApprovals(clock())))
    const left = await docent.inStore(({ read }) => read.selectFrom('approvals').select('id').execute())
    expect(left.map(({ id }) => id)).not.toContain(second)
  })

  test('uses an approval up once for many requests at the same moment', async () => {
    const { setVisibility, approve } = await account('rush')
    await approve(idIn(await setVisibility('private')))
    const answers = await Promise.all(Array.from({ length: 20 }, () => setVisibility('private')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]))
  })

  test.runIf(engine === 'postgres')('uses an approval up once on two nodes', async () => {
    const { setVisibility, approve, path, key } = await account('nodes')
    await using second = await startDocent({
      engine,
      place: docent.place,
      key,
      environment: { DOCENT_RATE_LIMITS: 'off' },
    })
    await approve(idIn(await setVisibility('private')))
    const there = () => second.request('PATCH', `${path}/visibility`, { visibility: 'private' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 ? there() : setVisibility('private'))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('keeps the newest twenty requests of a key', async () => {
    const { as, list, path, approve } = await account('many')
    const kept = idIn(await as('DELETE', path))
    await approve(kept)
    for (let at = 0; at < 22; at++) await as('POST', `${path}/access-tokens`, { name: `Token ${at}` })
    const waiting = await list()
    expect(waiting).toHaveLength(21)
    expect(waiting.map(({ id }: { id: string }) => id)).toContain(kept)
    expect(waiting.map(({ arguments: given }: any) => given.name)).toContain('Token 21')
  })

  test('asks keys of all kinds if the account does, and no session', async () => {
    const { as, full, path, owner, setVisibility } = await account('whole')
    expect((await as('PATCH', `${path}/visibility`, { visibility: 'private' }, full)).status).toBe(200)
    expect((await as('PUT', '/api/approvals', { allKeys: true }, full)).body.error).toBe('not_permitted')
    expect((await owner('PUT', '/api/approvals', { allKeys: true })).status).toBe(200)
    expect((await setVisibility('public', full)).body.error).toBe('approval_required')
    expect((await owner('PATCH', `${path}/visibility`, { visibility: 'public' })).status).toBe(200)
    expect((await as('PATCH', path, { name: 'Other' }, full)).status).toBe(200)
    await owner('PUT', '/api/approvals', { allKeys: false })
    expect((await setVisibility('private', full)).status).toBe(200)
  })

  test('shows no secrets of a request, and makes no key that asks for less', async () => {
    const { as, owner, list, approve } = await account('secret')
    const wanted = { name: 'Child' }
    await approve(idIn(await as('POST', '/api/keys', wanted)))
    expect((await as('POST', '/api/keys', wanted)).body).toMatchObject({ forAssistant: true })
    await as('PUT', '/api/linked-accounts/github.com', { token: 'ghp_planted' })
    await as('PUT', '/api/site-access', { origin: NOWHERE, cookie: 'a=cookie_planted' })
    const url = 'https://hooks.example/events?api_key=sk_planted_4Gh8tQmZk2VwYd4'
    await as('POST', '/api/webhooks', { name: 'Hook', url, events: ['server.indexed'] })
    expect(await list()).toMatchObject([
      { operation: 'webhooks.create', arguments: { url: 'https://hooks.example/events?api_key=…' } },
      { operation: 'siteAccess.save', arguments: { origin: NOWHERE } },
      { operation: 'linkedAccounts.link' },
    ])
    const stored = await docent.inStore(({ read }) => read.selectFrom('approvals').selectAll().execute())
    expect(JSON.stringify([await owner('GET', '/api/approvals'), stored])).not.toMatch(/_planted/)
  })

  test('asks for one before a server is created public, and not before it is created private', async () => {
    const { as, approve, list } = await account('maker')
    const make = (more: object) => as('POST', '/api/mcp/create', { name: 'Made', sources: [{ url: NOWHERE }], ...more })
    expect((await make({ visibility: 'private' })).status).toBe(200)
    const refused = await make({})
    expect(refused).toMatchObject({ status: 403, body: { error: 'approval_required' } })
    // The default is public, so that it is the same request.
    expect(idIn(await make({ visibility: 'public' }))).toBe(idIn(refused))
    await approve(idIn(refused))
    expect((await make({})).body).toMatchObject({ visibility: 'public' })
    expect(await list()).toEqual([])
  })

  test('asks for one before a credential is removed, and not before it is replaced', async () => {
    const { as, server, path } = await account('remover')
    const sources = `/api/mcp/${server.slug}/sources`
    const { body } = await as('GET', path)
    const change = (more: object) => as('PATCH', sources, { sourceId: body.sources[0].id, ...more })
    expect((await change({ remove: true })).body.error).toBe('approval_required')
    expect((await change({ secret: 'new' })).body.error).toBe('Only MCP sources can carry credentials.')
  })

  test('keeps an approval whose request is then refused', async () => {
    const { as, setVisibility, approve, path, full } = await account('kept')
    expect((await setVisibility('private', full)).status).toBe(200)
    await docent.inStore(({ write }) => write.updateTable('sources').set({ isPrivate: 1 }).execute())
    await approve(idIn(await setVisibility('public')))
    for (let i = 0; i < 2; i++) expect((await setVisibility('public')).status).toBe(409)
    await docent.inStore(({ write }) => write.updateTable('sources').set({ isPrivate: 0 }).execute())
    expect((await setVisibility('public')).status).toBe(200)
    expect((await setVisibility('public')).body.error).toBe('approval_required')
    expect((await as('GET', path)).body.visibility).toBe('public')
  })

  test('asks an assistant at the endpoint of the account, after the confirmation of a deletion', async () => {
    const { key, server, approve, owner, path } = await account('endpoint')
    const call = async (name: string, args: object) => {
      const { body } = await docent.request('POST', '/api/headless/mcp', toolMessage(name, args), { key })
      return { isError: body.result.isError, ...JSON.parse(body.result.content[0].text) }
    }
    const asked = await call('delete_server', { server: server.slug })
    expect(asked).toMatchObject({ status: 400, body: { error: 'confirmation_required' } })
    const refused = await call('delete_server', { server: server.slug, confirm: true })
    expect(refused).toMatchObject({ isError: true, status: 403, body: { error: 'approval_required' } })
    await approve(idIn(refused))
    expect(await call('delete_server', { server: server.slug, confirm: true })).toMatchObject({ ok: true })
    expect((await owner('GET', path)).status).toBe(404)
    expect((await call('list_servers', {})).status).toBeUndefined()
  })

  test('asks all keys of the instance if the operator does', async () => {
    await using strict = await startDocent({ engine, environment: { DOCENT_APPROVALS: 'on' } })
    const { body } = await strict.request('POST', '/api/mcp/create', {
      name: 'Strict',
      sources: [{ url: NOWHERE }],
      visibility: 'private',
    })
    expect((await strict.request('DELETE', `/api/mcp/${body.slug}`)).body.error).toBe('approval_required')
    expect((await strict.request('GET', '/api/approvals')).body).toMatchObject({ byInstance: true, allKeys: false })
  })
})
