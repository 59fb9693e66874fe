import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Docent, startDocent } from '../support/service/harness.ts'

/** Sends a request as it is and returns the answer as it comes, which `fetch` would decompress. */
async function send(url: string, sent: Sent) {
  const response = await open(url, sent)
  const { 'content-encoding': encoding, 'content-type': type = '', vary } = response.headers
  return { encoding, type, vary, bytes: Buffer.concat(await Array.fromAsync(response)) }
}

/** `rpc`: a method of MCP. */
type Sent = { key?: string; encoding?: string; rpc?: string }

async function open(url: string, { key = '', encoding = 'gzip', rpc }: Sent): Promise<IncomingMessage> {
  const headers = { 'accept-encoding': encoding, ...(key ? { authorization: `Bearer ${key}` } : {}) }
  const call = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const asked = rpc
    ? request(url, { method: 'POST', headers: { ...headers, ...call } }).end(
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: rpc }),
      )
    : request(url, { headers }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return response
}

let docent: Docent
let slug: string
beforeAll(async () => {
  docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
  const body = { name: 'A', sources: [{ url: 'http://127.0.0.1:19151/' }] }
  for (let n = 0; n < 8; n++) slug = (await docent.request('POST', '/api/mcp/create', body)).body.slug
  for (let n = 0; n < 12; n++) await docent.callTool(slug, 'search_docs', { query: `sprocket ${n}` })
  await docent.request('GET', '/api/billing/usage')
})
afterAll(() => docent[Symbol.asyncDispose]())

test.each([
  ['a list', '/api/mcp/list'],
  ['a page of a list', '/api/mcp/list?limit=5'],
  ['an object', '/api/mcp/SLUG/tools'],
  ['a log', '/api/analytics/SLUG/calls'],
  ['a table', '/api/analytics/SLUG/calls/export'],
  ['a table for spreadsheets', '/api/analytics/SLUG/calls/export?format=csv'],
  ['the description of the interface', '/openapi.json'],
])('compresses %s of more than 1 kB for clients that accept it', async (_, path) => {
  const url = docent.url + path.replace('SLUG', slug)
  const packed = await send(url, { key: docent.key })
  expect(packed.encoding).toBe('gzip')
  const text = gunzipSync(packed.bytes)
  expect(text.byteLength).toBeGreaterThan(1_000)
  expect(packed.bytes.byteLength).toBeLessThan(text.byteLength / 2)
  const plain = await send(url, { key: docent.key, encoding: 'identity' })
  expect([plain.encoding, plain.type]).toEqual([undefined, packed.type])
  expect(plain.bytes.toString()).toBe(text.toString())
})

test.each([
  ['a hosted server', '/api/mcp/SLUG'],
  ['the account', '/api/headless/mcp'],
])('compresses answers of the MCP endpoint of %s', async (_, path) => {
  const url = docent.url + path.replace('SLUG', slug)
  const packed = await send(url, { key: docent.key, rpc: 'tools/list' })
  expect([packed.encoding, packed.vary]).toEqual(['gzip', expect.stringContaining('Accept-Encoding')])
  const text = gunzipSync(packed.bytes).toString()
  expect(packed.bytes.byteLength).toBeLessThan(text.length / 2)
  const plain = await send(url, { key: docent.key, rpc: 'tools/list', encoding: 'identity' })
  expect([plain.encoding, plain.bytes.toString()]).toEqual([undefined, text])
  expect((await send(url, { key: docent.key, rpc: 'ping' })).encoding).toBeUndefined()
})

test('compresses no stream of events', async () => {
  const stream = await open(`${docent.url}/api/events`, { key: docent.key })
  expect([stream.headers['content-type'], stream.headers['content-encoding']]).toEqual(['text/event-stream', undefined])
  stream.destroy()
})

test('leaves short answers and refusals as they are', async () => {
  for (const path of [`/api/mcp/${slug}/crawl-next`, '/api/mcp/nobody', '/healthz']) {
    expect([path, (await send(docent.url + path, { key: docent.key })).encoding]).toEqual([path, undefined])
  }
})
