import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createNetClient } from '#net/client.ts'
import { parseNetworks } from '#net/judge-address.ts'
import { startDocent } from '../support/service/harness.ts'

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'

async function send(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1')
  let text = ''
  socket.on('data', (piece: string) => void (text += piece))
  socket.write(bytes)
  await once(socket, 'close')
  return text
}

test('answers the HTTP/2 preface as invalid HTTP', async () => {
  await using docent = await startDocent()
  const text = await send(docent.url, PREFACE)
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(text).toContain('{"error":"The request is not valid HTTP"}')
  const session = connectHttp2(docent.url)
  const [error] = (await once(session, 'error')) as [Error]
  expect(error).toBeInstanceOf(Error)
})

test('does not upgrade a connection to HTTP/2', async () => {
  await using docent = await startDocent()
  const upgrade = 'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings, close\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'
  const text = await send(docent.url, `GET /healthz HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`)
  expect(text).toMatch(/^HTTP\/1\.1 (?:200|400) /)
  expect(text).not.toContain('101')
})

test('offers only HTTP/1.1 in its TLS client hello', async () => {
  const hellos: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      hellos.push(bytes.toString('latin1'))
      socket.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await using net = createNetClient({ allowNetworks: parseNetworks('127.0.0.0/8'), userAgent: 'test' })
  await expect(net.fetch(`https://127.0.0.1:${port}/`)).rejects.toThrow()
  server.close()
  // Protocol names in the ALPN extension have length prefixes (RFC 7301).
  expect(hellos.length).toBeGreaterThan(0)
  for (const hello of hellos) {
    expect(hello).toContain('\x08http/1.1')
    expect(hello).not.toContain('\x02h2')
  }
})
