import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { type Site, startSite } from '../support/sites/site.ts'
import { linesOf, SETTING_PROMPT as PROMPT, WIDGET_PAGES as PAGES } from '../support/sites/widget-site.ts'

onSqliteAtLeast('custom tools', (engine) => {
  let site: Site
  let docent: Docent
  let slug: string
  let serverId: string

  beforeAll(async () => {
    site = await startSite(PAGES)
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
    const sources = [{ url: `${site.url}/` }]
    ;({ slug, serverId } = await docent.createServer({ name: 'Widgets', sources, structuredOutput: true }))
  })
  afterAll(() => disposeAll(docent, site))

  const build = async (body: object) => linesOf((await docent.request('POST', '/api/custom-tools', body)).text)
  const attach = (change: object) => docent.request('PATCH', `/api/mcp/${slug}/tools`, change)
  const remove = (id: string) => docent.request('DELETE', `/api/custom-tools/${id}`)
  const rpc = async (method: string, params: object = {}) =>
    (await docent.request('POST', `/api/mcp/${slug}`, { jsonrpc: '2.0', id: 1, method, params }, { key: null })).body
  const untilBuilt = async (id: string) => {
    for (;;) {
      const { body } = await docent.request('GET', `/api/custom-tools/${id}`)
      if (body.status !== 'building') return body
      await sleep(25)
    }
  }

  test('builds a tool in a stream, lists it on a server and answers its calls with citations', async () => {
    const events = await build({ prompt: PROMPT, sources: [{ url: `${site.url}/` }] })
    expect(events.map(({ type, stage }) => stage ?? type)).toEqual([
      'reading',
      'reading',
      // No page says what belongs to widgets, so a setting is looked up in all.
      'designing',
      'validating',
      'designing',
      'validating',
      'tool',
    ])
    const { tool } = events.at(-1)
    expect(tool).toMatchObject({ status: 'ready', name: 'look_up_setting', prompt: PROMPT })
    expect(tool.inputSchema).toMatchObject({ properties: { setting: { type: 'string' } }, required: ['setting'] })

    const name = `custom:${tool.id}`
    expect((await attach({ add: name })).body.added).toEqual([name])
    const { result } = await rpc('tools/list')
    const listed = result.tools.find((each: any) => each.name === tool.name)
    expect(listed).toMatchObject({ description: tool.description, annotations: { readOnlyHint: true } })
    expect(listed.inputSchema.properties.setting.description).toContain('Name of the setting')

    const answer = await rpc('tools/call', { name: tool.name, arguments: { setting: 'gear_limit' } })
    const [{ text }] = answer.result.content
    expect(text).toContain('bounds the speed of its gears')
    expect(text).toContain(`Source: ${site.url}/settings/gear_limit`)
    expect(text).toMatch(/^\[1\] /m)

    const wrong = await rpc('tools/call', { name: tool.name, arguments: { name: 'gear_limit' } })
    expect(wrong.error.message).toContain('"setting" must be text')

    const { body: log } = await docent.request('GET', `/api/analytics/${slug}/calls?tool=${tool.name}&status=ok`)
    expect(log.calls[0]).toMatchObject({ tool: tool.name, arguments: { setting: 'gear_limit' }, outcome: 'answered' })
    await rpc('tools/call', { name: tool.name, arguments: { setting: 'zeppelin_hangar' } })
    const { body: rest } = await docent.request('GET', `/api/analytics/${slug}/calls?tool=${tool.name}`)
    expect(rest.calls.map(({ outcome }: any) => outcome)).toEqual(['none', 'refused', 'answered'])
    expect(log.calls[0].citations[0].url).toContain('/settings/gear_limit')
    // A name that no entry has is searched.
    await rpc('tools/call', { name: tool.name, arguments: { setting: 'speed of the gears' } })
    const { body: after } = await docent.request('GET', `/api/analytics/${slug}/calls?tool=${tool.name}&status=ok`)
    const trace = await docent.request('GET', `/api/mcp/${slug}/calls/${after.calls[0].id}/trace`)
    expect(trace.body.searches.length).toBeGreaterThan(0)

    const { body } = await remove(tool.id)
    expect(body.detachedFrom).toEqual([expect.objectContaining({ id: serverId, remainingTools: 5 })])
    expect((await rpc('tools/list')).result.tools.map((each: any) => each.name)).not.toContain(tool.name)
    const gone = await rpc('tools/call', { name: tool.name, arguments: { setting: 'gear_limit' } })
    expect(gone.error.message).toContain(tool.name)
  })

  test('gives a second tool of the same kind another name', async () => {
    const [first, second] = [await build({ prompt: PROMPT }), await build({ prompt: PROMPT })]
    const names = [first.at(-1).tool.name, second.at(-1).tool.name]
    expect(names).toEqual(['look_up_setting', 'look_up_setting_2'])
    const ids = [first.at(-1).tool.id, second.at(-1).tool.id]
    await attach({ add: ids.map((id) => `custom:${id}`) })
    expect((await rpc('tools/list')).result.tools.map((each: any) => each.name)).toEqual(expect.arrayContaining(names))
    for (const id of ids) await remove(id)
  })

  test('keeps a server with two tools working and says so', async () => {
    const { tool } = (await build({ prompt: PROMPT })).at(-1)
    await attach({ tools: ['search_docs', 'ask_question', `custom:${tool.id}`] })
    const { body } = await remove(tool.id)
    expect(body.detachedFrom[0]).toMatchObject({ remainingTools: 2, notice: expect.stringContaining('2 tools') })
    expect((await docent.request('GET', `/api/mcp/${slug}/tools`)).body.notice).toContain('goes on working')
    expect((await rpc('tools/list')).result.tools).toHaveLength(2)
    const found = await rpc('tools/call', { name: 'search_docs', arguments: { query: 'oil' } })
    expect(found.result.content[0].text).toContain('Oil every widget')
    await attach({
      tools: ['search_docs', 'ask_question', 'get_code_examples', 'find_api_reference', 'get_quickstart'],
    })
  })

  test.each([
    [
      'what no tool can do',
      'Send an email to the team whenever a page about widgets changes.',
      'it cannot “send an email',
    ],
    [
      'a subject that the sources lack',
      'Look up a Kubernetes custom resource by its name and explain it.',
      'Kubernetes',
    ],
    [
      'issues that nobody has indexed',
      'Search known bugs of widgets and pull requests in the issue tracker.',
      'no issues',
    ],
  ])('fails with a sentence for %s, and lists the failed tool', async (_, prompt, reason) => {
    const events = await build({ prompt })
    expect(events.filter(({ type }) => type !== 'progress')).toEqual([
      { type: 'error', message: events.at(-1).message },
    ])
    expect(events.at(-1).message).toContain(reason)
    const { tools } = (await docent.request('GET', '/api/custom-tools')).body
    const failed = tools.find((each: any) => each.prompt === prompt)
    expect(failed).toMatchObject({ status: 'failed', error: events.at(-1).message, plan: null })
    const { customTools } = (await docent.request('GET', `/api/mcp/${slug}/tools`)).body
    expect(customTools.find(({ id }: any) => id === failed.id).error).toBe(failed.error)
    const again = await docent.request('POST', `/api/custom-tools/${failed.id}/retry`)
    expect(linesOf(again.text).at(-1)).toEqual({ type: 'error', message: failed.error })
    await remove(failed.id)
  })

  test('builds again only what has failed', async () => {
    const { tool } = (await build({ prompt: PROMPT })).at(-1)
    const again = await docent.request('POST', `/api/custom-tools/${tool.id}/retry`)
    expect([again.status, again.body.error]).toEqual([409, 'custom_tool_not_failed'])
    await remove(tool.id)
  })

  test('finishes a build whose client has left', async () => {
    const response = await fetch(`${docent.url}/api/custom-tools`, {
      method: 'POST',
      headers: { authorization: `Bearer ${docent.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: PROMPT }),
    })
    await response.body?.cancel()
    const { tools } = (await docent.request('GET', '/api/custom-tools')).body
    expect(await untilBuilt(tools.at(-1).id)).toMatchObject({ status: 'ready', name: 'look_up_setting' })
    await remove(tools.at(-1).id)
  })

  test('builds once for repeated requests with one idempotency key', async () => {
    const send = async () => {
      const headers = { 'idempotency-key': 'twice' }
      return linesOf((await docent.request('POST', '/api/custom-tools', { prompt: PROMPT }, { headers })).text).at(-1)
        .tool
    }
    const [one, other] = await Promise.all([send(), send()])
    expect(one.id).toBe(other.id)
    expect((await send()).id).toBe(one.id)
    expect((await docent.request('GET', '/api/custom-tools')).body.tools).toHaveLength(1)
    await untilBuilt(one.id)
    await remove(one.id)
  })

  test('reads some pages of a site that is not indexed, and keeps nothing of it', async () => {
    const key = await docent.makeKey(`sample-${engine}@example.test`)
    const body = {
      prompt: PROMPT,
      sources: [{ url: `${site.url}/` }, { url: 'http://10.1.2.3/' }, { url: 'no address' }],
    }
    const { text } = await docent.request('POST', '/api/custom-tools', body, { key })
    const events = linesOf(text)
    const messages = events.flatMap(({ message }) => message ?? [])
    expect(messages.join(' ')).toContain('http://10.1.2.3/, no address could not be read')
    expect(messages.at(-1)).toMatch(/Tried the tool with .*“(?:oil_interval|gear_limit|spoon_angle)”/)
    expect(events.at(-1).type).toBe('tool')
    expect((await docent.request('GET', '/api/mcp/list', undefined, { key })).body).toEqual([])
  })

  test('checks a plan against its schema only if nothing is indexed', async () => {
    const key = await docent.makeKey(`empty-${engine}@example.test`)
    const { text } = await docent.request('POST', '/api/custom-tools', { prompt: PROMPT }, { key })
    const events = linesOf(text)
    expect(events.map(({ type, stage }) => stage ?? type)).toEqual(['reading', 'designing', 'validating', 'tool'])
    expect(events[2].message).toContain('no indexed content')
  })
})
