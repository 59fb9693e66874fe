import { describe, expect } from 'vitest'
import { legacy, modern, MODERN_META } from '../../../test/support/mcp/mcp-fakes.ts'
import { errorReply, testRows } from '../../../test/support/mcp/mcp-rows.ts'

const search = { name: 'search_docs', arguments: { query: 'oil' } }
const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

const meta = (changes: object) => ({ _meta: { ...MODERN_META, ...changes } })

describe('stateless revisions', () => {
  const discovered = {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, resources: {} },
    ttlMs: 60_000,
    cacheScope: 'public',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'widgets', version: '1.2.3' } },
  }
  testRows([
    {
      title: 'describes the server on server/discover',
      request: modern('server/discover'),
      status: 200,
      body: { id: 7, result: discovered },
    },
    {
      title: 'accepts a request without clientInfo',
      request: modern('server/discover', meta({ 'io.modelcontextprotocol/clientInfo': undefined })),
      status: 200,
      body: { result: discovered },
    },
    {
      title: 'adds cache hints to tools/list',
      request: modern('tools/list'),
      status: 200,
      body: {
        result: {
          resultType: 'complete',
          ttlMs: 60_000,
          cacheScope: 'public',
          tools: [{ name: 'search_docs' }, {}, {}],
        },
      },
    },
    {
      title: 'refuses a cursor of tools/list',
      request: modern('tools/list', { cursor: 'bogus' }),
      status: 200,
      body: { id: 7, ...errorReply(-32602, { message: expect.stringContaining('cursor') }) },
    },
    {
      title: 'answers a call with a complete result',
      request: modern('tools/call', search),
      status: 200,
      body: {
        result: {
          resultType: 'complete',
          content: [{ type: 'text' }],
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'widgets' } },
        },
      },
    },
    {
      title: 'treats a request with the header alone as stateless, and refuses the missing _meta first',
      request: modern('tools/list', { _meta: undefined }, { 'Mcp-Method': null }),
      status: 400,
      body: { id: 7, ...errorReply(-32602) },
    },
    {
      title: 'treats a request with a later date in the header as stateless',
      request: legacy('ping', {}, { 'MCP-Protocol-Version': '2031-01-01' }),
      status: 400,
      body: errorReply(-32602),
    },
    {
      title: 'treats a request with _meta alone as stateless, and refuses the missing header',
      request: modern('tools/list', {}, { 'MCP-Protocol-Version': null }),
      status: 400,
      body: errorReply(-32020),
    },
    {
      title: 'treats a version other than text as missing',
      request: modern('tools/list', meta({ [VERSION]: 2026 })),
      status: 400,
      body: errorReply(-32602),
    },
    {
      title: 'refuses a different version in the header before an unsupported version',
      request: modern('tools/list', meta({ [VERSION]: 'v9' })),
      status: 400,
      body: errorReply(-32020),
    },
    {
      title: 'answers an unsupported version with the supported ones, before it checks the capabilities',
      request: modern('tools/list', meta({ [VERSION]: 'v9', [CAPABILITIES]: undefined }), {
        'MCP-Protocol-Version': 'v9',
      }),
      status: 400,
      body: errorReply(-32022, { data: { supported: ['2026-07-28'], requested: 'v9' } }),
    },
    {
      title: 'refuses a legacy version in _meta as unsupported',
      request: modern('tools/list', meta({ [VERSION]: '2025-11-25' }), { 'MCP-Protocol-Version': '2025-11-25' }),
      status: 400,
      body: errorReply(-32022, { data: { requested: '2025-11-25' } }),
    },
    {
      title: 'refuses missing capabilities before the method header',
      request: modern('tools/list', meta({ [CAPABILITIES]: undefined }), { 'Mcp-Method': null }),
      status: 400,
      body: errorReply(-32602),
    },
    ...[null, 'tools/call', 'TOOLS/LIST'].map((method) => ({
      title: `refuses Mcp-Method ${method} on tools/list`,
      request: modern('tools/list', {}, { 'Mcp-Method': method }),
      status: 400,
      body: errorReply(-32020),
    })),
    ...[null, 'other', 'Search_docs', '=?base64?!!!?=', '=?base64?b3RoZXI=?=', '=?base64?/w==?='].map((name) => ({
      title: `refuses Mcp-Name ${name} on a call of search_docs`,
      request: modern('tools/call', search, { 'Mcp-Name': name }),
      status: 400,
      body: errorReply(-32020),
    })),
    {
      title: 'decodes Mcp-Name from Base64 before the comparison',
      request: modern('tools/call', search, { 'Mcp-Name': '=?base64?c2VhcmNoX2RvY3M=?=' }),
      status: 200,
      body: { result: { resultType: 'complete' } },
    },
    {
      title: 'refuses a wrong Mcp-Method before an unknown method',
      request: modern('nope', {}, { 'Mcp-Method': 'other' }),
      status: 400,
      body: errorReply(-32020),
    },
    ...['nope', 'initialize', 'ping', 'logging/setLevel', 'subscriptions/listen'].map((method) => ({
      title: `answers the unknown method ${method} with 404`,
      request: modern(method),
      status: 404,
      body: { id: 7, ...errorReply(-32601) },
    })),
    {
      title: 'answers an unknown tool with an error and HTTP 200',
      request: modern('tools/call', { name: 'nope' }),
      status: 200,
      body: { id: 7, ...errorReply(-32602) },
    },
    {
      title: 'answers a failed tool with a result that explains how to correct the call',
      request: modern('tools/call', { name: 'search_docs', arguments: { query: 'oil', limit: 99 } }),
      status: 200,
      body: {
        result: {
          resultType: 'complete',
          isError: true,
          content: [
            {
              type: 'text',
              text: '"limit" must be a whole number of 1 to 20: How many passages. Call search_docs again with the arguments corrected.',
            },
          ],
        },
      },
    },
    {
      title: 'answers a notification with 202',
      request: {
        headers: new Headers({ 'MCP-Protocol-Version': '2026-07-28' }),
        body: '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
      },
      status: 202,
    },
  ])
})

describe('request bodies', () => {
  const bad = ['', '{', 'nul', '{"jsonrpc":"2.0",}', '[1,', '\u0000']
  testRows([
    ...bad.map((body) => ({
      title: `refuses ${JSON.stringify(body)} as invalid JSON`,
      request: { body },
      status: 400,
      body: { id: null, ...errorReply(-32700) },
    })),
    ...[
      'null',
      '5',
      '"x"',
      '{}',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1}',
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
    ].map((body) => ({
      title: `refuses ${body} as an invalid request`,
      request: { body },
      status: 400,
      body: errorReply(-32600),
    })),
    ...['1.5', '1152921504606846977', '-9007199254740992', '1e400'].map((id) => ({
      title: `refuses the id ${id}, which cannot be echoed exactly`,
      request: { body: `{"jsonrpc":"2.0","id":${id},"method":"ping"}` },
      status: 400,
      body: { id: null, ...errorReply(-32600, { message: expect.stringContaining('"id"') }) },
    })),
    ...['0', '-1', '9007199254740991', '"1152921504606846977"'].map((id) => ({
      title: `echoes the id ${id}`,
      request: { body: `{"jsonrpc":"2.0","id":${id},"method":"ping"}` },
      status: 200,
      body: { id: JSON.parse(id), result: {} },
    })),
    {
      title: 'echoes a readable id in a refusal',
      request: { body: '{"jsonrpc":"2.0","id":"a","method":5}' },
      status: 400,
      body: { id: 'a', ...errorReply(-32600) },
    },
  ])
})
