import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, type Socket, connect, createServer as createNetServer } from 'node:net'
import { platform } from 'node:process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { OwnConnections, closeListener } from './close-listener.ts'

/** Ends the synchronous part of a turn, after which sockets have begun to connect and none is accepted. */
const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve))

describe.skipIf(platform !== 'linux')('accept queue', () => {
  test.each([
    ['of two connections of our own', ['own', 'own'], 'own'],
    ['of our own and one more that the kernel ignores', ['own', 'own', 'client'], 'own'],
    ['of a client and our own', ['client', 'own', 'own'], 'clients'],
    ['of our own and a client', ['own', 'client', 'own'], 'clients'],
    ['with one place left', ['own'], 'clients'],
  ] as const)('is read: %s', async (_, order, expected) => {
    const server = createNetServer((socket) => socket.destroy()).listen({ port: 0, host: '127.0.0.1', backlog: 1 })
    await once(server, 'listening')
    const at = server.address() as AddressInfo
    using own = new OwnConnections(at)
    const clients: Socket[] = []
    for (const who of order) {
      if (who === 'own') own.add()
      else clients.push(connect(at.port, at.address).on('error', () => {}))
      await nextTick()
    }
    expect(own.readQueue()).toBe(expected)
    for (const client of clients) client.destroy()
    server.close()
  })
})

test('a listener that closes resets no client of those that connect in every turn of the event loop', async () => {
  const server = createServer((_, outgoing) => void outgoing.end('done')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const clients: Promise<string>[] = []
  const ask = () =>
    new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8')
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
      socket.on('data', () => resolve('answered'))
      socket.on('end', () => socket.destroy())
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    })
  const closed = new AbortController()
  const connecting = (async () => {
    for (; !closed.signal.aborted; await nextTurn()) clients.push(ask())
  })()
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  await closeListener(server)
  closed.abort()
  await connecting
  expect(new Set(await Promise.all(clients))).toEqual(new Set(['answered', 'ECONNREFUSED']))
})
