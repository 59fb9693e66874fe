import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { startDocent } from '../support/service/harness.ts'
import { startRemoteMcp } from '../support/sites/remote-mcp.ts'

const SECRET = 'canary-secret-0123456789'

onSqliteAtLeast('MCP server as a source', (engine) => {
  test('indexes an MCP server, calls it live, and re-indexes it when it changes', async () => {
    const offered = new Map([['oil_gadget', 'Oils a gadget of any size.']])
    const register = (server: McpServer) => {
      for (const [name, description] of offered) {
        server.registerTool(name, { description, annotations: { readOnlyHint: true } }, () => ({
          content: [{ type: 'text', text: `${name} is done.` }],
        }))
      }
    }
    await using remote = await startRemoteMcp({ register })
    remote.lock = { header: 'authorization', value: `Bearer ${SECRET}` }
    await using docent = await startDocent({
      engine,
      environment: { DOCENT_SECRET_KEY: 'a-secret-key-that-is-only-used-in-tests' },
    })
    const { body: server } = await docent.request('POST', '/api/mcp/create', {
      name: 'Gadgets',
      tools: ['search_docs', 'query_source', 'ask_question'],
      sources: [{ url: remote.url, type: 'mcp', label: 'Gadgets', auth: { secret: SECRET } }],
    })
    const headers = { authorization: `Bearer ${server.accessToken}` }
    const call = async (name: string, args: object) => {
      const { result } = await docent.callTool(server.slug, name, args, headers)
      return result.content[0].text as string
    }
    const detail = await docent.untilDone(server.slug)
    expect(detail.sources).toMatchObject([{ type: 'mcp', crawlStatus: 'complete', pagesIndexed: 2 }])
    expect(await call('search_docs', { query: 'oil a gadget' })).toContain(`Source: ${remote.url}?tool=oil_gadget`)
    expect(await call('query_source', { source: 'Gadgets' })).toContain('Gadgets › oil_gadget')
    expect(await call('query_source', { source: 'Gadgets', tool: 'oil_gadget' })).toContain('oil_gadget is done.')

    offered.clear()
    offered.set('polish_gadget', 'Polishes gadgets until they shine.')
    await docent.request('POST', `/api/mcp/${server.slug}/crawl`)
    await docent.untilDone(server.slug)
    expect(await call('search_docs', { query: 'polish' })).toContain('?tool=polish_gadget')
    expect(await call('search_docs', { query: 'oil a gadget of any size' })).not.toContain('?tool=oil_gadget')

    remote.lock = { header: 'authorization', value: 'Bearer another' }
    await docent.request('POST', `/api/mcp/${server.slug}/crawl`)
    const { sources } = await docent.untilDone(server.slug)
    expect(sources[0].crawlError).toMatch(
      /^127\.0\.0\.1:\d+ refused the credential \(401\)\. Give this source a new one\. What was indexed before/,
    )
    expect(await call('search_docs', { query: 'polish' })).toContain('?tool=polish_gadget')
  })

  test('exposes tools that write only when its owner allows them, as the list of tools shows', async () => {
    const register = (server: McpServer) =>
      server.registerTool('melt', {}, () => ({ content: [{ type: 'text', text: 'Melted.' }] }))
    await using remote = await startRemoteMcp({ register })
    await using docent = await startDocent({ engine })
    const { body: server } = await docent.request('POST', '/api/mcp/create', {
      name: 'Gadgets',
      tools: ['search_docs', 'query_source', 'ask_question'],
      sources: [{ url: remote.url, type: 'mcp', label: 'Gadgets' }],
    })
    const melt = async () => {
      const { result, error } = await docent.callTool(server.slug, 'query_source', { source: 'Gadgets', tool: 'melt' })
      return (error?.message ?? result.content[0].text) as string
    }
    const isReadOnly = async () => {
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const { body } = await docent.request('POST', `/api/mcp/${server.slug}`, list, { key: null })
      return body.result.tools.find(({ name }: { name: string }) => name === 'query_source').annotations.readOnlyHint
    }
    const { sources } = await docent.untilDone(server.slug)
    const path = `/api/mcp/${server.slug}/sources/${sources[0].id}`
    expect(sources[0].allowedTools).toEqual([])
    expect([await isReadOnly(), await melt()]).toEqual([true, expect.stringContaining('can allow it by name')])
    const allow = (allowedTools: string[]) => docent.request('PATCH', path, { allowedTools })
    expect((await allow(['melt'])).body.allowedTools).toEqual(['melt'])
    expect([await isReadOnly(), await melt()]).toEqual([false, expect.stringContaining('Melted.')])
    await allow([])
    expect([await isReadOnly(), await melt()]).toEqual([true, expect.stringContaining('can allow it by name')])

    for (const name of ['', 'a b', 'x'.repeat(129)])
      expect(await allow([name])).toMatchObject({ status: 400, body: { error: 'invalid_input' } })
    const name = 'x'.repeat(128)
    expect((await allow([name])).status).toBe(200)
    expect((await allow(Array<string>(100).fill(name))).status).toBe(200)
    expect((await allow(Array<string>(101).fill(name))).status).toBe(400)
  })

  test('accepts allowed tools for MCP sources only', async () => {
    await using remote = await startRemoteMcp()
    await using docent = await startDocent({ engine })
    const source = (type: string, url = remote.url) => ({ url, type, allowedTools: ['melt'] })
    const refused = {
      status: 400,
      body: { message: 'allowedTools must be empty: only sources of type `mcp` have tools.' },
    }
    const create = (type: string) =>
      docent.request('POST', '/api/mcp/create', { name: 'Gadgets', sources: [source(type)] })
    expect(await create('docs')).toMatchObject(refused)
    const { body: server } = await create('mcp')
    const add = (type: string) =>
      docent.request('POST', `/api/mcp/${server.slug}/sources`, source(type, `${remote.url}?2`))
    expect(await add('docs')).toMatchObject(refused)
    expect((await add('mcp')).body).toMatchObject({ type: 'mcp', allowedTools: ['melt'] })
    const { body } = await docent.request('POST', `/api/mcp/${server.slug}/sources`, {
      url: `${remote.url}?3`,
      type: 'docs',
    })
    const change = docent.request('PATCH', `/api/mcp/${server.slug}/sources/${body.id}`, { allowedTools: ['melt'] })
    expect(await change).toMatchObject(refused)
    expect((await docent.request('GET', `/api/mcp/${server.slug}`)).body.sources[0].allowedTools).toEqual(['melt'])
  })
})
