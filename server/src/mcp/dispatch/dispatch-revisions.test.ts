import { describe, expect, test } from 'vitest'
import { MODERN_META, fakeMcp, legacy, membersOf } from '../../../test/support/mcp/mcp-fakes.ts'
import { errorReply, testRows } from '../../../test/support/mcp/mcp-rows.ts'

const TEXT_ONLY = { result: ['content'], kinds: ['text'], declares: [false, false, false] }
const WITH_DATA = { result: ['content', 'structuredContent'], kinds: ['text'], declares: [true, true, true] }

const initialize = (protocolVersion: unknown) =>
  legacy('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } })
const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
const batch = (items: unknown[], headers: Record<string, string> = {}) => ({
  headers: new Headers(headers),
  body: JSON.stringify(items),
})

describe('handshake revisions', () => {
  testRows([
    ...['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].map((version) => ({
      title: `initialize echoes ${version}`,
      request: initialize(version),
      status: 200,
      body: { id: 7, result: { protocolVersion: version } },
    })),
    {
      title: 'initialize answers an unknown version with the latest one',
      request: initialize('2019-01-01'),
      status: 200,
      body: {
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {}, resources: {} },
          serverInfo: { name: 'widgets', title: 'Widget handbook', version: '1.2.3' },
          instructions: expect.stringContaining('Handbook (https://widgets.example/docs/)'),
        },
      },
    },
    {
      title: 'answers initialize without parameters',
      request: legacy('initialize'),
      status: 200,
      body: { result: {} },
    },
    { title: 'answers ping with an empty result', request: legacy('ping'), status: 200, body: { id: 7, result: {} } },
    {
      title: 'lists the selected tools',
      request: legacy('tools/list'),
      status: 200,
      body: { result: { tools: [{ name: 'search_docs' }, { name: 'get_code_examples' }, { name: 'ask_question' }] } },
    },
    {
      title: 'answers an unknown method with an error and HTTP 200',
      request: legacy('prompts/list'),
      status: 200,
      body: { id: 7, ...errorReply(-32601) },
    },
    {
      title: 'does not know server/discover without a stateless version',
      request: legacy('server/discover'),
      status: 200,
      body: errorReply(-32601),
    },
    {
      title: 'answers an unknown tool with an error that lists the tools',
      request: legacy('tools/call', { name: 'nope' }),
      status: 200,
      body: errorReply(-32602, { message: expect.stringContaining('search_docs, get_code_examples, ask_question') }),
    },
    {
      title: 'answers a call without a tool name with an error',
      request: legacy('tools/call', {}),
      status: 200,
      body: errorReply(-32602),
    },
    {
      title: 'answers a failed tool with an error and HTTP 200',
      request: legacy('tools/call', { name: 'search_docs', arguments: { query: 7 } }),
      status: 200,
      body: { id: 7, ...errorReply(-32602, { message: expect.stringContaining('"query" must be text of 1 to 4000') }) },
    },
    ...['2024-01-01', 'latest'].map((version) => ({
      title: `refuses the unknown version header ${version}`,
      request: legacy('ping', {}, { 'MCP-Protocol-Version': version }),
      status: 400,
      body: { id: 7, ...errorReply(-32600) },
    })),
    {
      title: 'Mcp-Method does not make a request stateless',
      request: legacy('ping', {}, { 'Mcp-Method': 'ping', 'MCP-Protocol-Version': '2025-06-18' }),
      status: 200,
      body: { result: {} },
    },
    {
      title: 'ignores a foreign session id and Last-Event-ID',
      request: legacy('ping', {}, { 'Mcp-Session-Id': 'abc', 'Last-Event-ID': '4' }),
      status: 200,
      body: { result: {} },
    },
    ...['*/*', 'application/json', 'text/event-stream', 'text/html'].map((accept) => ({
      title: `Accept: ${accept} is answered with JSON`,
      request: legacy('ping', {}, { Accept: accept, 'Content-Type': 'text/plain' }),
      status: 200,
      body: { result: {} },
    })),
    ...[legacy('ping'), legacy('tools/list')].map((request) => ({
      title: `null as params of ${JSON.parse(request.body).method} counts as absent`,
      request: { ...request, body: JSON.stringify({ ...JSON.parse(request.body), params: null }) },
      status: 200,
      body: { id: 7, result: {} },
    })),
    ...['bogus', 5, {}].map((cursor) => ({
      title: `refuses the cursor ${JSON.stringify(cursor)} of tools/list`,
      request: legacy('tools/list', { cursor }),
      status: 200,
      body: { id: 7, ...errorReply(-32602, { message: expect.stringContaining('cursor') }) },
    })),
    ...[null, ''].map((cursor) => ({
      title: `takes the cursor ${JSON.stringify(cursor)} of tools/list for none`,
      request: legacy('tools/list', { cursor }),
      status: 200,
      body: { id: 7, result: { tools: [{}, {}, {}] } },
    })),
    ...[
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","method":"nope"}',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}',
    ].map((body) => ({
      title: `answers ${body}, which needs no reply, with 202 and no body`,
      request: { body },
      status: 202,
    })),
    ...['2024-01-01', 'latest', '2031-01-01'].map((version) => ({
      title: `refuses a notification of the unknown version ${version}`,
      request: {
        headers: new Headers({ 'MCP-Protocol-Version': version }),
        body: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      },
      status: 400,
      body: { id: null, error: { message: expect.stringContaining(version) } },
    })),
  ])

  test.each([
    { title: '2024-11-05', headers: { 'MCP-Protocol-Version': '2024-11-05' }, structured: false },
    { title: '2025-03-26', headers: { 'MCP-Protocol-Version': '2025-03-26' }, structured: false },
    { title: 'no version', headers: {}, structured: true },
    { title: '2025-06-18', headers: { 'MCP-Protocol-Version': '2025-06-18' }, structured: true },
    { title: '2025-11-25', headers: { 'MCP-Protocol-Version': '2025-11-25' }, structured: true },
  ])('sends structured content to $title: $structured, if the server has any', async ({ headers, structured }) => {
    const { send } = fakeMcp({ server: { structuredOutput: true } })
    expect(await membersOf(send, (method, params) => legacy(method, params, headers))).toEqual(
      structured ? WITH_DATA : TEXT_ONLY,
    )
  })

  test.each(['2025-03-26', '2025-06-18', '2025-11-25', null])('sends only text to %s by default', async (version) => {
    const headers: Record<string, string> = version === null ? {} : { 'MCP-Protocol-Version': version }
    const { send } = fakeMcp()
    expect(await membersOf(send, (method, params) => legacy(method, params, headers))).toEqual(TEXT_ONLY)
  })
})

describe('batched requests', () => {
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
  testRows([
    {
      title: 'answers a batch in order, without the notifications',
      request: batch([ping(2), note, ping(1), 5]),
      status: 200,
      body: [
        { id: 2, result: {} },
        { id: 1, result: {} },
        { id: null, error: { code: -32600 } },
      ],
    },
    { title: 'answers a batch of notifications with 202', request: batch([note, note]), status: 202 },
    { title: 'refuses an empty batch', request: batch([]), status: 400, body: errorReply(-32600) },
    { title: 'refuses a batch of 51', request: batch(Array(51).fill(ping(1))), status: 400, body: errorReply(-32600) },
    {
      title: 'refuses a batch in stateless versions',
      request: batch([ping(1)], { 'MCP-Protocol-Version': '2026-07-28' }),
      status: 400,
      body: errorReply(-32600),
    },
    {
      title: 'accepts a batch in 2025-03-26',
      request: batch([ping(1)], { 'MCP-Protocol-Version': '2025-03-26' }),
      status: 200,
      body: [{ id: 1, result: {} }],
    },
    ...['2024-11-05', '2025-06-18', '2025-11-25'].map((version) => ({
      title: `refuses a batch in ${version}`,
      request: batch([ping(1)], { 'MCP-Protocol-Version': version }),
      status: 400,
      body: { id: null, ...errorReply(-32600, { message: expect.stringContaining('2025-03-26') }) },
    })),
    {
      title: 'refuses a whole batch with an unknown version header',
      request: batch([ping(1)], { 'MCP-Protocol-Version': '2020-01-01' }),
      status: 400,
      body: errorReply(-32600),
    },
    {
      title: 'refuses a stateless request inside a batch',
      request: batch([{ ...ping(3), params: { _meta: MODERN_META } }]),
      status: 200,
      body: [{ id: 3, error: { code: -32600 } }],
    },
  ])

  test('counts every message of a batch against the rate limit', async () => {
    const { send, callers } = fakeMcp()
    await send(batch([ping(1), ping(2), note]))
    expect(callers.map(([, count]) => count)).toEqual([1, 2])
  })
})
