import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as current from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, test } from 'vitest'
import { fakeMcp } from '../support/mcp/mcp-fakes.ts'
import { openShelf } from '../support/mcp/shelf.ts'
import { runProgram } from '../support/lib/run-program.ts'
import { serveMcp } from '../support/mcp/serve-mcp.ts'
import { INSPECTOR, hasTestPackages } from '../support/mcp/test-packages.ts'

const hasInspector = hasTestPackages('the official inspector')
const NAMES = ['search_docs', 'get_code_examples', 'ask_question']
const call = { name: 'search_docs', arguments: { query: 'oil', limit: 3 } }
const isPassage = {
  content: [
    {
      type: 'text',
      text: expect.stringContaining('[1] Sprockets › Oiling\nSource: https://widgets.example/docs/sprockets#oiling'),
    },
  ],
}

test('connects, lists and calls with the first-generation official SDK', async () => {
  const { handle } = fakeMcp()
  await using server = await serveMcp(handle)
  const client = new LegacyClient({ name: 'first-line', version: '1' })
  const transport = new LegacyTransport(new URL(server.url))
  await client.connect(transport)
  expect(client.getServerVersion()).toMatchObject({ name: 'widgets', title: 'Widget handbook' })
  expect(client.getInstructions()).toContain('Widget handbook')
  expect(transport.sessionId).toBeUndefined()
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES)
  const answer = await client.callTool(call)
  expect(answer).toMatchObject(isPassage)
  expect(answer).not.toHaveProperty('structuredContent')
  await expect(client.callTool({ name: 'search_docs', arguments: {} })).rejects.toThrow('Give "query" to search')
  await client.ping()
  await transport.terminateSession()
  await client.close()
})

test('returns structured content of every tool that the official SDK accepts', async () => {
  const { handle } = openShelf({ pages: [{ url: 'https://w.example/oil', markdown: '# Oil\n\nOil each sprocket.' }] })
  await using server = await serveMcp(handle)
  const client = new LegacyClient({ name: 'first-line', version: '1' })
  await client.connect(new LegacyTransport(new URL(server.url)))
  // The client validates results against the listed schemas.
  const { tools } = await client.listTools()
  expect(tools.every(({ outputSchema }) => outputSchema?.type === 'object')).toBe(true)
  for (const query of ['oil', 'zzzz']) {
    const found = await client.callTool({ name: 'search_docs', arguments: { query } })
    expect(found.structuredContent).toMatchObject({ query, notes: query === 'oil' ? [] : [expect.any(String)] })
  }
  const answer = await client.callTool({ name: 'ask_question', arguments: { question: 'What is oiled?' } })
  expect(answer.structuredContent).toMatchObject({ answer: expect.any(String) })
  const missing = await client.callTool({ name: 'search_issues', arguments: { query: 'oil' } })
  expect(missing.structuredContent).toMatchObject({ missing: { needs: ['repo'] } })
  await client.close()
})

test('lists and reads pages with the first-generation official SDK', async () => {
  const { handle } = openShelf({ pages: [{ url: 'https://w.example/oil', markdown: '# Oil\n\nOil each sprocket.' }] })
  await using server = await serveMcp(handle)
  const client = new LegacyClient({ name: 'first-line', version: '1' })
  await client.connect(new LegacyTransport(new URL(server.url)))
  expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {} })
  const { resources, nextCursor } = await client.listResources()
  expect({ resources, nextCursor }).toMatchObject({ resources: [{ uri: 'https://w.example/oil', name: 'Oil' }] })
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates).toMatchObject([{ uriTemplate: 'https://w.example/{+path}' }])
  const { contents } = await client.readResource({ uri: 'https://w.example/oil' })
  expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: '# Oil\n\nOil each sprocket.' }])
  await expect(client.readResource({ uri: 'https://w.example/none' })).rejects.toThrow('No page with the address')
  await client.close()
})

describe.each([
  { title: 'by handshake', mode: 'legacy' as const, version: '2025-11-25' },
  { title: 'by discovery', mode: 'auto' as const, version: '2026-07-28' },
  { title: 'pinned', mode: { pin: '2026-07-28' }, version: '2026-07-28' },
])('second-generation official SDK ($title)', ({ mode, version }) => {
  test('connects, lists and calls', async () => {
    const { handle } = fakeMcp()
    await using server = await serveMcp(handle)
    const client = new current.Client({ name: 'second-line', version: '2' }, { versionNegotiation: { mode } })
    await client.connect(new current.StreamableHTTPClientTransport(new URL(server.url)))
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES)
    const answer = await client.callTool(call)
    expect(answer).toMatchObject(isPassage)
    expect(answer).not.toHaveProperty('structuredContent')
    await client.close()
  })

  test('lists all pages and reads one', async () => {
    const pages = Array.from({ length: 401 }, (_, at) => ({
      url: `https://w.example/ölung/${at}`,
      markdown: `# Oil ${at}\n\nÖl.`,
    }))
    const { handle } = openShelf({ pages })
    await using server = await serveMcp(handle)
    const client = new current.Client({ name: 'second-line', version: '2' }, { versionNegotiation: { mode } })
    await client.connect(new current.StreamableHTTPClientTransport(new URL(server.url)))
    // The client requests page after page of the list.
    const { resources } = await client.listResources()
    expect(resources).toHaveLength(401)
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1)
    const { contents } = await client.readResource({ uri: resources.at(-1)?.uri ?? '' })
    expect(contents).toMatchObject([{ uri: resources.at(-1)?.uri, text: '# Oil 400\n\nÖl.' }])
    await expect(client.readResource({ uri: 'https://w.example/ölung/none' })).rejects.toMatchObject({ code: -32602 })
    await client.close()
  })

  test('accesses a private server with its token and gets the reason without one', async () => {
    const { handle } = fakeMcp({
      server: { visibility: 'private' },
      deps: {
        verifyAccessToken: async (_id, bearer) =>
          bearer === 'dat_right' ? 'ok' : bearer === null ? 'missing_token' : 'invalid_token',
      },
    })
    await using server = await serveMcp(handle)
    const connect = async (headers: Record<string, string>) => {
      const client = new current.Client({ name: 'second-line', version: '2' }, { versionNegotiation: { mode } })
      await client.connect(new current.StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }))
      const { tools } = await client.listTools()
      await client.close()
      return tools.length
    }
    expect(await connect({ Authorization: 'Bearer dat_right' })).toBe(NAMES.length)
    await expect(connect({})).rejects.toThrow(/server is private|401|unauthori[sz]ed/i)
  })
})

describe.skipIf(!hasInspector).each(['legacy', 'modern'])('MCP inspector (%s)', (era) => {
  test('reports no problem with the tools', async () => {
    const report = await inspect(era, ['--method', 'tools/list', '--strict'])
    expect(report.code, report.stderr).toBe(0)
    expect(report.stdout).toContain('get_code_examples')
  })

  test('calls a tool', async () => {
    const args = ['--method', 'tools/call', '--tool-name', 'search_docs', '--tool-arg', 'query=oil']
    const report = await inspect(era, args)
    expect(report.code, report.stderr).toBe(0)
    expect(report.stdout).toContain('Oil every sprocket twice a year.')
  })
})

async function inspect(era: string, args: string[]) {
  const { handle } = fakeMcp()
  await using server = await serveMcp(handle)
  // A temporary home folder keeps the machine's configuration out.
  await using home = await mkdtempDisposable(join(tmpdir(), 'docent-inspector-'))
  const target = ['--cli', server.url, '--transport', 'http', '--protocol-era', era]
  return await runProgram(INSPECTOR, [...target, ...args], {
    cwd: home.path,
    env: { PATH: process.env['PATH'], HOME: home.path },
  })
}
