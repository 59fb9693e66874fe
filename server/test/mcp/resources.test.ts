import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeArchive } from '../support/lib/make-archive.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'
import { MODERN_META } from '../support/mcp/mcp-fakes.ts'

const WIDGETS = 'Widgets are dusted twice a year, with a wet cloth and some patience.'

onSqliteAtLeast('pages as resources', (engine) => {
  const at = {} as { docent: Docent; site: Site }
  let slug = ''

  /** Sends a request in either era, without an API key. */
  const send = async (method: string, params: object, { server = slug, era = 'legacy', token = '' } = {}) => {
    const authorization: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` }
    const isModern = era === 'modern'
    const name = (params as { uri?: string }).uri
    const mirrored = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name ? { 'mcp-name': name } : {}),
    }
    const message = { jsonrpc: '2.0', id: 1, method, params: isModern ? { _meta: MODERN_META, ...params } : params }
    const headers = { ...authorization, ...(isModern ? mirrored : {}) }
    return at.docent.request('POST', `/api/mcp/${server}`, message, { key: null, headers })
  }
  const readText = async (uri: string, server = slug): Promise<string> => {
    const { body } = await send('resources/read', { uri }, { server })
    expect(body.error).toBeUndefined()
    return body.result.contents[0].text
  }

  beforeAll(async () => {
    at.site = await startSite({
      '/': page('Handbook', 'Welcome to the handbook, which tells how widgets are cared for on every wall.', ['/care']),
      '/care': page('Care', WIDGETS),
    })
    at.docent = await startDocent({ engine })
    const sources = [{ url: `${at.site.url}/`, type: 'docs' }]
    const { body } = await at.docent.request('POST', '/api/mcp/create', { name: 'All', sources, uploads: ['manual'] })
    slug = body.slug
    const archive = makeArchive({ 'guide/valves.md': '# Valves\n\n## Closing\n\nClose the valve clockwise.\n' })
    await at.docent.request('POST', `/api/mcp/${slug}/sources/upload?name=manual`, new Uint8Array(archive))
    await at.docent.untilDone(slug)
  })
  afterAll(async () => {
    for (const part of [at.docent, at.site]) await part[Symbol.asyncDispose]()
  })

  test.each(['legacy', 'modern'])('lists and reads pages of sites and uploads for a %s client', async (era) => {
    const { body } = await send('resources/list', {}, { era })
    const uris = body.result.resources.map(({ uri }: { uri: string }) => uri)
    expect(uris.toSorted()).toEqual([`${at.site.url}/`, `${at.site.url}/care`, 'upload://manual/guide/valves.md'])
    for (const [uri, text] of [
      [`${at.site.url}/care`, WIDGETS],
      ['upload://manual/guide/valves.md#closing', '## Closing\n\nClose the valve clockwise.'],
    ]) {
      const read = await send('resources/read', { uri }, { era })
      expect(read.body.result).toMatchObject({
        contents: [{ uri, mimeType: 'text/markdown', text: expect.stringContaining(text ?? '') }],
        ...(era === 'modern' ? { resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' } : {}),
      })
    }
  })

  test('reads a cited page with the search tool', async () => {
    const found = await at.docent.callTool(slug, 'search_docs', { query: 'close the valve' })
    const cited = /^Source: (\S+)$/m.exec(found.result.content[0].text)?.[1]
    const read = await at.docent.callTool(slug, 'search_docs', { page: cited })
    expect(read.result.content[0].text).toContain(`[1] Valves › Closing\nSource: ${cited}`)
  })

  test('reads no page of another server', async () => {
    const other = (await at.docent.request('POST', '/api/mcp/create', { name: 'Empty', uploads: ['none'] })).body.slug
    const { status, body } = await send('resources/read', { uri: `${at.site.url}/care` }, { server: other })
    expect([status, body.error]).toMatchObject([200, { code: -32602, data: { uri: `${at.site.url}/care` } }])
    expect((await send('resources/list', {}, { server: other })).body.result).toEqual({ resources: [] })
  })

  test('records a read page in the request log without counting it as a tool call', async () => {
    const used = async () => (await at.docent.request('GET', '/api/billing/usage')).body.mcpRequests.used as number
    const log = async () => (await at.docent.request('GET', `/api/analytics/${slug}/calls?tool=resources/read`)).body
    await expect.poll(async () => (await log()).total).toBeGreaterThanOrEqual(4)
    const [total, before] = [(await log()).total, await used()]
    await readText(`${at.site.url}/care`)
    await expect.poll(async () => (await log()).total).toBe(total + 1)
    const { calls } = await log()
    expect(calls[0]).toMatchObject({
      tool: 'resources/read',
      status: 'ok',
      arguments: { uri: `${at.site.url}/care` },
      citations: [{ url: `${at.site.url}/care`, title: 'Care' }],
    })
    expect(await used()).toBe(before)
    const trace = await at.docent.request('GET', `/api/mcp/${slug}/calls/${calls[0].id}/trace`)
    expect(trace.body).toMatchObject({ searches: [], remark: 'The page was read by its address, without a search.' })
  })

  test('opens a private server with its token only, and its answers are not for shared caches', async () => {
    const created = await at.docent.request('POST', '/api/mcp/create', {
      name: 'Private',
      visibility: 'private',
      sources: [{ url: `${at.site.url}/`, type: 'docs' }],
    })
    const { slug: server, accessToken } = created.body
    await at.docent.untilDone(server)
    const uri = `${at.site.url}/care`
    for (const [method, params] of [
      ['resources/list', {}],
      ['resources/read', { uri }],
      ['resources/templates/list', {}],
    ] as const) {
      const refused = await send(method, params, { server })
      expect([refused.status, refused.body.error.code]).toEqual([401, -32001])
      const { body } = await send(method, params, { server, era: 'modern', token: accessToken })
      expect(body.result).toMatchObject({ cacheScope: 'private' })
    }
  })

  test('limits reads as tool calls are limited', async () => {
    const { body } = await at.docent.request('POST', '/api/mcp/create', { name: 'Limited', uploads: ['none'] })
    const statuses: number[] = []
    for (let count = 0; count < 201; count++)
      statuses.push((await send('resources/list', {}, { server: body.slug })).status)
    expect(statuses.slice(0, 200).every((status) => status === 200)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
  })
})
