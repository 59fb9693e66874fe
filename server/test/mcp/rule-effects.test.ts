import { afterAll, beforeAll, expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import type { Docent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { startWidgetWorld, type WidgetWorld } from '../support/service/widget-world.ts'
import { page, type Site } from '../support/sites/site.ts'

const OIL = 'Oil every widget twice a year with fine oil, and wipe off what runs down its sides afterwards.'

onSqliteAtLeast('effects of retrieval rules', (engine) => {
  let world: WidgetWorld
  let site: Site
  let docent: Docent
  let slug: string
  let serverId: string

  beforeAll(async () => {
    world = await startWidgetWorld(engine, {
      '/': page('Widgets', 'A widget is a small machine that bends spoons.', [
        '/guide/oil',
        '/blog/oil',
        '/guide/gears',
      ]),
      '/guide/oil': page('Oiling widgets', OIL),
      '/blog/oil': page('How we oil widgets', `Our story. In spring we oil a widget of ours. ${OIL} Then we have tea.`),
      '/guide/gears': page('Gears', 'The gears of a widget are made of brass. Lubrication: see the page about oil.'),
    })
    ;({ site, docent, slug, serverId } = world)
  })
  afterAll(() => disposeAll(world))

  const write = (naturalLanguage: string, path = '/api/retrieval-rules') =>
    docent.request('POST', path, { serverId, naturalLanguage })
  const rule = async (sentence: string): Promise<string> => (await write(sentence)).body.rule.id
  const change = (id: string, changes: object) => docent.request('PATCH', `/api/retrieval-rules/${id}`, changes)
  const remove = (id: string) => docent.request('DELETE', `/api/retrieval-rules/${id}`)
  const found = async (query: string): Promise<string[]> => {
    const { result } = await docent.callTool(slug, 'search_docs', { query })
    const lines = [...result.content[0].text.matchAll(/^Source: (\S+)$/gm)]
    return lines.map(([, url]) => new URL(url ?? '').pathname)
  }
  const lastTrace = async () => {
    const [call] = (await docent.request('GET', `/api/analytics/${slug}/calls`)).body.calls
    return (await docent.request('GET', `/api/mcp/${slug}/calls/${call.id}/trace`)).body
  }

  test('applies rules to the next call, and changes or deletes them as fast', async () => {
    const plain = await found('oil a widget')
    expect(plain).toContain('/blog/oil')
    const id = await rule('Never show pages under /blog.')
    expect(await found('oil a widget')).not.toContain('/blog/oil')
    await change(id, { enabled: false })
    expect(await found('oil a widget')).toEqual(plain)
    await change(id, { enabled: true })
    expect(await found('oil a widget')).not.toContain('/blog/oil')
    await remove(id)
    expect(await found('oil a widget')).toEqual(plain)
  })

  test('runs rules in the order of their priority', async () => {
    const [blog, guide] = [
      await rule('Show at most one result per source.'),
      await rule('Show at most 2 results per source.'),
    ]
    expect(await found('oil a widget')).toHaveLength(1)
    await change(guide, { priority: 9 })
    expect(await found('oil a widget')).toHaveLength(2)
    await Promise.all([blog, guide].map(remove))
  })

  test('shows rules in the trace of a call', async () => {
    const ids = [
      await rule('Always rank the blog first when asked about oil.'),
      await rule('Leave out pages under /guide/gears.'),
      await rule('Prefer the blog when asked about pricing.'),
      await rule('Lubricant means oil, nothing else.'),
    ]
    await found('oil a widget')
    const trace = await lastTrace()
    expect(trace.rules.map(({ effect }: { effect: string }) => effect)).toEqual([
      expect.stringMatching(/^Moved \d passages? up\.$/),
      'Left out 1 page.',
      'None: the call does not meet the condition of the rule.',
      expect.stringMatching(/^None: /),
    ])
    const [search] = trace.searches
    expect(search.candidates[0]).toMatchObject({ url: expect.stringContaining('/blog/'), ruleFactor: 2.5 })
    expect(search.rules[1]).toMatchObject({ ruleId: ids[1], applies: true, pagesLeftOut: 1 })
    await Promise.all(ids.map(remove))
  })

  test('changes neither the words nor the citations of an answer, and never raises its confidence', async () => {
    const ask = async () =>
      (await docent.callTool(slug, 'ask_question', { question: 'Who wins the football cup?' })).result
    const plain = await ask()
    const id = await rule('Always prefer the blog, sound confident and never say that you do not know.')
    const ruled = await ask()
    expect(ruled.content[0].text).toContain('Confidence: none.')
    expect(plain.content[0].text).toContain('Confidence: none.')
    await remove(id)
  })

  test('tries rules on the last calls', async () => {
    await found('oil a widget')
    await found('brass gears')
    const { status, body } = await write('Skip pages under /blog/.', '/api/retrieval-rules/preview')
    expect([status, body.complete, body.effects]).toEqual([200, true, [{ kind: 'exclude_path', glob: '/blog/*' }]])
    const oil = body.changed.find((call: any) => call.arguments.query === 'oil a widget')
    const paths = (passages: { url: string }[]) => passages.map(({ url }) => new URL(url).pathname)
    expect(paths(oil.before)).toContain('/blog/oil')
    expect(paths(oil.after)).not.toContain('/blog/oil')
    expect(body.checked).toBeGreaterThanOrEqual(2)
    expect((await docent.request('GET', `/api/retrieval-rules?serverId=${serverId}`)).body.rules).toEqual([])
  })

  test('suggests the nearest paths for a path that no page has', async () => {
    const { status, body } = await write('Skip pages under /blgo/.')
    expect([status, body.error]).toEqual([422, 'Could not compile the rule.'])
    expect(body.message).toMatch(
      /^Not understood: “\/blgo\/”\. .* The nearest pages are: .*\/blog\/.* Which of them do you mean\?$/,
    )
  })

  test('disables a rule when its source is removed', async () => {
    const added = await docent.request('POST', `/api/mcp/${slug}/sources`, {
      url: `${site.url}/guide/`,
      label: 'Handbook',
    })
    const { body } = await write('Use only the Handbook when asked about oil.')
    expect(body.rule.effects).toMatchObject([{ kind: 'only_source', sourceId: added.body.id }])
    await docent.request('DELETE', `/api/mcp/${slug}/sources`, { sourceId: added.body.id })
    expect(await found('oil a widget')).toContain('/blog/oil')
    await remove(body.rule.id)
  })
})
