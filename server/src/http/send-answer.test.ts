import { gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { LEAST_BYTES, answerJson, csvLine } from './send-answer.ts'
import type { Bindings } from './read-request.ts'

/** Answers with a text so long that its JSON has this many bytes. */
function ask(bytes: number, encodings?: string): Promise<Response> {
  const app = new Hono<Bindings>()
  app.get('/', (c) => {
    c.header('set-cookie', 'session=secret')
    return answerJson(c, ['a'.repeat(bytes - 4)])
  })
  return Promise.resolve(app.request('/', encodings === undefined ? {} : { headers: { 'accept-encoding': encodings } }))
}

test('compresses an answer for clients that accept it', async () => {
  const answer = await ask(LEAST_BYTES, 'br, gzip;q=0.8')
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('vary')).toBe('Accept-Encoding')
  expect(answer.headers.get('set-cookie')).toBe('session=secret')
  const body = new Uint8Array(await answer.arrayBuffer())
  expect(body.byteLength).toBeLessThan(LEAST_BYTES / 10)
  expect(gunzipSync(body).toString()).toBe(JSON.stringify(['a'.repeat(LEAST_BYTES - 4)]))
})

test('leaves a small answer as it is', async () => {
  const answer = await ask(LEAST_BYTES - 1, 'gzip')
  expect(answer.headers.get('content-encoding')).toBeNull()
  expect(await answer.text()).toHaveLength(LEAST_BYTES - 1)
})

test.each([undefined, '', 'br', 'gzip;q=0', 'gzip; q=0.0, br', 'x-gzip'])(
  'compresses nothing for the encodings %j',
  async (encodings) => {
    const answer = await ask(2 * LEAST_BYTES, encodings)
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(await answer.json()).toEqual(['a'.repeat(2 * LEAST_BYTES - 4)])
  },
)

test('quotes cells, doubles quotes in them, and leaves numbers unchanged', () => {
  expect(csvLine(['a "b", c', 3, null, true, 'two\nlines'])).toBe('"a ""b"", c",3,"",true,"two\nlines"\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', "=cmd|' /C calc'!A0"])(
  'escapes the text %j so that it is not taken for a formula',
  (text) => expect(csvLine([text]).startsWith(`"'`)).toBe(true),
)

test('leaves harmless text unchanged', () => {
  expect(csvLine(['https://example.org/a=b'])).toBe('"https://example.org/a=b"\r\n')
})
