import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Docent, startDocent } from '../support/service/harness.ts'

let docent: Docent
beforeAll(async () => {
  docent = await startDocent()
})
afterAll(() => docent[Symbol.asyncDispose]())

/** Sends the bytes and parses the response until the connection closes. */
async function send(bytes: string): Promise<{ status: number; type: string; closes: boolean; body: unknown }> {
  const socket = connect(Number(new URL(docent.url).port), '127.0.0.1').setEncoding('utf8')
  let text = ''
  socket.on('data', (piece: string) => void (text += piece))
  socket.write(bytes)
  await once(socket, 'close')
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const closes = /^connection: close$/im.test(head)
  const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? ''
  return {
    status: Number(head.split(' ')[1]),
    type,
    closes,
    body: JSON.parse(body.slice(body.indexOf('{'), body.indexOf('}') + 1)),
  }
}

const HOST = 'Host: docs.example.test\r\nConnection: close\r\n'

test.each([
  ['an endless header', `GET /api/mcp/list HTTP/1.1\r\n${HOST}X: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
  ['an endless address', `GET /api/mcp/${'a'.repeat(40_000)} HTTP/1.1\r\n${HOST}\r\n`, 431],
  ['an unknown method', `FLY /api/mcp/list HTTP/1.1\r\n${HOST}\r\n`, 400],
  ['no host', 'GET /api/mcp/list HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['an impossible host', 'GET /api/mcp/list HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
  ['a backslash', `GET /api\\mcp HTTP/1.1\r\n${HOST}\r\n`, 400],
  ['an invalid chunk', `POST /api/mcp/create HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  ['two lengths', `POST /api/mcp/create HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400],
])('answers %s in JSON', async (_, bytes, status) => {
  const sentences: Record<number, string> = {
    400: 'The request is not valid HTTP',
    431: 'The address or the headers of the request are too long',
  }
  expect(await send(bytes)).toEqual({
    status,
    type: 'application/json',
    closes: true,
    body: { error: sentences[status] },
  })
})

test('keeps a connection alive for longer than proxies do', async () => {
  const { headers } = await docent.request('GET', '/api/mcp/list')
  expect(headers.get('keep-alive')).toBe('timeout=75')
})

test.each([
  ['a refused upload', 'POST /api/mcp/none/sources/upload?name=a', 404],
  ['an oversized body', 'POST /api/mcp/create', 413],
])('does not read %s to its end and closes the connection', async (_, line, status) => {
  const length = `Authorization: Bearer ${docent.key}\r\nContent-Length: 2000000\r\n`
  // The client keeps the connection open: it waits for the answer before it sends the rest.
  const answer = await send(`${line} HTTP/1.1\r\nHost: docs.example.test\r\n${length}\r\n{`)
  expect(answer).toMatchObject({ status, closes: true })
})

test('answers the next request as usual', async () => {
  expect((await docent.request('GET', '/api/mcp/list')).body).toEqual([])
})
