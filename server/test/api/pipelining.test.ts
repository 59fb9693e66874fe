import { once } from 'node:events'
import { ServerResponse } from 'node:http'
import { type Socket, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Docent, startDocent } from '../support/service/harness.ts'

let docent: Docent
let slug: string
beforeAll(async () => {
  docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
  slug = (await docent.request('POST', '/api/mcp/create', { name: 'A', uploads: ['docs'] })).body.slug
})
afterAll(() => docent[Symbol.asyncDispose]())

const open = (): Socket => {
  const socket = connect(Number(new URL(docent.url).port), '127.0.0.1')
  socket.on('error', () => {})
  return socket
}
const message = (id: number, last = false) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })
  const close = last ? 'Connection: close\r\n' : ''
  return `POST /api/mcp/${slug} HTTP/1.1\r\nHost: a\r\n${close}Content-Length: ${body.length}\r\n\r\n${body}`
}
const ids = (text: string) => [...text.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id))

async function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', (piece: string) => void (text += piece))
  await once(socket, 'close')
  return text
}

test('answers pipelined requests in order', async () => {
  const socket = open()
  socket.write(Array.from({ length: 60 }, (_, n) => message(n, n === 59)).join(''))
  expect(ids(await readAll(socket))).toEqual(Array.from({ length: 60 }, (_, n) => n))
})

test('answers pipelined requests of different kinds, even when bodies arrive late', async () => {
  const socket = open()
  const reading = readAll(socket)
  const get = `GET /api/mcp/list HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${docent.key}\r\n\r\n`
  const last = message(3, true)
  socket.write(message(1) + get + message(2) + get + last.slice(0, -20))
  await sleep(100)
  socket.write(last.slice(-20))
  const text = await reading
  expect(ids(text)).toEqual([1, 2, 3])
  expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(5)
})

test('drops a connection with too many pipelined requests and serves others', async () => {
  const socket = open().resume()
  const closed = once(socket, 'close')
  // Far more than 256 requests in one read of 64 KiB.
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_800))
  await closed
  expect((await docent.request('GET', '/api/mcp/list')).status).toBe(200)
})

test('serves others while clients pipeline without reading', async () => {
  const sockets = Array.from({ length: 100 }, open)
  try {
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    for (const socket of sockets) {
      socket.pause()
      socket.write(Array.from({ length: 40 }, (_, n) => message(n)).join(''))
    }
    // The four places go to requests queued behind the first of each connection. Another request gets its turn long
    // before thousands of them are served.
    await sleep(200)
    using answer = vi.spyOn(ServerResponse.prototype, 'end')
    const between: number[] = []
    for (let n = 0; n < 30; n++) {
      const before = answer.mock.calls.length
      expect((await docent.callTool(slug, 'search_docs', { query: 'anything' })).result).toBeDefined()
      between.push(answer.mock.calls.length - before)
    }
    expect(between.toSorted((a, b) => a - b)[15]).toBeLessThan(150)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})

test('does not wait for the rest of a request that was already answered', async () => {
  const socket = open()
  const reading = readAll(socket)
  socket.write(`POST /api/mcp/none HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{`)
  expect(await reading).toMatch(/^HTTP\/1\.1 404 /)
})
