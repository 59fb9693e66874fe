import { setImmediate as turn } from 'node:timers/promises'
import { BUILT_IN_TOOLS } from '@docent/contract/tools'
import { describe, expect, test } from 'vitest'
import { fakeMcp, jsonOf, legacy, modern, MODERN_META } from '../../test/support/mcp-fakes.ts'
import { BODY_LIMIT } from './dispatch.ts'
import type { McpRequest } from './request.ts'

const search = { name: 'search_docs', arguments: { query: 'oil' } }
const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

const TEXT_ONLY = { result: ['content'], kinds: ['text'], declares: [false, false, false] }
const WITH_DATA = { result: ['content', 'structuredContent'], kinds: ['text'], declares: [true, true, true] }

type Row = { title: string; request: Partial<McpRequest>; status: number; body?: object }

function expectRows(rows: Row[]) {
  test.each(rows)('$title', async ({ request, status, body }) => {
    const response = await fakeMcp().send(request)
    expect(response.status).toBe(status)
    if (body === undefined) expect(response.body).toBeNull()
    else expect(jsonOf(response)).toMatchObject(body)
    if (response.body !== null) expect(response.headers['content-type']).toBe('application/json')
    expect(Object.keys(response.headers)).not.toContain('mcp-session-id')
  })
}

const initialize = (protocolVersion: unknown) =>
  legacy('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'c', version: '1' } })
const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
const batch = (items: unknown[], headers: Record<string, string> = {}) => ({
  headers: new Headers(headers),
  body: JSON.stringify(items),
})
const meta = (changes: object) => ({ _meta: { ...MODERN_META, ...changes } })
const get = (headers: Record<string, string>) => ({ method: 'GET', headers: new Headers(headers) })
const secret = (deps: Parameters<typeof fakeMcp>[0] = {}) => fakeMcp({ server: { visibility: 'private' }, ...deps })
const bearer = (token: string) => ({ Authorization: token })
const broken = () => fakeMcp({ context: { search: () => Promise.reject(new Error('secret detail')) } })
const error = (code: number, more: object = {}) => ({ jsonrpc: '2.0', error: { code, ...more } })

describe('handshake revisions', () => {
  expectRows([
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
          capabilities: { tools: {} },
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
      request: legacy('resources/list'),
      status: 200,
      body: { id: 7, ...error(-32601) },
    },
    {
      title: 'does not know server/discover without a stateless version',
      request: legacy('server/discover'),
      status: 200,
      body: error(-32601),
    },
    {
      title: 'answers an unknown tool with an error that lists the tools',
      request: legacy('tools/call', { name: 'nope' }),
      status: 200,
      body: error(-32602, { message: expect.stringContaining('search_docs, get_code_examples, ask_question') }),
    },
    {
      title: 'answers a call without a tool name with an error',
      request: legacy('tools/call', {}),
      status: 200,
      body: error(-32602),
    },
    {
      title: 'answers a failed tool with an error and HTTP 200',
      request: legacy('tools/call', { name: 'search_docs', arguments: {} }),
      status: 200,
      body: { id: 7, ...error(-32602, { message: expect.stringContaining('"query" must be text of 1 to 4000') }) },
    },
    {
      title: 'refuses an unknown version header',
      request: legacy('ping', {}, { 'MCP-Protocol-Version': '2024-01-01' }),
      status: 400,
      body: { id: 7, ...error(-32600) },
    },
    {
      title: 'refuses a malformed version header',
      request: legacy('ping', {}, { 'MCP-Protocol-Version': 'latest' }),
      status: 400,
      body: error(-32600),
    },
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
      body: { id: 7, ...error(-32602, { message: expect.stringContaining('cursor') }) },
    })),
    ...[null, ''].map((cursor) => ({
      title: `takes the cursor ${JSON.stringify(cursor)} of tools/list for none`,
      request: legacy('tools/list', { cursor }),
      status: 200,
      body: { id: 7, result: { tools: [{}, {}, {}] } },
    })),
    {
      title: 'answers a notification with 202 and no body',
      request: { body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' },
      status: 202,
    },
    {
      title: 'answers an unknown notification with 202',
      request: { body: '{"jsonrpc":"2.0","method":"nope"}' },
      status: 202,
    },
    {
      title: 'answers a posted result with 202',
      request: { body: '{"jsonrpc":"2.0","id":1,"result":{}}' },
      status: 202,
    },
    {
      title: 'answers a posted error with 202',
      request: { body: '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}' },
      status: 202,
    },
    ...['2024-01-01', 'latest', '2031-01-01'].map((version) => ({
      title: `refuses a notification of the unknown version ${version}`,
      request: {
        headers: new Headers({ 'MCP-Protocol-Version': version }),
        body: '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      },
      status: 400,
      body: { id: null, error: { message: expect.stringContaining(version) } },
    })),
    {
      title: 'reads bytes as UTF-8',
      request: { body: new TextEncoder().encode('{"jsonrpc":"2.0","id":"ü","method":"ping"}') },
      status: 200,
      body: { id: 'ü', result: {} },
    },
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
  expectRows([
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
    { title: 'refuses an empty batch', request: batch([]), status: 400, body: error(-32600) },
    { title: 'refuses a batch of 51', request: batch(Array(51).fill(ping(1))), status: 400, body: error(-32600) },
    {
      title: 'refuses a batch in stateless versions',
      request: batch([ping(1)], { 'MCP-Protocol-Version': '2026-07-28' }),
      status: 400,
      body: error(-32600),
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
      body: { id: null, ...error(-32600, { message: expect.stringContaining('2025-03-26') }) },
    })),
    {
      title: 'refuses a whole batch with an unknown version header',
      request: batch([ping(1)], { 'MCP-Protocol-Version': '2020-01-01' }),
      status: 400,
      body: error(-32600),
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

describe('stateless revisions', () => {
  const discovered = {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    ttlMs: 60_000,
    cacheScope: 'public',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'widgets', version: '1.2.3' } },
  }
  expectRows([
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
      body: { id: 7, ...error(-32602, { message: expect.stringContaining('cursor') }) },
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
      body: { id: 7, ...error(-32602) },
    },
    {
      title: 'treats a request with a later date in the header as stateless',
      request: legacy('ping', {}, { 'MCP-Protocol-Version': '2031-01-01' }),
      status: 400,
      body: error(-32602),
    },
    {
      title: 'treats a request with _meta alone as stateless, and refuses the missing header',
      request: modern('tools/list', {}, { 'MCP-Protocol-Version': null }),
      status: 400,
      body: error(-32020),
    },
    {
      title: 'treats a version other than text as missing',
      request: modern('tools/list', meta({ [VERSION]: 2026 })),
      status: 400,
      body: error(-32602),
    },
    {
      title: 'refuses a different version in the header before an unsupported version',
      request: modern('tools/list', meta({ [VERSION]: 'v9' })),
      status: 400,
      body: error(-32020),
    },
    {
      title: 'answers an unsupported version with the supported ones, before it checks the capabilities',
      request: modern('tools/list', meta({ [VERSION]: 'v9', [CAPABILITIES]: undefined }), {
        'MCP-Protocol-Version': 'v9',
      }),
      status: 400,
      body: error(-32022, { data: { supported: ['2026-07-28'], requested: 'v9' } }),
    },
    {
      title: 'refuses a legacy version in _meta as unsupported',
      request: modern('tools/list', meta({ [VERSION]: '2025-11-25' }), { 'MCP-Protocol-Version': '2025-11-25' }),
      status: 400,
      body: error(-32022, { data: { requested: '2025-11-25' } }),
    },
    {
      title: 'refuses missing capabilities before the method header',
      request: modern('tools/list', meta({ [CAPABILITIES]: undefined }), { 'Mcp-Method': null }),
      status: 400,
      body: error(-32602),
    },
    ...[null, 'tools/call', 'TOOLS/LIST'].map((method) => ({
      title: `refuses Mcp-Method ${method} on tools/list`,
      request: modern('tools/list', {}, { 'Mcp-Method': method }),
      status: 400,
      body: error(-32020),
    })),
    ...[null, 'other', 'Search_docs', '=?base64?!!!?=', '=?base64?b3RoZXI=?=', '=?base64?/w==?='].map((name) => ({
      title: `refuses Mcp-Name ${name} on a call of search_docs`,
      request: modern('tools/call', search, { 'Mcp-Name': name }),
      status: 400,
      body: error(-32020),
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
      body: error(-32020),
    },
    ...['nope', 'initialize', 'ping', 'logging/setLevel', 'subscriptions/listen'].map((method) => ({
      title: `answers the unknown method ${method} with 404`,
      request: modern(method),
      status: 404,
      body: { id: 7, ...error(-32601) },
    })),
    {
      title: 'answers an unknown tool with an error and HTTP 200',
      request: modern('tools/call', { name: 'nope' }),
      status: 200,
      body: { id: 7, ...error(-32602) },
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
  expectRows([
    ...bad.map((body) => ({
      title: `refuses ${JSON.stringify(body)} as invalid JSON`,
      request: { body },
      status: 400,
      body: { id: null, ...error(-32700) },
    })),
    {
      title: 'refuses invalid UTF-8 as invalid JSON',
      request: { body: Uint8Array.of(34, 255, 34) },
      status: 400,
      body: error(-32700),
    },
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
      body: error(-32600),
    })),
    ...['1.5', '1152921504606846977', '-9007199254740992', '1e400'].map((id) => ({
      title: `refuses the id ${id}, which cannot be echoed exactly`,
      request: { body: `{"jsonrpc":"2.0","id":${id},"method":"ping"}` },
      status: 400,
      body: { id: null, ...error(-32600, { message: expect.stringContaining('"id"') }) },
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
      body: { id: 'a', ...error(-32600) },
    },
    {
      title: 'accepts a body of 4 MiB',
      request: { body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' }).padEnd(BODY_LIMIT, ' ') },
      status: 200,
      body: { result: {} },
    },
    {
      title: 'refuses a body of 4 MiB and one byte',
      request: { body: ''.padEnd(BODY_LIMIT + 1, ' ') },
      status: 413,
      body: { error: 'The request body is too large' },
    },
  ])
})

describe('methods and origins', () => {
  test.each([
    ['GET for an event stream', get({ Accept: 'application/json, Text/Event-Stream' })],
    [
      'GET for an event stream with an access token',
      get({ Accept: 'text/event-stream', Authorization: 'Bearer dat_x' }),
    ],
    ['DELETE with a session', { method: 'DELETE', headers: new Headers({ 'Mcp-Session-Id': 'x' }) }],
  ])('refuses %s on public and private servers', async (_title, request) => {
    const response = await fakeMcp({ server: { visibility: 'private' } }).send(request)
    expect(response).toMatchObject({ status: 405, headers: { allow: 'POST' } })
    expect(jsonOf(response)).toEqual({ error: 'Method not allowed' })
  })

  test.each([
    'https://docent.example',
    'https://friend.example',
    'http://localhost:5173',
    'http://127.0.0.1',
    'http://[::1]:80',
  ])('lets a page of %s call and read the answer', async (origin) => {
    const response = await fakeMcp().send(legacy('ping', {}, { Origin: origin }))
    expect(response).toMatchObject({
      status: 200,
      headers: {
        'access-control-allow-origin': origin,
        vary: 'Origin',
        'access-control-expose-headers': 'WWW-Authenticate',
      },
    })
  })

  test.each([
    'https://evil.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'null',
    'nonsense',
  ])('refuses a page of %s', async (origin) => {
    for (const request of [
      legacy('ping', {}, { Origin: origin }),
      { method: 'OPTIONS', headers: new Headers({ Origin: origin }) },
    ]) {
      const response = await fakeMcp().send(request)
      expect(response.status).toBe(403)
      expect(jsonOf(response)).toMatchObject({ error: 'origin_not_allowed' })
      expect(Object.keys(response.headers)).not.toContain('access-control-allow-origin')
    }
  })

  test('lets every page call a public instance', async () => {
    const { send } = fakeMcp({ deps: { origins: { own: 'https://docent.example', allowed: 'any' } } })
    const response = await send(legacy('ping', {}, { Origin: 'https://anyone.example' }))
    expect(response).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': '*' } })
  })

  test('allows the headers that clients send in a preflight', async () => {
    const preflight = { method: 'OPTIONS', headers: new Headers({ Origin: 'https://friend.example' }) }
    const response = await fakeMcp({ server: { visibility: 'private' } }).send(preflight)
    expect(response).toMatchObject({ status: 204, body: null })
    expect(response.headers['access-control-allow-headers']).toBe(
      'Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
    )
  })
})

describe('private servers', () => {
  const everyone = [legacy('initialize'), legacy('tools/list'), modern('server/discover'), { body: 'no json' }]

  test('refuses every request without a token, in both eras and before reading the body', async () => {
    for (const request of everyone) {
      const response = await secret().send(request)
      expect(response.status).toBe(401)
      expect(response.headers['www-authenticate']).toBe('Bearer realm="Docent", error="invalid_token"')
      expect(jsonOf(response)).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32001,
          message: expect.stringContaining('Authorization: Bearer <ACCESS_TOKEN>'),
          data: { reason: 'missing_token', docsUrl: 'https://docent.example/docs/access-tokens' },
        },
      })
    }
  })

  test('refuses a wrong token with a reason that a page can read', async () => {
    const response = await secret().send(legacy('ping', {}, { ...bearer('Bearer wrong'), Origin: 'http://localhost' }))
    expect(response).toMatchObject({ status: 401, headers: { 'access-control-expose-headers': 'WWW-Authenticate' } })
    expect(jsonOf(response)).toMatchObject({ error: { data: { reason: 'invalid_token' } } })
  })

  test.each(['Bearer right', 'bearer  right'])('admits %s and rates requests by it', async (authorization) => {
    const { send, callers } = secret({
      deps: {
        verifyAccessToken: async (id, token) => (id === 'srv_fake' && token === 'right' ? 'ok' : 'invalid_token'),
      },
    })
    expect((await send(legacy('ping', {}, bearer(authorization)))).status).toBe(200)
    expect(callers).toEqual([[{ address: '192.0.2.1', accessToken: 'right' }, 1]])
  })

  test('marks lists of private servers as private for stateless clients', async () => {
    const { send } = secret({ deps: { verifyAccessToken: async () => 'ok' } })
    expect(jsonOf(await send(modern('tools/list')))).toMatchObject({ result: { cacheScope: 'private' } })
  })
})

test('ignores tokens on a public server, also for rate limits', async () => {
  const { send, callers } = fakeMcp()
  expect((await send(legacy('ping', {}, { Authorization: 'Bearer made-up' }))).status).toBe(200)
  expect(callers).toEqual([[{ address: '192.0.2.1', accessToken: null }, 1]])
})

test('answers requests over the rate limit with 429 and the seconds to wait', async () => {
  const response = await fakeMcp({ deps: { takeRequests: async () => ({ retryAfterSeconds: 12.2 }) } }).send(
    legacy('ping'),
  )
  expect(response).toMatchObject({ status: 429, headers: { 'retry-after': '13' } })
  expect(jsonOf(response)).toEqual({ error: 'Too many requests. Try again in 13 seconds.' })
})

test.each([
  [false, TEXT_ONLY],
  [true, WITH_DATA],
] as const)(
  'sends structured content to a stateless client as configured on its server: %s',
  async (structuredOutput, members) => {
    const { send } = fakeMcp({ server: { structuredOutput } })
    expect(await membersOf(send, modern)).toEqual(members)
  },
)

describe('monthly allowance', () => {
  const reached = {
    reason: 'monthly_limit_reached' as const,
    limit: 50,
    used: 50,
    resetsAt: '2026-12-01T00:00:00.000Z',
    upgradeUrl: 'https://docent.example/plan',
  }
  const spent = () => fakeMcp({ deps: { takeCall: async () => reached } })

  test('reports a used-up allowance as an error with data to handshake clients', async () => {
    const response = await spent().send(legacy('tools/call', search))
    expect(response.status).toBe(200)
    expect(jsonOf(response)).toMatchObject({ id: 7, error: { code: -32003, data: reached } })
  })

  test('reports a used-up allowance with the date of its renewal', async () => {
    const words =
      'The monthly allowance of 50 MCP requests is used up. It renews on 2026-12-01 (UTC). Larger plans: https://docent.example/plan'
    expect(jsonOf(await spent().send(legacy('tools/call', search)))).toMatchObject({ error: { message: words } })
    const modernly = jsonOf(await spent().send(modern('tools/call', search)))
    expect(modernly).toMatchObject({ result: { content: [{ type: 'text', text: words }] } })
  })

  test('does not log calls over the allowance', async () => {
    const { send, calls } = spent()
    await send(legacy('tools/call', search))
    await send(modern('tools/call', search))
    await turn()
    expect(calls).toEqual([])
  })

  test('reports a used-up allowance as a failed result with data to stateless clients', async () => {
    const response = await spent().send(modern('tools/call', search))
    expect(response.status).toBe(200)
    expect(jsonOf(response)).toMatchObject({
      result: {
        isError: true,
        structuredContent: reached,
        content: [{ text: expect.stringMatching(/50 MCP requests.*2026-12-01 .*\/plan$/) }],
      },
    })
  })

  test('uses the allowance for tool calls only', async () => {
    for (const request of [legacy('initialize'), legacy('tools/list'), legacy('ping'), modern('tools/list')]) {
      expect(jsonOf(await spent().send(request))).toMatchObject({ result: {} })
    }
  })
})

describe('tool with a bug', () => {
  test('reports the bug to the log and never to the caller', async () => {
    for (const request of [legacy('tools/call', search), modern('tools/call', search)]) {
      const { send, failures } = broken()
      const response = await send(request)
      expect(response.status).toBe(200)
      expect(response.body).not.toContain('secret')
      expect(failures).toEqual([new Error('secret detail')])
    }
  })

  test('keeps discover, initialize and list working', async () => {
    for (const request of [
      legacy('initialize'),
      legacy('tools/list'),
      modern('server/discover'),
      modern('tools/list'),
    ]) {
      expect((await broken().send(request)).status).toBe(200)
    }
  })
})

describe('server without sources', () => {
  const empty = () => fakeMcp({ server: { sources: [], tools: BUILT_IN_TOOLS.map(({ name }) => name) } })

  test.each<[string, object]>([
    ['search_docs', { query: 'oil' }],
    ['query_source', { source: 'Handbook', query: 'oil' }],
    ['get_code_examples', { task: 'oil' }],
    ['summarize_content', { topic: 'oil' }],
    ['find_api_reference', { name: 'oil' }],
    ['get_changelog', {}],
    ['search_issues', { query: 'oil' }],
    ['get_quickstart', {}],
    ['extract_schema', { name: 'oil' }],
    ['ask_question', { question: 'Where is the oil?' }],
  ])('reports missing sources in the answer of %s', async (name, args) => {
    expect(JSON.stringify(jsonOf(await empty().send(modern('tools/call', { name, arguments: args }))))).toContain(
      'This server has no sources yet',
    )
  })

  test('reports missing sources in its instructions', async () => {
    const instructions = expect.stringContaining('This server has no sources yet')
    expect(jsonOf(await empty().send(legacy('initialize')))).toMatchObject({ result: { instructions } })
    expect(jsonOf(await empty().send(modern('server/discover')))).toMatchObject({ result: { instructions } })
  })
})

describe('request log', () => {
  test('records an answered call with client, time and citations', async () => {
    const { send, calls } = fakeMcp()
    await send(modern('tools/call', search))
    expect(calls).toEqual([])
    await turn()
    expect(calls).toEqual([
      {
        tool: 'search_docs',
        arguments: { query: 'oil' },
        client: { name: 'probe', version: '9' },
        status: 'ok',
        durationMs: expect.any(Number),
        citations: [
          {
            sourceId: 'src_one',
            url: 'https://widgets.example/docs/sprockets#oiling',
            title: 'Sprockets',
            rank: 1,
            score: 12.5,
          },
        ],
      },
    ])
  })

  test('identifies legacy clients by their User-Agent and failures by their message', async () => {
    const { send, calls } = fakeMcp()
    await send(legacy('tools/call', { name: 'search_docs' }, { 'User-Agent': 'codex/1.4 (linux)' }))
    await turn()
    expect(calls).toMatchObject([
      {
        client: { name: 'codex', version: '1.4' },
        status: 'error',
        error: expect.stringContaining('"query"'),
        citations: [],
      },
    ])
  })

  test('identifies a legacy client by its initialize request, if it matches', async () => {
    const { send, calls } = fakeMcp()
    const agent = (version: string) => ({ 'User-Agent': `node/${version}` })
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agent', version: '3' } }
    await send(legacy('initialize', hello, agent('24')))
    await send(legacy('tools/call', search, agent('24')))
    await send(legacy('tools/call', { name: 'nope' }, agent('24')))
    await send(legacy('tools/call', search, agent('22')))
    await send({ ...legacy('tools/call', search, agent('24')), address: '192.0.2.2' })
    await turn()
    const itself = { name: 'agent', version: '3' }
    const clients = calls.map(({ client }) => client)
    expect(clients).toEqual([itself, itself, { name: 'node', version: '22' }, { name: 'node', version: '24' }])
  })

  test.each<[string, (params: Record<string, unknown>) => ReturnType<typeof legacy>, string]>([
    ['a handshake', (params) => legacy('tools/call', params, { 'User-Agent': 'codex/1.4' }), 'codex'],
    ['no state', (params) => modern('tools/call', params, { 'Mcp-Name': 'nope' }), 'probe'],
  ])('records calls of unknown tools over revisions with %s', async (_, request, name) => {
    const { send, calls } = fakeMcp()
    await send(request({ name: 'nope', arguments: { query: 'oil' } }))
    await turn()
    expect(calls).toEqual([
      {
        tool: 'nope',
        isUnknown: true,
        arguments: { query: 'oil' },
        client: expect.objectContaining({ name }),
        status: 'error',
        durationMs: 0,
        error: expect.stringContaining('There is no tool "nope".'),
        citations: [],
      },
    ])
  })

  test.each([{}, { name: '' }, { name: 5 }, { name: { deep: true } }])(
    'records a call of the tool %j under a name that no tool has',
    async (params) => {
      const { send, calls } = fakeMcp()
      await send(legacy('tools/call', params))
      await turn()
      expect(calls).toMatchObject([{ tool: '(none)', isUnknown: true, status: 'error' }])
    },
  )
})

test('does not list selected tools that do not exist', async () => {
  const { send } = fakeMcp({ server: { tools: ['get_code_examples', 'custom:ct_1', 'search_docs'] } })
  expect(jsonOf(await send(legacy('tools/list')))).toMatchObject({
    result: { tools: [{ name: 'get_code_examples' }, { name: 'search_docs' }] },
  })
})

type Requesting = (method: string, params: Record<string, unknown>) => Partial<McpRequest>

/** The members of a result with the types of their items, and the listed tools that declare an output schema. */
async function membersOf(send: ReturnType<typeof fakeMcp>['send'], request: Requesting) {
  const { result } = jsonOf(await send(request('tools/call', search))) as any
  const { result: listed } = jsonOf(await send(request('tools/list', {}))) as any
  return {
    result: Object.keys(result).filter((name) => /content/i.test(name)),
    kinds: result.content.map(({ type }: { type: string }) => type),
    declares: listed.tools.map((tool: object) => 'outputSchema' in tool),
  }
}
