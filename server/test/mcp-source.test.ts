import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { expect, test } from 'vitest'
import { onBothEngines } from './engines.ts'
import { startDocent } from './harness.ts'
import { startRemoteMcp } from './remote-mcp.ts'

const SECRET = 'canary-secret-0123456789'

onBothEngines('a source that is an MCP server', (engine) => {
  test('is indexed, asked live, and noticed to have changed', async () => {
    const offered = new Map([['oil_gadget', 'Oils a gadget of any size.']])
    const register = (server: McpServer) => {
      for (const [name, description] of offered) {
        server.registerTool(name, { description }, () => ({ content: [{ type: 'text', text: `${name} is done.` }] }))
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
})
