import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSecret } from '#auth/secret.ts'
import { managementTools } from '#http/account/account-tools.ts'
import { findAccountByEmail } from '#store/accounts/accounts.ts'
import { insertCustomTool } from '#store/servers/custom-tools.ts'
import { onBothEngines, onSqliteAtLeast } from '../../support/database/engines.ts'
import { type Docent, startDocent } from '../../support/service/harness.ts'
import { callAccountTool as call, toolMessage as message } from '../../support/service/account-client.ts'
import { MODERN_META } from '../../support/mcp/mcp-fakes.ts'

const PATH = '/api/headless/mcp'
const NOWHERE = 'http://127.0.0.1:19151/'
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

onSqliteAtLeast('the account-level endpoint', (engine) => {
  let docent: Docent
  let server: { serverId: string; slug: string }

  beforeAll(async () => {
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
    server = (await docent.request('POST', '/api/mcp/create', { name: 'Widgets', sources: [{ url: NOWHERE }] })).body
    await docent.untilDone(server.slug)
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  test('says that a key is needed, or that the key is not valid, with status 401', async () => {
    const revoked = await docent.makeKey()
    await docent.inStore(({ write }) =>
      write.updateTable('apiKeys').set({ revokedAt: 1 }).where('last4', '=', revoked.slice(-4)).execute(),
    )
    const { body: token } = await docent.request('POST', `/api/mcp/${server.slug}/access-tokens`, { name: 'Client' })
    const missing = { reason: 'missing_key', message: /needs an API key/ }
    const invalid = { reason: 'invalid_key', message: /API key is not valid/ }
    for (const [authorization, expected] of [
      [undefined, missing],
      ['Basic dXNlcjpwYXNz', missing],
      [`Bearer ${docent.key.slice(0, -1)}_`, invalid],
      [`Bearer ${newSecret('dk_live_').plaintext}`, invalid],
      [`Bearer ${revoked}`, invalid],
      [`Bearer ${token.plaintext}`, invalid],
    ] as const) {
      for (const sent of [LIST, message('list_servers'), 'not JSON']) {
        const headers = authorization === undefined ? {} : { authorization }
        const answer = await docent.request('POST', PATH, sent, { key: null, headers })
        expect([authorization, answer.status]).toEqual([authorization, 401])
        // The contract fixes the header of private servers only, so that RFC 6750 decides here.
        const code = expected === invalid ? ', error="invalid_token"' : ''
        expect(answer.headers.get('www-authenticate')).toBe(`Bearer realm="Docent"${code}`)
        const docsUrl = `${docent.url}/docs/account-endpoint`
        const error = { code: -32001, message: expect.stringMatching(expected.message) }
        expect(answer.body).toEqual({
          jsonrpc: '2.0',
          id: null,
          error: { ...error, data: { reason: expected.reason, docsUrl } },
        })
      }
    }
    expect((await fetch(`${docent.url}/docs/account-endpoint`)).status).toBe(200)
  })

  test('ignores a session, so that no page can use it', async () => {
    const answer = await docent.request('POST', PATH, LIST, {
      key: null,
      headers: { cookie: 'docent_session=dss_any' },
    })
    expect(answer.status).toBe(401)
  })

  test.each([
    ['get_server', { server: 'nobody' }, 'GET', '/api/mcp/nobody'],
    ['get_indexing_progress', { server: 'nobody' }, 'GET', '/api/mcp/nobody/crawl-next'],
    ['delete_server', { server: 'nobody', confirm: true }, 'DELETE', '/api/mcp/nobody'],
    ['set_server_visibility', { server: 'widgets', visibility: 'secret' }, 'PATCH', '/api/mcp/widgets/visibility'],
    ['reindex_server', { server: 'widgets', source_id: 'src_none' }, 'POST', '/api/mcp/widgets/crawl'],
    ['add_source', { server: 'widgets', url: 'not an address' }, 'POST', '/api/mcp/widgets/sources'],
    ['add_source', { server: 'widgets', url: NOWHERE }, 'POST', '/api/mcp/widgets/sources'],
    ['remove_source', { server: 'widgets', confirm: true }, 'DELETE', '/api/mcp/widgets/sources'],
    ['update_server_tools', { server: 'widgets' }, 'PATCH', '/api/mcp/widgets/tools'],
    ['update_server_tools', { server: 'widgets', add: ['sing'] }, 'PATCH', '/api/mcp/widgets/tools'],
    ['update_server_tools', { server: 'widgets', tools: ['ask_question'] }, 'PATCH', '/api/mcp/widgets/tools'],
    ['create_server', {}, 'POST', '/api/mcp/create'],
    ['create_server', { name: 'A', sources: [] }, 'POST', '/api/mcp/create'],
    ['create_server', { name: 'A', sources: [{ url: NOWHERE }], tools: ['a', 'b'] }, 'POST', '/api/mcp/create'],
    ['build_custom_tool', { prompt: 'Short.' }, 'POST', '/api/custom-tools'],
    ['delete_custom_tool', { tool_id: 'ct_none', confirm: true }, 'DELETE', '/api/custom-tools/ct_none'],
    ['update_retrieval_rule', { rule_id: 'rule_none', enabled: true }, 'PATCH', '/api/retrieval-rules/rule_none'],
    ['delete_retrieval_rule', { rule_id: 'rule_none', confirm: true }, 'DELETE', '/api/retrieval-rules/rule_none'],
    ['get_server_analytics', { server: 'nobody' }, 'GET', '/api/analytics/nobody'],
    ['get_request_log', { server: 'widgets', range: '2d' }, 'GET', '/api/analytics/widgets/calls?range=2d'],
  ])('returns the refusal of the request that %s %j makes', async (name, args, method, path) => {
    const { source_id: sourceId, ...rest } = args as Record<string, unknown>
    const body = method === 'GET' ? undefined : { ...rest, ...(sourceId ? { sourceId } : {}) }
    const refused = await docent.request(method, path, body)
    expect(refused.status).toBeGreaterThanOrEqual(400)
    const called = await call(docent, name, args)
    expect(called).toEqual({ isError: true, json: { status: refused.status, body: refused.body }, notes: [] })
  })

  test('keeps a key to its servers', async () => {
    const { body: other } = await docent.request('POST', '/api/mcp/create', {
      name: 'Other',
      sources: [{ url: NOWHERE }],
    })
    const scoped = await docent.makeKey('owner@example.test', [server.serverId])
    expect((await call(docent, 'list_servers', {}, scoped)).json.map(({ id }: any) => id)).toEqual([server.serverId])
    expect((await call(docent, 'get_account', {}, scoped)).json.entitlements.key).toMatchObject({ scope: 'servers' })
    const unseen = { isError: true, json: { status: 404, body: { error: 'Server not found' } } }
    for (const name of ['get_server', 'get_indexing_progress', 'get_server_tools', 'get_request_log']) {
      expect(await call(docent, name, { server: other.slug }, scoped)).toMatchObject(unseen)
    }
    const rules = await call(docent, 'list_retrieval_rules', { server: other.slug }, scoped)
    expect(rules.json).toEqual({ status: 404, body: { error: 'Server not found.' } })
    const made = await call(docent, 'create_server', { name: 'A', sources: [{ url: NOWHERE }] }, scoped)
    expect(made.json).toMatchObject({ status: 403, body: { error: 'key_scoped' } })
  })

  test('takes the id and the slug of a server for every tool', async () => {
    for (const name of ['get_server', 'get_indexing_progress', 'get_server_tools', 'list_retrieval_rules']) {
      const [byId, bySlug] = [
        await call(docent, name, { server: server.serverId }),
        await call(docent, name, { server: server.slug }),
      ]
      expect([name, byId.isError, bySlug]).toEqual([name, false, byId])
    }
    const ofStranger = await docent.makeKey('stranger@example.test')
    const rules = await call(docent, 'list_retrieval_rules', { server: server.slug }, ofStranger)
    expect(rules.json).toEqual({ status: 404, body: { error: 'Server not found.' } })
  })

  test('deletes nothing without confirmation by true alone, and says what it would delete', async () => {
    for (const confirm of [undefined, false, null, 'true', 1, 'yes', {}]) {
      const { isError, json } = await call(docent, 'delete_server', { server: server.slug, confirm })
      expect([isError, json.status, json.body.error]).toEqual([true, 400, 'confirmation_required'])
      expect(json.body.message).toContain(`delete the server “Widgets” ("${server.slug}")`)
      expect(json.body.message).toContain('"confirm": true')
    }
    expect((await docent.request('GET', `/api/mcp/${server.slug}`)).status).toBe(200)
  })

  test.each([
    ['delete_server', { server: 'nobody' }, 404, 'Server not found'],
    ['remove_source', { server: 'nobody', url: NOWHERE }, 404, 'Server not found'],
    ['remove_source', { server: 'widgets', source_id: 'src_none' }, 404, 'Source not found'],
    ['remove_source', { server: 'widgets', url: `${NOWHERE}other/` }, 404, 'Source not found'],
    ['remove_source', { server: 'widgets' }, 400, 'sourceId or url required'],
    ['remove_source', { server: 'widgets', url: NOWHERE }, 400, 'confirmation_required'],
    ['delete_custom_tool', { tool_id: 'ct_none' }, 404, 'Custom tool not found'],
    ['delete_retrieval_rule', { rule_id: 'rule_none' }, 404, 'Rule not found.'],
    ['delete_retrieval_rule', {}, 400, 'invalid_input'],
  ])('looks up what %s %j names before it asks for confirmation', async (name, args, status, error) => {
    expect(await call(docent, name, args)).toMatchObject({ isError: true, json: { status, body: { error } } })
  })

  test('tells a key of some servers that it cannot delete a custom tool, before it asks for confirmation', async () => {
    const prompt = 'Answer questions about sprockets and how often to oil them, with sources.'
    const { id } = (await call(docent, 'build_custom_tool', { prompt })).json
    const scoped = await docent.makeKey('owner@example.test', [server.serverId])
    const refused = await call(docent, 'delete_custom_tool', { tool_id: id }, scoped)
    expect(refused.json).toMatchObject({ status: 403, body: { error: 'key_scoped' } })
    const stranger = await docent.makeKey('stranger@example.test')
    expect((await call(docent, 'delete_custom_tool', { tool_id: id }, stranger)).json.status).toBe(404)
    const asked = await call(docent, 'delete_custom_tool', { tool_id: `custom:${id}` })
    expect(asked.json.body.message).toContain(`("custom:${id}") and detach it`)
    // The name that selections of tools have is accepted wherever the id is.
    for (const prefix of ['custom:', 'custom%3A']) {
      expect((await docent.request('GET', `/api/custom-tools/${prefix}${id}`)).body.id).toBe(id)
    }
    const deleted = await call(docent, 'delete_custom_tool', { tool_id: `custom:${id}`, confirm: true })
    expect(deleted.json).toEqual({ ok: true, detachedFrom: [] })
  })

  test('lists custom tools newest first, by pages', async () => {
    const key = await docent.makeKey('builder@example.test')
    await docent.inStore(async ({ read, write }) => {
      const account = await findAccountByEmail(read, 'builder@example.test')
      const about = { accountId: account?.id ?? '', name: 'a', displayName: 'A', description: '', inputSchema: '{}' }
      for (let n = 0; n < 60; n++) {
        const times = { createdAt: Math.floor(n / 2), updatedAt: n }
        const id = `ct_${String(n).padStart(3, '0')}`
        await insertCustomTool(write, { ...about, ...times, id, status: 'ready', plan: null, error: null })
      }
    })
    const idsOf = ({ tools }: { tools: { id: string }[] }) => tools.map(({ id }) => id)
    const { body } = await docent.request('GET', '/api/custom-tools', undefined, { key })
    const all = idsOf(body)
    expect(all).toEqual(all.toSorted().toReversed())
    expect(all).toHaveLength(60)
    const first = await call(docent, 'list_custom_tools', {}, key)
    expect(idsOf(first.json)).toEqual(all.slice(0, 50))
    const [, cursor = ''] = /"cursor": "([^"]+)"/.exec(first.notes[0] ?? '') ?? []
    const second = await call(docent, 'list_custom_tools', { cursor }, key)
    expect([idsOf(second.json), second.notes]).toEqual([all.slice(50), []])
    const three = await docent.request('GET', '/api/custom-tools?limit=3', undefined, { key })
    expect(three.body).toEqual({ ...body, tools: body.tools.slice(0, 3) })
    expect(three.headers.get('link')).toMatch(/^<\/api\/custom-tools\?limit=3&cursor=[\w-]+>; rel="next"$/)
    expect((await docent.request('GET', '/api/custom-tools?limit=0', undefined, { key })).status).toBe(400)
  })

  test('refuses every wrong argument with the status and the body of an answer', async () => {
    const without = (name: string) => expect.stringContaining(`"${name}" must be text`)
    for (const [name, args, message] of [
      ['get_server', { id: server.slug }, without('server')],
      ['get_server', { server: 7 }, without('server')],
      ['delete_custom_tool', { confirm: true }, without('tool_id')],
      ['list_servers', [], expect.stringContaining('must be a JSON object')],
    ] as const) {
      const { isError, json } = await call(docent, name, args)
      expect([name, isError, json]).toEqual([name, true, { status: 400, body: { error: 'invalid_input', message } }])
    }
  })

  test.each(managementTools().map(({ listed }) => listed.name))(
    'refuses wrong arguments of %s in one form',
    async (name) => {
      const { server: _, ...others } = Object.fromEntries(
        ['server', 'limit', 'cursor', 'tool_id', 'rule_id', 'prompt', 'page'].map((argument) => [argument, {}]),
      )
      for (const args of ['text', [], 7, {}, { server: 'nobody', confirm: 'yes' }, { server: 'widgets', ...others }]) {
        const { isError, json } = await call(docent, name, args as object)
        // Tools without required arguments answer some of these.
        if (!isError && typeof args === 'object' && !Array.isArray(args)) continue
        expect([args, Object.keys(json)]).toEqual([args, ['status', 'body']])
        expect([args, json.status >= 400, typeof json.body.error]).toEqual([args, true, 'string'])
      }
    },
  )

  test('says which argument it ignored', async () => {
    const more = await call(docent, 'get_server', { server: server.slug, depth: 2, label: null })
    expect(more).toMatchObject({ isError: false, json: { id: server.serverId } })
    expect(more.notes.at(-1)).toEqual(expect.stringMatching(/^\[note\] There is no argument "depth"/))
    // A refusal names it too, because a misspelled argument is often the reason.
    const misspelled = await call(docent, 'create_retrieval_rule', {
      server: server.slug,
      sentence: 'Prefer the reference over blog posts.',
    })
    expect(misspelled).toMatchObject({ isError: true, json: { status: 400 } })
    expect(misspelled.notes).toEqual([expect.stringMatching(/^\[note\] There is no argument "sentence"/)])
  })

  test('ignores empty optional arguments, and members of sources that it does not list', async () => {
    const made = await call(docent, 'create_server', {
      name: 'Empty',
      description: '',
      tools: null,
      visibility: '',
      sources: [{ url: NOWHERE, label: null, auth: { secret: 'x' } }],
    })
    expect(made).toMatchObject({ isError: false, json: { visibility: 'public' } })
    expect(made.notes).toEqual([expect.stringContaining('"sources[].auth"')])
  })

  test('refuses unknown tools and answers batches', async () => {
    const { body } = await docent.request('POST', PATH, message('sing'))
    expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining('list_servers') })
    const headers = { 'mcp-protocol-version': '2025-03-26' }
    const batch = [LIST, message('list_servers'), message('get_server', { server: 'nobody' })]
    const answers = (await docent.request('POST', PATH, batch, { headers })).body
    expect(answers.map(({ result }: any) => result.isError ?? false)).toEqual([false, false, true])
  })

  test.each([
    ['GET', 405],
    ['DELETE', 405],
    ['PUT', 405],
  ])('answers %s with %i and Allow', async (method, status) => {
    for (const key of [docent.key, null]) {
      const headers = { accept: 'application/json, text/event-stream', 'mcp-session-id': 'none' }
      const answer = await docent.request(method, PATH, undefined, { key, headers })
      expect([answer.status, answer.headers.get('allow'), answer.body.error]).toEqual([
        status,
        'POST',
        'Method not allowed',
      ])
    }
  })

  test('refuses pages of other origins and lets those of its own read the answer', async () => {
    const foreign = await docent.request('POST', PATH, LIST, { headers: { origin: 'https://evil.example' } })
    expect([foreign.status, foreign.body.error]).toEqual([403, 'origin_not_allowed'])
    const own = await docent.request('POST', PATH, LIST, { headers: { origin: docent.url } })
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, docent.url])
    const asked = await fetch(docent.url + PATH, { method: 'OPTIONS', headers: { origin: docent.url } })
    expect([asked.status, asked.headers.get('access-control-allow-methods')]).toEqual([204, 'POST, GET'])
  })

  test('lists the tools for this key only, in the modern era too', async () => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
    const { body } = await docent.request('POST', PATH, { ...LIST, params: { _meta: MODERN_META } }, { headers })
    expect(body.result).toMatchObject({ cacheScope: 'private', resultType: 'complete' })
    expect(body.result.tools).toEqual((await docent.request('POST', PATH, LIST)).body.result.tools)
  })
})

onBothEngines('the rate limit of the account-level endpoint', (engine) => {
  test('admits 120 requests a minute per key on all nodes together', async () => {
    await using one = await startDocent({ engine })
    // SQLite allows one process only.
    await using other = engine === 'postgres' ? await startDocent({ engine, place: one.place, key: one.key }) : null
    const send = (n: number, key = one.key) => (n % 2 === 0 ? one : (other ?? one)).request('POST', PATH, LIST, { key })
    const answers = await Promise.all(Array.from({ length: 150 }, (_, n) => send(n)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(120)
    const refused = answers.filter((answer) => answer.status === 429)
    expect(refused).toHaveLength(30)
    for (const answer of refused) {
      const seconds = Number(answer.headers.get('retry-after'))
      expect(seconds).toBeGreaterThan(30)
      expect(seconds).toBeLessThanOrEqual(60)
      expect(answer.body.error).toMatch(
        /^Too many requests\. The limit is 120 messages with one API key to the endpoint of the account in a minute\./,
      )
    }
    expect((await send(0, await one.makeKey())).status).toBe(200)
    expect((await one.request('GET', '/api/mcp/list')).status).toBe(200)
  })

  test('counts each message of a batch, and the limits of the requests that tools make', async () => {
    await using docent = await startDocent({ engine })
    const headers = { 'mcp-protocol-version': '2025-03-26' }
    const batch = Array.from({ length: 50 }, () => LIST)
    const statuses = []
    for (let n = 0; n < 3; n++) statuses.push((await docent.request('POST', PATH, batch, { headers })).status)
    expect(statuses).toEqual([200, 200, 429])
    const key = await docent.makeKey()
    const create = () => call(docent, 'create_server', { name: 'A', sources: [{ url: NOWHERE }] }, key)
    for (let n = 0; n < 10; n++) expect((await create()).isError).toBe(false)
    const refused = (await create()).json
    expect(refused).toMatchObject({ status: 429, body: { error: expect.stringContaining('Too many requests') } })
    expect(refused.body.retryAfterSeconds).toBeGreaterThan(3_500)
  })
})
