import { BUILT_IN_TOOLS } from '@docent/contract/values/tools'
import { describe, expect, test } from 'vitest'
import { fakeMcp, jsonOf, legacy, modern } from '../../../test/support/mcp/mcp-fakes.ts'

const search = { name: 'search_docs', arguments: { query: 'oil' } }
const get = (headers: Record<string, string>) => ({ method: 'GET', headers: new Headers(headers) })
const broken = () => fakeMcp({ context: { search: () => Promise.reject(new Error('secret detail')) } })

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

describe('tool with a bug', () => {
  test('logs an unexpected error and hides its details from the caller', async () => {
    for (const request of [legacy('tools/call', search), modern('tools/call', search)]) {
      const { send, failures } = broken()
      const response = await send(request)
      expect(response.status).toBe(200)
      expect(response.body).not.toContain('secret')
      expect(failures).toEqual([new Error('secret detail')])
    }
  })

  test('answers discover, initialize and list in spite of a bug in a tool', async () => {
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

test('does not list selected tools that do not exist', async () => {
  const { send } = fakeMcp({ server: { tools: ['get_code_examples', 'custom:ct_1', 'search_docs'] } })
  expect(jsonOf(await send(legacy('tools/list')))).toMatchObject({
    result: { tools: [{ name: 'get_code_examples' }, { name: 'search_docs' }] },
  })
})
