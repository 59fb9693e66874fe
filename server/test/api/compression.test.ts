import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Docent, startDocent } from '../support/service/harness.ts'

/** Sends a request as it is and returns the answer as it comes, which `fetch` would decompress. */
async function send(url: string, { key = '', encoding = 'gzip' }: { key?: string; encoding?: string }) {
  const headers = { 'accept-encoding': encoding, ...(key ? { authorization: `Bearer ${key}` } : {}) }
  const asked = request(url, { headers }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const { 'content-encoding': used, 'content-type': type = '' } = response.headers
  return { encoding: used, type, bytes: Buffer.concat(await Array.fromAsync(response)) }
}

let docent: Docent
let slug: string
beforeAll(async () => {
  docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
  const body = { name: 'A', sources: [{ url: 'http://127.0.0.1:49151/' }] }
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

test('leaves short answers and refusals as they are', async () => {
  for (const path of [`/api/mcp/${slug}/crawl-next`, '/api/mcp/nobody', '/healthz']) {
    expect([path, (await send(docent.url + path, { key: docent.key })).encoding]).toEqual([path, undefined])
  }
})
