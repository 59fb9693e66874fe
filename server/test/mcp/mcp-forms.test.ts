import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Docent, startDocent } from '../support/service/harness.ts'

let docent: Docent
let slug: string
beforeAll(async () => {
  docent = await startDocent()
  const sources = [{ url: 'http://127.0.0.1:19151/' }]
  slug = (await docent.request('POST', '/api/mcp/create', { name: 'Forms', sources })).body.slug
})
afterAll(() => docent[Symbol.asyncDispose]())

const PING = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })
const NOTIFICATION = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
/** Maximum bytes of a call's body. */
const LIMIT = 4 * 1024 * 1024
const PONG = '{"jsonrpc":"2.0","id":7,"result":{}}'

type Form = { target?: string; headers?: Record<string, string>; body?: string; chunked?: boolean }

function write({ target = `/api/mcp/${slug}`, headers = {}, body = PING, chunked = false }: Form, last = true): string {
  const all = {
    host: 'docs.example.test',
    ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(Buffer.byteLength(body)) }),
    ...(last ? { connection: 'close' } : {}),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const sent = chunked ? `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n` : body
  return `POST ${target} HTTP/1.1\r\n${lines.join('')}\r\n${sent}`
}

/** Sends the bytes and returns the whole response until the connection closes. */
async function send(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(docent.url).port), '127.0.0.1').setEncoding('utf8')
  let text = ''
  socket.on('data', (piece: string) => void (text += piece)).on('error', () => {})
  socket.write(bytes)
  await once(socket, 'close')
  return text
}

const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n') + 4)

test.each<[string, () => Form]>([
  ['the usual form', () => ({})],
  ['a host in capitals', () => ({ headers: { host: 'DOCS.example.test' } })],
  ['an IPv6 host', () => ({ headers: { host: '[::1]:80' } })],
  ['a slash at the end', () => ({ target: `/api/mcp/${slug}/` })],
  ['parameters', () => ({ target: `/api/mcp/${slug}?from=here` })],
  ['a percent-encoded letter', () => ({ target: `/api/mcp/%66${slug.slice(1)}` })],
  ['an absolute-form target', () => ({ target: `http://docs.example.test/api/mcp/${slug}` })],
  ['dots in the path', () => ({ target: `/api/mcp/x/../${slug}` })],
  ['chunks', () => ({ chunked: true })],
  ['a byte order mark', () => ({ body: `\uFEFF${PING}` })],
  ['a body of exactly the limit', () => ({ body: PING + ' '.repeat(LIMIT - PING.length) })],
  ['chunks of exactly the limit', () => ({ chunked: true, body: PING + ' '.repeat(LIMIT - PING.length) })],
])('answers a call with %s', async (_, form) => {
  const answer = await send(write(form()))
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(answer).toMatch(/^content-type: application\/json\r$/im)
  expect(answer).toMatch(new RegExp(`^content-length: ${PONG.length}\r$`, 'im'))
  expect(bodyOf(answer)).toBe(PONG)
})

test.each<[string, () => Form, number, string]>([
  ['chunks of more than the limit', () => ({ chunked: true, body: ' '.repeat(LIMIT + 1) }), 413, 'is too large'],
  [
    'a Content-Length above the limit and no body',
    () => ({ headers: { 'content-length': '9999999' } }),
    413,
    'is too large',
  ],
  ['no body', () => ({ body: '' }), 400, 'The body is not valid JSON.'],
  ['an unknown server name', () => ({ target: '/api/mcp/nobody' }), 404, 'Server not found'],
  ['a NUL in its name', () => ({ target: '/api/mcp/a%00b' }), 404, 'Server not found'],
  ['a name that is an operation', () => ({ target: '/api/mcp/list' }), 405, 'Method not allowed'],
  ['no name', () => ({ target: '/api/mcp/' }), 404, 'Not found'],
  ['a foreign origin', () => ({ headers: { origin: 'https://evil.test' } }), 403, 'origin_not_allowed'],
])('refuses a call with %s in JSON', async (_, form, status, words) => {
  const answer = await send(write(form()))
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(JSON.stringify(JSON.parse(bodyOf(answer)))).toContain(words)
})

test.each([
  ['a call', () => `/api/mcp/${slug}`, 413],
  ['a management operation', () => '/api/mcp/create', 413],
  ['an upload without a key', () => `/api/mcp/${slug}/sources/upload?name=a`, 401],
])('answers %s refused for its body even if the client first writes all of it', async (what, target, status) => {
  const size = 24 * LIMIT
  const key = what.includes('without') ? '' : `authorization: Bearer ${docent.key}\r\n`
  const socket = connect(Number(new URL(docent.url).port), '127.0.0.1').setEncoding('utf8')
  const closed = once(socket, 'close')
  socket.write(`POST ${target()} HTTP/1.1\r\nhost: docs.example.test\r\n${key}content-length: ${size}\r\n\r\n`)
  const piece = Buffer.alloc(LIMIT, ' ')
  for (let sent = 0; sent < size; sent += piece.byteLength) {
    // Simulates a connection of 80 MB/s.
    await sleep(50)
    if (!socket.write(piece)) await once(socket, 'drain')
  }
  let text = ''
  socket.on('data', (part: string) => void (text += part))
  await closed
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
})

test('sends CORS headers to an allowed origin even with an early refusal', async () => {
  const call = (name: string, origin: string, body = PING) =>
    fetch(`${docent.url}/api/mcp/${name}`, { method: 'POST', body, headers: { origin } })
  const allowed = await call('nobody', 'http://localhost:5173')
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([404, 'http://localhost:5173'])
  const large = await call(slug, 'http://localhost:5173', ' '.repeat(LIMIT + 1))
  expect([large.status, large.headers.get('access-control-allow-origin')]).toEqual([413, 'http://localhost:5173'])
  const foreign = await call('nobody', 'https://evil.test')
  expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([403, null])
})

test.each([
  ['POST', '/token'],
  ['GET', '/authorize'],
  ['GET', '/.well-known/oauth-protected-resource/api/mcp/x'],
  ['GET', '/api/mcp/x/.well-known/openid-configuration'],
])('answers %s %s with the OAuth error that MCP clients display', async (method, path) => {
  const { status, body } = await docent.request(method, path, undefined, { key: null })
  expect(status).toBe(404)
  expect(body).toEqual({ error: 'Not found', error_description: expect.stringContaining('access token') })
})

test('refuses to register clients with the OAuth error that they display', async () => {
  const { status, body } = await docent.request('POST', '/register', {}, { key: null })
  expect(status).toBe(403)
  expect(body).toMatchObject({ error: 'not_permitted', error_description: expect.stringContaining('access token') })
})

test('answers invalid UTF-8 with a parse error', async () => {
  const body = Buffer.concat([
    Buffer.from('{"jsonrpc":"2.0","id":"'),
    Buffer.of(0xff),
    Buffer.from('","method":"ping"}'),
  ])
  const response = await fetch(`${docent.url}/api/mcp/${slug}`, { method: 'POST', body })
  expect([response.status, await response.json()]).toMatchObject([400, { id: null, error: { code: -32700 } }])
})

test('refuses a management request with invalid UTF-8', async () => {
  const body = Uint8Array.from(Buffer.from('{"name":"\xff"}', 'latin1'))
  const answer = await docent.request('POST', '/api/mcp/create', body)
  expect([answer.status, answer.body]).toEqual([400, { error: 'The request body must be a JSON object' }])
})

test('joins the values of a repeated header', async () => {
  const twice = write({}).replace(
    '\r\n',
    '\r\nMCP-Protocol-Version: 2025-06-18\r\nMCP-Protocol-Version: 2025-06-18\r\n',
  )
  expect(await send(twice)).toContain('\\"2025-06-18, 2025-06-18\\" is not supported')
})

test('answers concurrent requests on one connection in order', async () => {
  const app = write({ target: `/api/mcp/${slug}/` }, false)
  const answer = await send(write({}, false) + write({ body: NOTIFICATION }, false) + app + write({}))
  expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '202', '200', '200'])
})

test('logs a legacy client under the name from its handshake', async () => {
  const clientInfo = { name: 'careful-agent', version: '3.1' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
  await docent.request(
    'POST',
    `/api/mcp/${slug}`,
    { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    { key: null },
  )
  await docent.callTool(slug, 'search_docs', { query: 'oil' })
  await docent.request('GET', `/api/analytics/${slug}/summary`)
  const { calls } = (await docent.request('GET', `/api/analytics/${slug}/calls?client=careful-agent`)).body
  expect(calls).toMatchObject([{ tool: 'search_docs', client: clientInfo }])
})

test('serves the next request after a client disconnects mid-request', async () => {
  const socket = connect(Number(new URL(docent.url).port), '127.0.0.1')
  socket.write(write({}).slice(0, -5))
  await once(socket, 'connect')
  socket.destroy()
  expect(bodyOf(await send(write({})))).toBe(PONG)
})
