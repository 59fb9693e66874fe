import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { LIVE_CALLS } from '#upstream/connect-remote-mcp.ts'
import { startDocent } from '../support/service/harness.ts'
import { startRemoteMcp } from '../support/sites/remote-mcp.ts'
import { page, startSite } from '../support/sites/site.ts'

const CALLS = 300

test('limits 300 live calls to a hanging remote server to few slots, and answers other calls', async () => {
  const register = (server: McpServer) =>
    server.registerTool('turn', { annotations: { readOnlyHint: true } }, () => ({
      content: [{ type: 'text', text: 'Turned.' }],
    }))
  await using hanging = await startRemoteMcp({ register })
  await using living = await startRemoteMcp({ register })
  await using site = await startSite({ '/': page('Home', 'The sprockets are oiled twice a year by hand.') })
  await using docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
  const create = async (name: string, url: string, type: string) => {
    const tools = ['search_docs', 'query_source', 'ask_question']
    const { slug } = await docent.createServer({ name, tools, sources: [{ url, type }] })
    return slug as string
  }
  const slow = await create('Slow', hanging.url, 'mcp')
  const other = await create('Other', living.url, 'mcp')
  const docs = await create('Docs', `${site.url}/`, 'docs')

  const held: ServerResponse[] = []
  let isOver = false
  hanging.misbehave = (_, response) => void (isOver ? response.destroy() : held.push(response))
  const turn = async (slug: string, source: string) => {
    const { result, error } = await docent.callTool(slug, 'query_source', { source, tool: 'turn' })
    // Beyond a server's limit of pending calls the whole request is refused.
    return (typeof error === 'string' ? error : (error?.message ?? result.content[0].text)) as string
  }
  const refused: string[] = []
  const calls = Array.from({ length: CALLS }, async () => {
    const said = await turn(slow, hanging.url)
    if (said.includes('under way')) refused.push(said)
  })
  await expect.poll(() => refused.length).toBe(CALLS - LIVE_CALLS.server)
  expect(refused).toContain(
    'This server has 16 live calls under way, and no more are made at once. Try again in a moment.',
  )
  await expect.poll(() => held.length).toBe(LIVE_CALLS.server)

  const { result } = await docent.callTool(docs, 'search_docs', { query: 'sprockets' })
  expect(result.content[0].text).toContain('oiled twice')
  // The account's limit leaves room for its other servers.
  expect(await turn(other, living.url)).toContain('Turned.')

  isOver = true
  for (const response of held) response.destroy()
  await Promise.all(calls)
  hanging.misbehave = null
  expect(await turn(slow, hanging.url)).toContain('Turned.')
})
