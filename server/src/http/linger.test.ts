import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { dropUnlessComplete, linger } from './linger.ts'

/** A server that answers before the body has arrived. */
async function startHasty(restMs: number) {
  const sockets = new Set<Socket>()
  const server = createServer((incoming, outgoing) => {
    sockets.add(incoming.socket)
    linger({ incoming, outgoing })
    outgoing.once('close', () => dropUnlessComplete(incoming, { restMs, lingerMs: 60_000 }))
    outgoing.end('early')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections()
    },
  }
}

const HEAD = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\n'

test('leaves no listener on a connection whose requests are completed after their answers', async () => {
  await using server = await startHasty(60_000)
  const client = connect(server.port, '127.0.0.1')
  let listeners = 0
  for (let n = 0; n < 12; n++) {
    client.write(HEAD)
    await once(client, 'data')
    client.write('rest')
    const [socket] = server.sockets
    await expect.poll(() => socket?.bytesRead).toBe((n + 1) * (HEAD.length + 4))
    if (n === 0) listeners = socket?.listenerCount('close') ?? 0
    expect(socket?.listenerCount('close')).toBeLessThanOrEqual(listeners + 1)
  }
  client.destroy()
})

test('drops a connection whose request is never completed', async () => {
  await using server = await startHasty(50)
  const client = connect(server.port, '127.0.0.1')
  client.write(HEAD)
  await once(client, 'data')
  await once(client, 'close')
  expect(client.destroyed).toBe(true)
})
