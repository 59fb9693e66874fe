import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connectAssistant, ERAS } from '../../support/service/account-client.ts'
import { onSqliteAtLeast } from '../../support/database/engines.ts'
import { startDocent } from '../../support/service/harness.ts'
import { page, startSite } from '../../support/sites/site.ts'

const PROMPT = 'Answer questions about sprockets and how often to oil them, with sources.'

/** Everything here uses only what the tools list and return. */
onSqliteAtLeast('an assistant that knows only the account-level endpoint', (engine) => {
  test.each(ERAS)('makes, improves, watches and deletes a server ($era)', async ({ mode, version }) => {
    await using site = await startSite({
      '/': page('Widgets', 'Oil every sprocket twice a year, or the widget will squeak.', ['/reference/']),
      '/reference/': page('API reference', 'The function oil takes the name of a sprocket.'),
      '/blog/': page('Blog', 'Our sprockets are new.'),
    })
    // On a busy machine, indexing can take more polls than the rate limit admits.
    await using docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
    await using assistant = await connectAssistant(docent.url, docent.key, mode)
    const { client, call } = assistant
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect(client.getInstructions()).toContain('create_server')
    expect((await client.listTools()).tools).toHaveLength(21)
    const untilIndexed = async (server: string) => {
      for (;;) {
        const { json } = await call('get_indexing_progress', { server })
        if (json.status !== 'crawling') return json.status
        await sleep(50)
      }
    }

    const made = await call('create_server', { name: 'Widgets', sources: [{ url: `${site.url}/`, label: 'Handbook' }] })
    expect(made).toMatchObject({ isError: false, json: { visibility: 'public', accessToken: null } })
    const { slug: server, serverId, url, configSnippet } = made.json
    expect(JSON.parse(configSnippet).mcpServers[server].url).toBe(url)
    expect(await untilIndexed(server)).toBe('active')
    const detail = (await call('get_server', { server })).json
    expect(detail).toMatchObject({ id: serverId, url, status: 'active', sources: [{ label: 'Handbook' }] })
    expect(detail.sources[0]).toMatchObject({ crawlStatus: 'complete', pagesIndexed: 2 })
    expect((await call('list_servers')).json).toEqual([expect.objectContaining({ id: serverId, slug: server })])

    const tools = (await call('get_server_tools', { server })).json
    expect(tools.tools).toHaveLength(5)
    const other = tools.available.find(({ name }: { name: string }) => !tools.tools.includes(name)).name
    const changed = await call('update_server_tools', { server: serverId, add: [other], remove: ['get_quickstart'] })
    expect(changed.json).toMatchObject({ added: [other], removed: ['get_quickstart'] })

    const added = await call('add_source', { server, url: `${site.url}/blog/`, label: 'Blog' })
    expect(added).toMatchObject({ isError: false, json: { label: 'Blog', visibility: 'public', issuedToken: null } })
    expect(await untilIndexed(server)).toBe('active')
    expect((await call('reindex_server', { server, source_id: added.json.id })).json).toMatchObject({ queued: 1 })
    expect(await untilIndexed(server)).toBe('active')

    const steps: string[] = []
    const built = await call('build_custom_tool', { prompt: PROMPT }, (message) => steps.push(message))
    expect(steps).not.toEqual([])
    expect(built).toMatchObject({ isError: false, json: { status: 'ready', displayName: expect.any(String) } })
    const attached = await call('update_server_tools', { server, add: [`custom:${built.json.id}`] })
    expect(attached.json.tools).toContain(`custom:${built.json.id}`)
    expect((await call('list_custom_tools')).json.tools).toEqual([expect.objectContaining({ id: built.json.id })])

    const { example } = (await call('list_retrieval_rules', { server })).json
    const written = await call('create_retrieval_rule', { server, rule: example })
    const { rule } = written.json
    expect(rule).toMatchObject({ enabled: true, naturalLanguage: example, sourceId: null })
    expect(rule.effects.length).toBeGreaterThan(0)
    expect((await call('list_retrieval_rules', { server })).json.rules).toEqual([
      expect.objectContaining({ id: rule.id }),
    ])
    const updated = await call('update_retrieval_rule', { rule_id: rule.id, enabled: false, priority: 500 })
    expect(updated.json.rule).toEqual({ id: rule.id, enabled: false, priority: 100 })

    const hidden = await call('set_server_visibility', { server, visibility: 'private' })
    expect(hidden.json.issuedToken.plaintext).toMatch(/^dat_/)
    expect((await call('set_server_visibility', { server, visibility: 'public' })).json.visibility).toBe('public')

    expect((await docent.callTool(server, 'search_docs', { query: 'sprocket' })).result.content[0].text).toContain(
      'Oil',
    )
    await docent.callTool(server, 'search_docs', {})
    expect((await call('get_server_analytics', { server })).json).toMatchObject({ totalCalls: 2, failedCalls: 1 })
    const log = (await call('get_request_log', { server, range: '7d', status: 'ok', page: 1 })).json
    expect(log).toMatchObject({
      total: 1,
      pageSize: 20,
      calls: [{ tool: 'search_docs', arguments: { query: 'sprocket' } }],
    })
    const account = (await call('get_account')).json
    expect(account).toMatchObject({
      usage: { plan: 'unlimited', servers: { used: 1 }, customTools: { used: 1 } },
      entitlements: { key: { scope: 'account' }, features: { requestLog: true } },
    })

    for (const [name, args, said] of [
      ['delete_retrieval_rule', { rule_id: rule.id }, rule.id],
      ['delete_custom_tool', { tool_id: built.json.id }, built.json.id],
      ['remove_source', { server, url: `${site.url}/blog/` }, '/blog/'],
      ['delete_server', { server }, server],
    ] as const) {
      const before = await docent.request('GET', `/api/mcp/${server}`)
      const asked = await call(name, args)
      expect(asked).toMatchObject({
        isError: true,
        json: { status: 400, body: { message: expect.stringContaining(said) } },
      })
      expect((await docent.request('GET', `/api/mcp/${server}`)).text).toBe(before.text)
      expect(await call(name, { ...args, confirm: true })).toMatchObject({ isError: false, json: { ok: true } })
    }
    const gone = { isError: true, json: { status: 404, body: { error: 'Server not found' } } }
    expect(await call('get_server', { server })).toMatchObject(gone)
    const [deleted] = (await call('list_servers')).json
    expect(deleted).toMatchObject({ status: 'deleted', purgeAt: expect.any(String) })
  })
})

test.each(ERAS)(
  'reports a failed build as an error, also to a client without a progress token ($era)',
  async ({ mode }) => {
    await using docent = await startDocent()
    await using assistant = await connectAssistant(docent.url, docent.key, mode)
    for (const onMessage of [() => undefined, undefined]) {
      const prompt = 'Order a pizza for me whenever the build is green.'
      const built = await assistant.call('build_custom_tool', { prompt }, onMessage)
      const body = { type: 'error', message: expect.any(String) }
      expect(built).toMatchObject({ isError: true, json: { status: 200, body } })
    }
  },
)

test('returns the refusals of builders as results, not as failed requests', async () => {
  await using docent = await startDocent()
  await using assistant = await connectAssistant(docent.url, docent.key, 'legacy')
  const sources = [{ url: 'http://127.0.0.1:19151/' }]
  const server = (await assistant.call('create_server', { name: 'Anything', sources })).json.serverId
  const built = await assistant.call('build_custom_tool', { prompt: PROMPT })
  const written = await assistant.call('create_retrieval_rule', { server, rule: 'Always answer in a friendly tone.' })
  expect(built.json).toMatchObject({ status: 'ready' })
  expect(written).toMatchObject({ isError: true, json: { status: 400, body: { error: expect.any(String) } } })
})
