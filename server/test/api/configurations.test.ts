import { expect, test } from 'vitest'
import { usePortals } from '../support/service/developer-portal.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

onSqliteAtLeast('widget configuration', (engine) => {
  const used = usePortals(engine)
  const { account } = used

  test('keeps one configuration for each domain, and lists the last updated first', async () => {
    const { portal, backend } = await account()
    expect((await portal('GET', '/api/configurations')).body).toEqual([])
    const tools = '[{"name":"ask_question","enabled":true}]'
    const first = await portal('POST', '/api/configurations', {
      domain: ' Docs.Example.COM ',
      tools,
      layout: 'vertical',
    })
    expect([first.status, first.body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^cfg_/),
        developerId: expect.stringMatching(/^dev_/),
        name: 'docs.example.com',
        domain: 'docs.example.com',
        tools,
        sources: '[]',
        colors: '{}',
        layout: 'vertical',
        fontFamily: '',
        isActive: true,
        createdAt: ISO,
        updatedAt: ISO,
      },
    ])
    const anyPage = await backend('POST', '/api/configurations', { domain: null, fontFamily: 'Open Sans 3' })
    expect(anyPage.body).toMatchObject({
      domain: null,
      name: 'Any page',
      layout: 'horizontal',
      fontFamily: 'Open Sans 3',
    })
    const ids = async () => (await portal('GET', '/api/configurations')).body.map(({ id }: { id: string }) => id)
    expect(await ids()).toEqual([anyPage.body.id, first.body.id])

    const again = await backend('POST', '/api/configurations', {
      domain: 'docs.example.com',
      name: 'Docs',
      isActive: false,
    })
    expect(again.body).toEqual({
      ...first.body,
      name: 'Docs',
      isActive: false,
      updatedAt: expect.not.stringContaining(first.body.updatedAt),
    })
    expect(await ids()).toEqual([first.body.id, anyPage.body.id])
    await portal('POST', '/api/configurations', {})
    expect(await ids()).toEqual([anyPage.body.id, first.body.id])
    expect((await (await account()).portal('GET', '/api/configurations')).body).toEqual([])
  })

  test('deletes a configuration with its sessions for its developer only', async () => {
    const { portal, backend } = await account()
    const other = await account()
    const { id } = (await portal('POST', '/api/configurations', { domain: 'gone.example.com' })).body
    const kept = (await portal('POST', '/api/configurations', { domain: 'kept.example.com' })).body
    const headers = { origin: 'https://gone.example.com' }
    const open = () =>
      used.docent.request('POST', '/api/embed/sessions', { configurationId: id }, { key: null, headers })
    const { session } = (await open()).body
    expect(await other.backend('DELETE', `/api/configurations/${id}`)).toMatchObject({
      status: 404,
      body: { error: 'Configuration not found' },
    })
    expect((await used.docent.request('DELETE', `/api/configurations/${id}`)).status).toBe(401)
    expect(await backend('DELETE', `/api/configurations/${id}`)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await backend('DELETE', `/api/configurations/${id}`)).status).toBe(404)
    expect((await open()).status).toBe(404)
    const ask = { session, question: 'Why?' }
    expect((await used.docent.request('POST', '/api/embed/ask', ask, { key: null, headers })).status).toBe(401)
    expect((await portal('GET', '/api/configurations')).body).toEqual([kept])
    const again = await portal('POST', '/api/configurations', { domain: 'gone.example.com' })
    expect(again.body.id).not.toBe(id)
    expect((await portal('DELETE', `/api/configurations/${again.body.id}`)).status).toBe(200)
  })

  test('creates one configuration from concurrent requests for its domain', async () => {
    const { portal, backend } = await account()
    const save = (send: typeof portal) => send('POST', '/api/configurations', { domain: 'a.example.com' })
    const answers = await Promise.all([portal, backend, portal, backend, portal, backend].map(save))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect((await portal('GET', '/api/configurations')).body).toHaveLength(1)
  })

  const list = (value: unknown) => JSON.stringify([value])
  const tool = (title: string) => list({ name: 'ask_question', enabled: true, title })
  test.each<[field: string, value: unknown, message: string]>([
    ['domain', 'not a domain', 'domain must be a domain such as docs.example.com, without scheme, port and path.'],
    ['domain', 'https://docs.example.com', 'domain must be a domain'],
    ['domain', 'docs.example.com:8080', 'domain must be a domain'],
    ['domain', 'docs..example.com', 'domain must be a domain'],
    ['domain', '-docs.example.com', 'domain must be a domain'],
    ['domain', '10.0.0.1', 'domain must be a domain'],
    ['domain', '192.168.1.5:3000', 'domain must be a domain'],
    ['domain', '127.0.0.1:', 'domain must be a domain'],
    ['domain', '127.0.0.256', 'domain must be a domain'],
    ['domain', 'localhost:0', 'domain must be a domain'],
    ['domain', 'localhost:65536', 'domain must be a domain'],
    ['domain', '::1', 'domain must be a domain'],
    ['domain', '[::2]:80', 'domain must be a domain'],
    ['domain', 'example', 'domain must be a domain'],
    ['domain', `${'a'.repeat(64)}.example.com`, 'domain must be a domain'],
    ['domain', `${'a.'.repeat(125)}example`, 'domain must have at most 253 characters.'],
    ['domain', 5, 'domain must be text.'],
    ['tools', '[{"name":', 'tools must be valid JSON text.'],
    ['tools', [{ name: 'ask_question', enabled: true }], 'tools must be text.'],
    ['tools', '{}', 'tools cannot be used: it must be a list.'],
    ['tools', list({ name: 'ask_question' }), 'tools cannot be used: [0].enabled must be true or false.'],
    ['tools', list({ name: 'ask me', enabled: true }), 'tools cannot be used: [0].name must have 1 to 100 letters'],
    ['tools', list({ enabled: true }), 'tools cannot be used: [0].name must be text.'],
    ['tools', `[${'1,'.repeat(5_000)}1]`, 'tools must have at most 10,000 characters.'],
    ['tools', tool('<script>alert(1)</script>'), 'tools must not contain markup, as [0].title does.'],
    ['tools', '[{"name":"a","enabled":true,"title":"\\u003cimg src=x>"}]', 'tools must not contain markup'],
    [
      'tools',
      list({ name: 'a', enabled: true, also: { '<b>': 1 } }),
      'tools must not contain markup, as [0].also.<b> does.',
    ],
    [
      'sources',
      list({ type: 'docs', enabled: true, note: ' JaVa\tscript:alert(1)' }),
      'sources must not contain a script address',
    ],
    [
      'sources',
      list({ type: 'docs', enabled: true, note: 'data:text/html,x' }),
      'sources must not contain a script address',
    ],
    ['sources', list({ type: 'docs', enabled: 'yes' }), 'sources cannot be used: [0].enabled must be true or false.'],
    [
      'sources',
      list({ type: 'docs', enabled: true, serverId: 'srv_none' }),
      'sources: [0].serverId names no server of the account.',
    ],
    ['sources', '[[[[[[[[[1]]]]]]]]]', 'sources must have at most 8 levels.'],
    ['colors', '[]', 'colors cannot be used: it must be an object of colors.'],
    [
      'colors',
      '{"primary":"#12"}',
      'colors cannot be used: .primary must be a color such as #00665e or rgb(0 102 94).',
    ],
    ['colors', '{"primary":"red;background:url(//x)"}', 'colors cannot be used: .primary must be a color'],
    ['colors', '{"primary":"expression(alert(1))"}', 'colors cannot be used: .primary must be a color'],
    ['layout', 'diagonal', 'layout must be one of horizontal, vertical.'],
    ['fontFamily', 'Arial, sans-serif', 'fontFamily must have only letters, digits and spaces.'],
    ['fontFamily', 'a'.repeat(101), 'fontFamily must have at most 100 characters.'],
  ])('refuses the field %s of %j', async (field, value, message) => {
    const { backend } = await shared()
    const answer = await backend('POST', '/api/configurations', { [field]: value })
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_input'])
    expect(answer.body.message).toContain(message)
  })

  test('refuses names of tools that the account does not have, and keeps the configuration', async () => {
    const { portal, backend } = await account()
    const save = (...names: string[]) =>
      backend('POST', '/api/configurations', { tools: JSON.stringify(names.map((name) => ({ name, enabled: false }))) })
    expect((await save('ask_question')).status).toBe(200)
    const before = (await portal('GET', '/api/configurations')).text
    for (const unknown of [['sing'], ['custom:ct_none', 'ask_me'], ['Ask_question']]) {
      const { status, body } = await save('search_docs', ...unknown)
      expect([status, body.error, body.unknown]).toEqual([400, 'Unknown tool name', unknown])
      expect(body.validTools).toContain('search_docs')
    }
    expect((await portal('GET', '/api/configurations')).text).toBe(before)
    const built = await portal('POST', '/api/custom-tools', {
      prompt: 'Answer questions about sprockets and how often to oil them, with sources.',
    })
    const { tool } = JSON.parse(built.text.trim().split('\n').at(-1) ?? '')
    expect((await save('ask_question', `custom:${tool.id}`)).status).toBe(200)
  })

  let sharedAccount: ReturnType<typeof account> | undefined
  const shared = () => (sharedAccount ??= account())

  test.each<[field: string, value: unknown]>([
    ['domain', 'xn--bcher-kva.example'],
    ['domain', 'localhost'],
    ['domain', 'localhost:3000'],
    ['domain', 'app.localhost:65535'],
    ['domain', '127.0.0.1'],
    ['domain', '127.0.0.1:5173'],
    ['domain', '[::1]:8080'],
    ['tools', tool('"javascript" <3 onload = 1 & a < b')],
    ['tools', list({ name: 'get_changelog', enabled: false, further: null })],
    ['sources', list({ type: 'docs', enabled: true })],
    ['colors', '{"primary":"#3b82f6","background":"#fff","text":"oklch(0.4 0.1 200deg / 50%)","darkText":"white"}'],
    ['fontFamily', ''],
  ])('takes the field %s of %j', async (field, value) => {
    const { backend } = await shared()
    const answer = await backend('POST', '/api/configurations', { [field]: value })
    expect([answer.status, answer.body[field]]).toEqual([200, value])
  })
})
