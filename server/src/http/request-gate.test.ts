import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CONNECTION_LIMITS, type ConnectionLimits, RequestGate, dropUnlessComplete, linger } from './request-gate.ts'

type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse }

/** Starts a server whose requests stay open until released. `underWay` lists their paths. */
async function serve(limits: Partial<ConnectionLimits> = {}, work: Promise<void> = Promise.resolve()) {
  const underWay: string[] = []
  const letGo: (() => void)[] = []
  const gate = new RequestGate({
    async serve({ incoming, outgoing }: Exchange) {
      const path = incoming.url ?? ''
      underWay.push(path)
      incoming.resume()
      await new Promise<void>((resolve) => {
        letGo.push(resolve)
        outgoing.once('close', resolve)
      })
      underWay.splice(underWay.indexOf(path), 1)
      outgoing.end(`answer to ${path}\n`)
      await work
    },
    addressOf: ({ headers }) => headers['x-address']?.toString() ?? 'a',
    limits: { ...CONNECTION_LIMITS, ...limits },
  })
  const server = createServer(gate.arrive)
  server.on('connection', gate.accept)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    gate,
    underWay,
    /** Releases all requests, including ones that arrive meanwhile. */
    async letAllGo() {
      for (let round = 0; round < 20; round++) {
        for (const go of letGo.splice(0)) go()
        await sleep(5)
      }
    },
    letOneGo: () => letGo.shift()?.(),
    send(paths: string[], address = 'a'): { socket: Socket; text: () => string } {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8')
      socket.on('error', () => {})
      let text = ''
      socket.on('data', (piece: string) => void (text += piece))
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Address: ${address}\r\n\r\n`).join(''))
      return { socket, text: () => text }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('serves one request of a connection at a time', async () => {
  await using server = await serve()
  const { text } = server.send(['/1', '/2', '/3'])
  await expect.poll(() => server.underWay).toEqual(['/1'])
  await sleep(50)
  expect(server.underWay).toEqual(['/1'])
  server.letOneGo()
  await expect.poll(() => server.underWay).toEqual(['/2'])
  await server.letAllGo()
  expect(text().match(/answer to \S+/g)).toEqual(['answer to /1', 'answer to /2', 'answer to /3'])
})

test('limits concurrent requests per address, answers the excess with 503, and serves other addresses', async () => {
  await using server = await serve({ requestsPerAddress: 3 })
  const sent = ['/1', '/2', '/3'].map((path) => server.send([path]))
  await expect.poll(() => server.underWay.length).toBe(3)
  const over = server.send(['/4'])
  await once(over.socket, 'close')
  expect(over.text()).toMatch(/^HTTP\/1\.1 503 /)
  expect(over.text().toLowerCase()).toMatch(/retry-after: 1\r\n[^]*\{"error":"too many requests are under way/)
  const other = server.send(['/5'], 'b')
  await expect.poll(() => server.underWay.includes('/5')).toBe(true)
  await server.letAllGo()
  expect([...sent, other].every(({ text }) => text().includes('answer to'))).toBe(true)
  const again = server.send(['/6'])
  await expect.poll(() => server.underWay).toEqual(['/6'])
  await server.letAllGo()
  expect(again.text()).toContain('answer to /6')
})

test('limits concurrent pipelined requests without delaying other requests', async () => {
  await using server = await serve({ pipelinedPerAddress: 2 })
  const sent = Array.from({ length: 5 }, (_, n) => server.send([`/first${n}`, `/second${n}`]))
  await expect.poll(() => server.underWay.length).toBe(5)
  for (let n = 0; n < 5; n++) server.letOneGo()
  await expect.poll(() => server.underWay.length).toBe(2)
  await sleep(50)
  expect(server.underWay.every((path) => path.startsWith('/second'))).toBe(true)
  expect(server.underWay).toHaveLength(2)
  server.send(['/alone'])
  await expect.poll(() => server.underWay.includes('/alone')).toBe(true)
  await server.letAllGo()
  expect(sent.map(({ text }) => text().match(/answer to/g)?.length)).toEqual([2, 2, 2, 2, 2])
})

test('frees the slot of a pipelined request when its connection closes', async () => {
  await using server = await serve({ pipelinedPerAddress: 1 })
  const [one, two, three] = ['/a', '/b', '/c'].map((path) => server.send([`${path}1`, `${path}2`]))
  await expect.poll(() => server.underWay.length).toBe(3)
  for (let n = 0; n < 3; n++) server.letOneGo()
  await expect.poll(() => server.underWay.length).toBe(1)
  for (const { socket, text } of [one, two, three].flatMap((each) => each ?? [])) {
    if (!text().includes('2')) socket.destroy()
    break
  }
  await server.letAllGo()
  expect(three?.text().match(/answer to/g)).toHaveLength(2)
})

test('limits queued pipelined requests per connection, and drops the connection beyond that', async () => {
  await using server = await serve({ waitingPerConnection: 3 })
  const full = server.send(['/1', '/2', '/3', '/4'])
  await expect.poll(() => server.underWay).toEqual(['/1'])
  await server.letAllGo()
  expect(full.text().match(/answer to/g)).toHaveLength(4)
  const over = server.send(['/1', '/2', '/3', '/4', '/5'])
  await once(over.socket, 'close')
  expect(over.text()).toBe('')
})

test('limits queued requests over all connections', async () => {
  await using server = await serve({ waitingInAll: 3 })
  const first = server.send(['/1', '/2', '/3', '/4'])
  await expect.poll(() => server.underWay).toEqual(['/1'])
  const over = server.send(['/5', '/6'], 'b')
  await once(over.socket, 'close')
  first.socket.destroy()
  await expect.poll(() => server.gate.connections.size).toBe(0)
  const again = server.send(['/7', '/8'])
  await expect.poll(() => server.underWay).toEqual(['/7'])
  await server.letAllGo()
  expect(again.text().match(/answer to/g)).toHaveLength(2)
})

test('counts the work of a disconnected client until it ends', async () => {
  let finish = () => {}
  const work = new Promise<void>((resolve) => (finish = resolve))
  await using server = await serve({ requestsPerAddress: 1 }, work)
  const left = server.send(['/1'])
  await expect.poll(() => server.underWay).toEqual(['/1'])
  left.socket.destroy()
  await expect.poll(() => server.underWay).toEqual([])
  const early = server.send(['/2'])
  await once(early.socket, 'close')
  expect(early.text()).toMatch(/^HTTP\/1\.1 503 /)
  finish()
  await sleep(20)
  server.send(['/3'])
  await expect.poll(() => server.underWay).toEqual(['/3'])
})

test('drops a connection with an unread response, but not one with a slow reader', async () => {
  const gate = new RequestGate({
    async serve({ outgoing }: Exchange) {
      outgoing.end('a'.repeat(30_000_000))
      await once(outgoing, 'close')
    },
    addressOf: () => 'a',
    limits: { ...CONNECTION_LIMITS, unreadMs: 400 },
  })
  const server = createServer(gate.arrive)
  server.on('connection', gate.accept)
  server.on('timeout', (socket) => gate.isWorking(socket) || socket.destroy())
  const watching = setInterval(() => gate.watchUnread(), 50)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const open = () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    return socket
  }
  const unread = open().pause()
  const slow = open()
  let bytes = 0
  slow.on('data', (piece) => {
    bytes += piece.byteLength
    slow.pause()
    setTimeout(() => slow.resume(), 1)
  })
  await expect.poll(() => gate.connections.size).toBe(2)
  await expect.poll(() => gate.connections.size).toBe(1)
  // More than the buffers of the system hold.
  await expect.poll(() => bytes, { interval: 100 }).toBeGreaterThan(10_000_000)
  expect(gate.connections.size).toBe(1)
  clearInterval(watching)
  unread.destroy()
  slow.destroy()
  server.close()
})

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
