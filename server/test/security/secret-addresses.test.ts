import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { SOURCE_TYPES } from '@docent/contract/values/source-kinds'
import { expect, test } from 'vitest'
import { drawPdf } from '../support/lib/draw-pdf.ts'
import { backUp } from '../support/database/back-up.ts'
import { makePlace, onSqliteAtLeast } from '../support/database/engines.ts'
import { connectAssistant } from '../support/service/account-client.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { findGit, startGitHost } from '../support/sites/git-host.ts'
import { startReceiver } from '../support/sites/receiver.ts'
import { startRemoteMcp } from '../support/sites/remote-mcp.ts'
import { page } from '../support/sites/site.ts'

const METRICS_TOKEN = 'token-of-24-characters-1'
const environment = {
  DOCENT_SECRET_KEY: 'a-secret-key-that-is-only-used-in-tests',
  DOCENT_RATE_LIMITS: 'off',
  DOCENT_METRICS_TOKEN: METRICS_TOKEN,
}
const git = findGit()

/** Queries with a key. All keys begin with `planted`, so that one search finds them. */
const KEYS = {
  website: 'api_key=planted-website-0123456789',
  docs: 'v=2&token=planted%2Ddocs/0123456789==',
  api: 'X-Amz-Signature=planted-api-0123456789',
  pdf: 'sig=planted-pdf-0123456789',
  mcp: 'key=planted-mcp-0123456789',
  repo: 'access_token=planted-repo-0123456789',
  random: 'q=planted7Gk2xV9bQ4mZ8',
}
const USER = 'planted-user:planted-password-0123'
/** Signs of a key in any output, also percent-encoded and in Base64. */
const PLANTED = /.{0,80}(?:planted(?:-|%2D|7)|cGxhbnRlZC).{0,40}/i

const API = {
  openapi: '3.1.0',
  info: { title: 'Sprocket API', version: '1' },
  paths: { '/sprockets': { get: { summary: 'List sprockets', responses: { 200: { description: 'All of them' } } } } },
}

const sorted = (query: string) => [...new URLSearchParams(query)].map(String).toSorted().join()

/** Answers only requests with a key, and repeats the address in its pages and refusals, as careless sites do. */
async function startLockedSite() {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const address = request.url ?? '/'
    const { pathname, search } = new URL(address, 'http://a')
    const kind = pathname.split('/')[1] ?? ''
    const query = KEYS[kind as keyof typeof KEYS]
    const hasUser = request.headers.authorization === `Basic ${btoa(USER)}`
    const send = (type: string, body: string | Uint8Array) =>
      void response.writeHead(200, { 'content-type': type }).end(body)
    if (pathname === '/robots.txt') return void response.writeHead(404).end()
    if (pathname.endsWith('/plain')) return send('text/html', page('Plain', `A plain ${kind} sprocket.${search}`))
    if (kind === 'moved') return void response.writeHead(302, { location: `/website/?${KEYS.website}` }).end()
    if (kind === 'user' ? !hasUser : query === undefined || sorted(search) !== sorted(query)) {
      return void response.writeHead(401).end(`No entry with ${address}`)
    }
    if (kind === 'api') return send('application/json', JSON.stringify(API))
    if (kind === 'pdf')
      return send(
        'application/pdf',
        drawPdf([[{ x: 72, y: 720, text: 'Oil the pdf sprockets of the manual twice.', size: 12, font: 'sans' }]]),
      )
    const links = [`/${kind}/next?${query}`, `/${kind}/plain?token=planted-link-1&page=2`, '#part']
    if (pathname.endsWith('/next')) return send('text/html', page('Next', `The next ${kind} sprocket is blue.`))
    send('text/html', page(`Sprockets of ${kind}`, `Oil the ${kind} sprockets. This is ${address}.`, links))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const register = (server: McpServer) => {
  server.registerTool('oil', { description: 'Oils a remote sprocket.', annotations: { readOnlyHint: true } }, () => ({
    content: [{ type: 'text', text: `Oiled with ${KEYS.mcp}` }],
  }))
}

/** The text of everything in the database. */
const tablesOf = ({ inStore }: Docent) =>
  inStore(async ({ read }) => {
    const dump: string[] = []
    for (const { name } of await read.introspection.getTables()) {
      const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(read)
      const plain = (_: string, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value
      dump.push(...rows.map((row) => `${name} ${JSON.stringify(row, plain)}`))
    }
    return dump.join('\n')
  })

onSqliteAtLeast('addresses with a key', (engine) => {
  test('shows no key of any kind of source in any output, and stores none in clear', async () => {
    await using site = await startLockedSite()
    await using remote = await startRemoteMcp({ register })
    remote.query = KEYS.mcp
    await using receiver = await startReceiver()
    await using host = git && (await startGitHost(git))
    host?.commit({ 'README.md': '# Widgets\n\nA widget of the repository has a sprocket.\n' })
    if (host) host.user = USER
    await using docent = await startDocent({ engine, environment })
    const outputs = new Map<string, string[]>()
    const note = (kind: string, text: string) => outputs.set(kind, [...(outputs.get(kind) ?? []), text])
    const ask = async (kind: string, method: string, path: string, body?: unknown) => {
      const answer = await docent.request(method, path, body)
      note(kind, answer.text)
      return answer
    }
    const hook = { url: `${receiver.url}?${KEYS.website}`, events: ['server.indexed'] }
    const { body: webhook } = await ask('answers', 'POST', '/api/webhooks', hook)
    expect(webhook.url).toBe(`${receiver.url}?api_key=…`)

    const sources: { url: string; type?: string }[] = [
      ...(['website', 'docs', 'random'] as const).map((kind) => ({ url: `${site.url}/${kind}/?${KEYS[kind]}` })),
      { url: `${site.url}/api/?${KEYS.api}`, type: 'api' },
      { url: `${site.url}/pdf/?${KEYS.pdf}`, type: 'pdf' },
      { url: `${site.url}/repo/x/?${KEYS.repo}`, type: 'repo' },
      { url: `${remote.url}?${KEYS.mcp}`, type: 'mcp' },
      { url: `http://${USER}@${site.url.slice(7)}/user/` },
      ...(host ? [{ url: `http://${USER}@${host.url.slice(7)}/acme/widgets.git` }] : []),
      { url: `htp://nothing/?${KEYS.website}` },
    ]
    const made = await ask('answers', 'POST', '/api/mcp/create', { name: 'Keys', sources })
    expect([made.status, made.body.visibility]).toEqual([200, 'private'])
    const { slug, accessToken } = made.body
    const path = `/api/mcp/${slug}`
    await docent.untilDone(slug)
    const { body: detail } = await ask('answers', 'GET', path)
    for (const source of detail.sources) expect(URL.canParse(source.url)).toBe(true)
    // One repository has no git host. Its reason is text with the address.
    expect
      .soft(detail.sources.map(({ crawlStatus }: any) => crawlStatus))
      .toEqual(sources.slice(0, -1).map(({ type }) => (type === 'repo' ? 'error' : 'complete')))
    expect(new Set(detail.sources.map(({ type }: any) => type))).toEqual(new Set(SOURCE_TYPES))

    const refusals = [
      { url: `http://10.1.2.3/?${KEYS.website}` },
      { url: `http://${USER}@10.1.2.3/` },
      { url: `nonsense?${KEYS.website}` },
      { url: `${site.url}/repo/x?${KEYS.repo}`, type: 'repo' },
      { url: `${site.url}/website?${KEYS.website}` },
    ]
    for (const source of refusals) await ask('errors', 'POST', `${path}/sources`, source)
    await ask('errors', 'POST', '/api/mcp/create', { name: 'No', sources: refusals.slice(0, 3) })
    for (const { url } of [...sources, ...refusals]) await ask('answers', 'POST', '/api/sources/detect', { url })

    const headers = { authorization: `Bearer ${accessToken}` }
    const rpc = async (kind: string, method: string, params: object) => {
      const message = { jsonrpc: '2.0', id: 1, method, params }
      const { text, body } = await docent.request('POST', path, message, { key: null, headers })
      note(kind, text)
      return body
    }
    const clientInfo = { name: 'test', version: '1' }
    await rpc('instructions', 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    await rpc('instructions', 'tools/list', {})
    const { result } = await rpc('resources', 'resources/list', {})
    for (const { uri } of result.resources) await rpc('resources', 'resources/read', { uri })
    const call = (name: string, args: object) => rpc('citations', 'tools/call', { name, arguments: args })
    for (const query of [
      'sprockets',
      'next sprocket',
      'plain sprocket',
      'manual',
      'list sprockets',
      'oil remote',
      'widget',
    ]) {
      await call('search_docs', { query })
      await call('ask_question', { question: `What about ${query}?` })
    }
    for (const { id } of detail.sources) await call('query_source', { source: id, query: 'sprocket' })
    await call('query_source', { source: detail.sources[6].id, tool: 'oil' })
    await call('query_source', { source: 'unknown', query: 'sprocket' })
    await call('query_source', { source: `${remote.url}?${KEYS.mcp}`, query: 'sprocket' })

    await using assistant = await connectAssistant(docent.url, docent.key, 'legacy')
    for (const tool of ['list_servers', 'get_server', 'get_indexing_progress']) {
      note('answers', JSON.stringify(await assistant.call(tool, { server: slug })))
    }
    note(
      'answers',
      JSON.stringify(await assistant.call('remove_source', { server: slug, source_id: detail.sources[0].id })),
    )
    const { sources: indexed } = detail
    for (const { id } of indexed) await ask('exports', 'GET', `${path}/pages?sourceId=${id}`)
    for (const format of ['csv', 'ndjson']) {
      await ask('exports', 'GET', `${path}/pages/export?format=${format}`)
      await ask('exports', 'GET', `/api/analytics/${slug}/calls/export?format=${format}`)
    }
    for (const part of ['', '/calls', '/pages', '/quality', '/unanswered', '/summary']) {
      await ask('log', 'GET', `/api/analytics/${slug}${part}`)
    }
    await ask('events', 'GET', `/api/events?serverId=${detail.id}`)
    for (const state of ['failed', 'done']) await ask('log', 'GET', `/api/instance/jobs?state=${state}`)
    const rule = { serverId: detail.id, naturalLanguage: 'Prefer the first source for every question.' }
    await ask('answers', 'POST', '/api/retrieval-rules', rule)
    const [event] = await receiver.until(1)
    expect(event?.path).toContain(KEYS.website)
    note('webhooks', event?.text ?? '')
    await ask('webhooks', 'GET', '/api/webhooks')
    // What was shown can be sent back.
    await ask('webhooks', 'PATCH', `/api/webhooks/${webhook.id}`, { url: webhook.url, name: 'Pager' })
    expect((await ask('webhooks', 'POST', `/api/webhooks/${webhook.id}/test`)).body.state).toBe('delivered')
    expect((await receiver.until(2))[1]?.path).toContain(KEYS.website)
    await ask('webhooks', 'GET', `/api/webhooks/${webhook.id}/deliveries`)
    await ask('audit', 'GET', '/api/audit')
    for (const format of ['csv', 'ndjson']) await ask('audit', 'GET', `/api/audit/export?format=${format}`)
    const metrics = await fetch(`${docent.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
    expect(metrics.status).toBe(200)
    note('metrics', await metrics.text())
    note('tables', await tablesOf(docent))
    const backup = readFileSync(await backUp(docent.place))
    note('backups', backup.toString('latin1'))

    const kinds = 'instructions citations resources errors log events exports webhooks audit metrics'.split(' ')
    expect(kinds.filter((kind) => !outputs.get(kind)?.some((text) => text.length > 100))).toEqual([])
    const shown = kinds.filter((kind) => outputs.get(kind)?.some((text) => PLANTED.test(text)))
    expect(shown).toEqual([])
    for (const [kind, texts] of outputs) {
      expect.soft([kind, texts.flatMap((text) => PLANTED.exec(text)?.[0] ?? [])]).toEqual([kind, []])
    }
  })
})

const sourcesOf = async (docent: Docent, slug: string) =>
  (await docent.request('GET', `/api/mcp/${slug}`)).body.sources as any[]

onSqliteAtLeast('source with a key in its address', (engine) => {
  test('is compared by its full address, warned about, and has its key removed', async () => {
    await using site = await startLockedSite()
    await using docent = await startDocent({ engine, environment })
    const at = (key: string) => `${site.url}/website/?api_key=${key}`
    const made = await docent.request('POST', '/api/mcp/create', {
      name: 'Keys',
      sources: [{ url: at('planted-website-0123456789') }],
    })
    expect(made.body).toMatchObject({
      visibility: 'public',
      warnings: [expect.stringMatching(/^The address contains a credential \(api_key\)\. It is stored encrypted/)],
    })
    const path = `/api/mcp/${made.body.slug}`
    const add = (url: string) => docent.request('POST', `${path}/sources`, { url })
    expect((await add(`${at('planted-website-0123456789')}#part`)).body.error).toBe('Source already exists')
    expect((await add(at('…'))).body.error).toBe('Source already exists')
    const second = await add(at('planted-second-0123456789'))
    expect(second.body).toMatchObject({
      url: at('…2'),
      hasCredential: true,
      visibility: 'public',
      warning: expect.stringContaining('api_key'),
    })
    const plain = await add(`${site.url}/website/plain`)
    expect(plain.body.hasCredential).toBe(false)
    expect(plain.body).not.toHaveProperty('warning')
    const remove = (url: string) => docent.request('DELETE', `${path}/sources`, { url })
    expect((await remove(at('planted-third-0123456789'))).body.removed).toBe(0)
    expect((await remove(at('planted-second-0123456789'))).body.removed).toBe(1)
    const [first] = await sourcesOf(docent, made.body.slug)
    expect([first.url, first.hasCredential]).toEqual([at('…'), true])

    await docent.untilDone(made.body.slug)
    const change = (body: object) => docent.request('PATCH', `${path}/sources`, { sourceId: first.id, ...body })
    expect((await change({ secret: 'another' })).body.error).toBe('Only MCP sources can carry credentials.')
    expect((await change({ remove: true })).body).toMatchObject({ ok: true, hasCredential: false, tools: [] })
    await docent.untilDone(made.body.slug)
    const [left] = await sourcesOf(docent, made.body.slug)
    expect(left).toMatchObject({ url: `${site.url}/website/`, hasCredential: false, pagesIndexed: 0 })
    expect(await tablesOf(docent)).not.toMatch(/"sealedUrl":"/)
    expect((await change({ remove: true })).body.error).toBe('Only MCP sources can carry credentials.')
  })

  test('keeps a server private as long as an MCP source has its key', async () => {
    await using remote = await startRemoteMcp({ register })
    remote.query = KEYS.mcp
    await using docent = await startDocent({ engine, environment })
    const made = await docent.request('POST', '/api/mcp/create', { name: 'A', uploads: ['notes'] })
    const path = `/api/mcp/${made.body.slug}`
    const added = await docent.request('POST', `${path}/sources`, { url: `${remote.url}?${KEYS.mcp}`, type: 'mcp' })
    expect(added.body).toMatchObject({ visibility: 'private', hasCredential: true })
    expect(added.body.issuedToken.plaintext).toMatch(/^dat_/)
    const publish = () => docent.request('PATCH', `${path}/visibility`, { visibility: 'public' })
    expect((await publish()).body.error).toBe('private_source_present')
    await docent.request('PATCH', `${path}/sources`, { sourceId: added.body.id, remove: true })
    expect((await publish()).status).toBe(200)
  })

  test('is not indexed as an MCP server that was only detected, on a public server', async () => {
    await using remote = await startRemoteMcp({ register })
    remote.query = KEYS.mcp
    await using docent = await startDocent({ engine, environment })
    const url = `${remote.url.replace('/mcp', '/endpoint')}?${KEYS.mcp}`
    const { detail, visibility } = await docent.createServer({ name: 'A', sources: [{ url }] })
    expect([visibility, detail.sources[0].crawlStatus]).toEqual(['public', 'error'])
    expect(detail.sources[0].crawlError).toContain('add it again with the type mcp')
  })

  test('is refused without a key for credentials', async () => {
    await using docent = await startDocent({ engine, environment })
    await docent.inStore(({ write }) => write.updateTable('secretKeys').set({ id: 'another' }).execute())
    const sources = [{ url: 'https://docs.example.test/?api_key=planted-x' }]
    const { status, body } = await docent.request('POST', '/api/mcp/create', { name: 'A', sources })
    expect([status, body.error]).toEqual([503, 'credentials_unavailable'])
  })

  test('is encrypted at the next start if an earlier version stored it in clear', async () => {
    await using site = await startLockedSite()
    await using place = await makePlace(engine)
    const url = `${site.url}/website/?${KEYS.website}`
    let slug = ''
    let key = ''
    {
      await using docent = await startDocent({ engine, place, environment })
      key = docent.key
      slug = (await docent.createServer({ name: 'A', sources: [{ url: `${site.url}/website/plain` }] })).slug
      await docent.callTool(slug, 'search_docs', { query: 'sprocket' })
      await docent.request('POST', '/api/webhooks', { url: `${site.url}/`, events: ['server.indexed'] })
      await docent.inStore(({ write }) => write.updateTable('sources').set({ url }).execute())
      await docent.inStore(({ write }) => write.updateTable('webhooks').set({ url }).execute())
    }
    await using docent = await startDocent({ engine, place, key, environment })
    await expect.poll(() => sourcesOf(docent, slug)).toMatchObject([{ url: `${site.url}/website/?api_key=…` }])
    const { sources } = await docent.untilDone(slug)
    expect(sources).toMatchObject([{ hasCredential: true, crawlStatus: 'complete', pagesIndexed: 3 }])
    expect((await docent.request('GET', '/api/webhooks')).body.webhooks).toMatchObject([
      { url: `${site.url}/website/?api_key=…` },
    ])
    expect(PLANTED.exec(await tablesOf(docent))).toBeNull()
  })
})
