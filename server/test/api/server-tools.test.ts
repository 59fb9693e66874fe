import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUILT_IN_TOOLS, DEFAULT_TOOLS, kindsFor } from '@docent/contract/values/tools'
import { insertCustomTool } from '#store/servers/custom-tools.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'

const names = BUILT_IN_TOOLS.map(({ name }): string => name)

onSqliteAtLeast('tools of a server', (engine) => {
  let docent: Docent
  beforeAll(async () => {
    docent = await startDocent({ engine })
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  async function server(tools?: string[]) {
    const sources = [{ url: 'http://127.0.0.1:19151/' }]
    const key = await docent.makeKey(`${Math.random().toString(36).slice(2)}@example.test`)
    const create = (names: string[] | undefined) =>
      docent.request('POST', '/api/mcp/create', { name: 'A', sources, tools: names }, { key })
    const { body } = await create(tools)
    const path = `/api/mcp/${body.slug}/tools`
    return {
      ...body,
      create,
      read: async () => (await docent.request('GET', path, undefined, { key })).body,
      change: (change: unknown) => docent.request('PATCH', path, change, { key }),
    }
  }

  test('lists the tools of a server and all that could be selected', async () => {
    const { serverId, slug, read } = await server()
    expect(await read()).toEqual({
      serverId,
      slug,
      tools: DEFAULT_TOOLS,
      available: BUILT_IN_TOOLS.map(({ name, title, description }) => ({
        name,
        title,
        description,
        needs: kindsFor(name),
        inputSchema: expect.objectContaining({ type: 'object' }),
      })),
      customTools: [],
      minTools: 3,
      maxTools: 10,
    })
    const { available } = await read()
    const ask = available.find(({ name }: { name: string }) => name === 'ask_question')
    expect(ask.inputSchema).toMatchObject({ properties: { question: { type: 'string' } }, required: ['question'] })
  })

  const three = ['search_docs', 'ask_question', 'get_changelog']
  test.each([
    [
      'a list',
      { tools: three },
      three,
      ['get_changelog'],
      ['get_code_examples', 'find_api_reference', 'get_quickstart'],
    ],
    [
      'text with commas',
      { tools: ' search_docs,ask_question , get_changelog,' },
      three,
      ['get_changelog'],
      ['get_code_examples', 'find_api_reference', 'get_quickstart'],
    ],
    ['the same selection', { tools: [...DEFAULT_TOOLS] }, [...DEFAULT_TOOLS], [], []],
    ['some to add', { add: ['get_changelog'] }, [...DEFAULT_TOOLS, 'get_changelog'], ['get_changelog'], []],
    ['text to add', { add: 'get_changelog,search_docs' }, [...DEFAULT_TOOLS, 'get_changelog'], ['get_changelog'], []],
    ['some to remove', { remove: 'get_quickstart' }, DEFAULT_TOOLS.slice(0, 4), [], ['get_quickstart']],
    [
      'some to add and to remove',
      { add: 'get_changelog', remove: ['search_docs'] },
      [...DEFAULT_TOOLS.slice(1), 'get_changelog'],
      ['get_changelog'],
      ['search_docs'],
    ],
    ['tools already selected', { add: ['search_docs'], remove: ['get_changelog'] }, [...DEFAULT_TOOLS], [], []],
    [
      'a selection that overrides a change',
      { tools: [...DEFAULT_TOOLS], remove: 'search_docs' },
      [...DEFAULT_TOOLS],
      [],
      [],
    ],
    [
      'a selection that overrides an invalid change',
      { tools: [...DEFAULT_TOOLS], add: 5, remove: [{ name: 'search_docs' }] },
      [...DEFAULT_TOOLS],
      [],
      [],
    ],
    [
      'all ten',
      { tools: names },
      names,
      names.filter((name) => !(DEFAULT_TOOLS as readonly string[]).includes(name)),
      [],
    ],
  ])('changes the tools by %s', async (_, change, tools, added, removed) => {
    const { serverId, slug, read, change: send } = await server()
    const answer = await send(change)
    expect([answer.status, answer.body]).toEqual([200, { serverId, slug, tools, added, removed }])
    expect((await read()).tools).toEqual(tools)
  })

  test.each([
    [{}, { error: 'Provide `tools`, or `add` and/or `remove`.' }],
    [{ tools: null, add: null, remove: null }, { error: 'Provide `tools`, or `add` and/or `remove`.' }],
    [
      { tools: ['search_docs', 'ask_question', 'nope', 'custom:ct_none'] },
      { error: 'Unknown tool name', unknown: ['nope', 'custom:ct_none'], validTools: names },
    ],
    [
      { add: 5, remove: 'search_docs' },
      { error: 'invalid_input', message: 'add must be a list of names, or text with commas between them.' },
    ],
    [
      { add: 'get_changelog', remove: {} },
      { error: 'invalid_input', message: 'remove must be a list of names, or text with commas between them.' },
    ],
    [
      { tools: null, add: 5 },
      { error: 'invalid_input', message: 'add must be a list of names, or text with commas between them.' },
    ],
    [
      { tools: 5, add: 'get_changelog' },
      { error: 'invalid_input', message: 'tools must be a list of names, or text with commas between them.' },
    ],
    [{ add: 'nope' }, { error: 'Unknown tool name', unknown: ['nope'], validTools: names }],
    [{ remove: 'nope' }, { error: 'Unknown tool name', unknown: ['nope'], validTools: names }],
    [
      { tools: 'search_docs,ask_question' },
      { error: 'An MCP server needs at least 3 tools. That change would leave 2.', tools: DEFAULT_TOOLS },
    ],
    [
      { tools: [] },
      { error: 'An MCP server needs at least 3 tools. That change would leave 0.', tools: DEFAULT_TOOLS },
    ],
    [
      { remove: DEFAULT_TOOLS.slice(1) },
      { error: 'An MCP server needs at least 3 tools. That change would leave 1.', tools: DEFAULT_TOOLS },
    ],
  ])('refuses %j and keeps the tools', async (change, body) => {
    const { read, change: send } = await server()
    const answer = await send(change)
    expect([answer.status, answer.body]).toEqual([400, body])
    expect((await read()).tools).toEqual(DEFAULT_TOOLS)
  })

  test('selects the account’s custom tools as custom:<id> and no other account’s', async () => {
    const { serverId, change, read, create } = await server()
    const { accountId } = await docent.inStore(({ read }) =>
      read.selectFrom('servers').select('accountId').where('id', '=', serverId).executeTakeFirstOrThrow(),
    )
    const tool = {
      name: 'find_gadget',
      displayName: 'Find a gadget',
      description: 'Finds one',
      status: 'ready' as const,
    }
    const rest = { accountId, inputSchema: '{}', plan: '{}', error: null, createdAt: 0, updatedAt: 0 }
    const id = `ct_${serverId}`
    await docent.inStore(({ write }) => insertCustomTool(write, { id, ...tool, ...rest }))
    expect((await read()).customTools).toEqual([{ id, ...tool }])
    expect((await change({ add: `custom:${id}` })).body).toMatchObject({ added: [`custom:${id}`], removed: [] })
    expect((await read()).tools).toEqual([...DEFAULT_TOOLS, `custom:${id}`])
    const other = await server()
    expect((await other.change({ add: `custom:${id}` })).body).toEqual({
      error: 'Unknown tool name',
      unknown: [`custom:${id}`],
      validTools: names,
    })
    expect((await change({ remove: [`custom:${id}`] })).body).toMatchObject({ removed: [`custom:${id}`] })
    const tools = ['search_docs', 'ask_question', `custom:${id}`]
    const all = [...names, `custom:${id}`]
    expect((await change({ tools: all })).body).toEqual({ error: 'An MCP server can expose at most 10 tools.' })
    expect((await change({ tools })).body.tools).toEqual(tools)
    expect((await create(all)).body).toEqual({ error: 'Select between 3 and 10 tools' })
    expect((await create([...tools, 'custom:ct_none'])).status).toBe(200)
    expect((await other.create(tools)).body).toEqual({ error: 'At least 3 valid tools required' })
  })

  test.each([
    ['building', null, 'The custom tool "Find a gadget" is still being built. Add it when it is ready.'],
    ['failed', 'No source answers.', 'The custom tool "Find a gadget" could not be built: No source answers.'],
    ['failed', null, 'The custom tool "Find a gadget" could not be built.'],
  ] as const)('explains why a custom tool that is %s (%j) cannot be added', async (status, error, message) => {
    const { serverId, change, create } = await server()
    const id = `ct_${serverId}`
    await docent.inStore(async ({ read, write }) => {
      const find = read.selectFrom('servers').select('accountId').where('id', '=', serverId)
      const { accountId } = await find.executeTakeFirstOrThrow()
      const tool = { name: 'find_gadget', displayName: 'Find a gadget', description: 'Finds one' }
      const rest = { accountId, inputSchema: '{}', plan: null, createdAt: 0, updatedAt: 0 }
      await insertCustomTool(write, { id, ...tool, ...rest, status, error })
    })
    const refused = await change({ add: `custom:${id}` })
    const unknown = [`custom:${id}`]
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: 'Unknown tool name', unknown, validTools: names, message },
    ])
    const made = await create(['search_docs', 'ask_question', `custom:${id}`])
    expect([made.status, made.body]).toEqual([400, { error: 'At least 3 valid tools required', message }])
  })

  test('refuses input of another form', async () => {
    const { change } = await server()
    expect(await change({ tools: 7 })).toMatchObject({ status: 400, body: { error: 'invalid_input' } })
    expect(await change('[]')).toMatchObject({ status: 400, body: { error: 'The request body must be a JSON object' } })
    expect(await docent.request('GET', '/api/mcp/nobody/tools')).toMatchObject({
      status: 404,
      body: { error: 'Server not found' },
    })
    expect(await docent.request('PATCH', '/api/mcp/nobody/tools', {})).toMatchObject({ status: 404 })
  })

  test('applies a change at a client’s next request', async () => {
    const { slug, change } = await server()
    await change({ remove: 'search_docs' })
    const listed = await docent.request(
      'POST',
      `/api/mcp/${slug}`,
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { key: null },
    )
    expect(listed.body.result.tools.map(({ name }: { name: string }) => name)).not.toContain('search_docs')
  })
})
