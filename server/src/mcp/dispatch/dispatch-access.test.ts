import { MCP_RATE } from '@docent/contract/rate-limit'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { fakeMcp, jsonOf, legacy, membersOf, modern, searchParams } from '../../../test/support/mcp/mcp-fakes.ts'

const TEXT_ONLY = { result: ['content'], kinds: ['text'], declares: [false, false, false] }
const WITH_DATA = { result: ['content', 'structuredContent'], kinds: ['text'], declares: [true, true, true] }
const secret = (deps: Parameters<typeof fakeMcp>[0] = {}) => fakeMcp({ server: { visibility: 'private' }, ...deps })
const bearer = (token: string) => ({ Authorization: token })

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
  const response = await fakeMcp({
    deps: { takeRequests: async () => ({ retryAfterSeconds: 12.2, reached: MCP_RATE }) },
  }).send(legacy('ping'))
  expect(response).toMatchObject({ status: 429, headers: { 'retry-after': '13' } })
  const limit = 'The limit is 200 messages of one client to one server in a minute.'
  const error = `Too many requests. ${limit} Try again in 13 seconds.`
  expect(jsonOf(response)).toEqual({ error, limit: 200, retryAfterSeconds: 13 })
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
    const response = await spent().send(legacy('tools/call', searchParams))
    expect(response.status).toBe(200)
    expect(jsonOf(response)).toMatchObject({ id: 7, error: { code: -32003, data: reached } })
  })

  test('reports a used-up allowance with the date of its renewal', async () => {
    const words =
      'The monthly allowance of 50 MCP requests is used up. It renews on 2026-12-01 (UTC). Larger plans: https://docent.example/plan'
    expect(jsonOf(await spent().send(legacy('tools/call', searchParams)))).toMatchObject({ error: { message: words } })
    const modernly = jsonOf(await spent().send(modern('tools/call', searchParams)))
    expect(modernly).toMatchObject({ result: { content: [{ type: 'text', text: words }] } })
  })

  test('does not log calls over the allowance', async () => {
    const { send, calls } = spent()
    await send(legacy('tools/call', searchParams))
    await send(modern('tools/call', searchParams))
    await turn()
    expect(calls).toEqual([])
  })

  test('reports a used-up allowance as a failed result with data to stateless clients', async () => {
    const response = await spent().send(modern('tools/call', searchParams))
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
