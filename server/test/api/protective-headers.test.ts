import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startDocent } from '../support/service/harness.ts'

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
const JSON_TYPE = { 'content-type': 'application/json' }

test.each([
  ['https://docs.example.com', 'max-age=31536000'],
  ['http://docs.example.com', null],
])('sends the protective headers of %s with every answer', async (publicUrl, strict) => {
  await using docent = await startDocent({ environment: { DOCENT_PUBLIC_URL: publicUrl, DOCENT_DASHBOARD: 'on' } })
  const body = { name: 'Open', sources: [{ url: 'http://127.0.0.1:19151/' }] }
  const { slug } = (await docent.request('POST', '/api/mcp/create', body)).body
  const requests: [path: string, options?: RequestInit][] = [
    ['/'],
    ['/', { headers: { accept: 'text/html' } }],
    ['/healthz'],
    ['/docs'],
    ['/docs/nowhere'],
    ['/openapi.json'],
    ['/embed/docent.js'],
    ['/api/mcp/list'],
    ['/api/nowhere'],
    ['/api/mcp/list', { method: 'DELETE' }],
    [`/api/mcp/${slug}`, { method: 'POST', body: PING, headers: JSON_TYPE }],
    [`/api/mcp/${slug}`, { method: 'OPTIONS', headers: { origin: publicUrl } }],
    ['/api/mcp/nowhere', { method: 'POST', body: PING, headers: JSON_TYPE }],
    ['/api/headless/mcp', { method: 'POST', body: PING, headers: JSON_TYPE }],
    ['/.well-known/oauth-authorization-server'],
    ['/oauth/authorize'],
  ]
  for (const [path, options] of requests) {
    const { headers } = await fetch(docent.url + path, options)
    const sent = [headers.get('x-content-type-options'), headers.get('strict-transport-security')]
    expect([path, ...sent]).toEqual([path, 'nosniff', strict])
  }
})

test('sends them with an answer to what is no request', async () => {
  await using docent = await startDocent()
  const socket = connect(Number(new URL(docent.url).port), '127.0.0.1').setEncoding('utf8')
  let text = ''
  socket.on('data', (piece: string) => void (text += piece))
  socket.write('FLY / HTTP/1.1\r\n\r\n')
  await once(socket, 'close')
  expect(text).toMatch(/^x-content-type-options: nosniff\r$/m)
})
