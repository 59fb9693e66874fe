import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { CONNECTION_LIMITS, RequestGate } from './request-gate.ts'
import { createBodyBudget } from './body-budget.ts'
import { refuseUnread, stopServer } from './create-http-server.ts'

const NEVER_MS = 3_600_000

type Serve = (outgoing: ServerResponse) => void

async function start(serve: Serve) {
  const gate = new RequestGate({
    serve: async ({ incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse }) => {
      incoming.resume()
      serve(outgoing)
      await once(outgoing, 'close')
    },
    addressOf: () => 'a',
    limits: CONNECTION_LIMITS,
  })
  const server = createServer(gate.arrive)
  server.on('connection', gate.accept)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open = async (bytes = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n') => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    socket.on('error', () => {})
    let text = ''
    socket.on('data', (piece: string) => void (text += piece))
    await once(socket, 'connect')
    socket.write(bytes)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    return { socket, text: () => text, closed }
  }
  /** Stops it. A time that must not be waited for is longer than the test may take. */
  const stop = async (options: Partial<Parameters<typeof stopServer>[2]>) => {
    const started = performance.now()
    await stopServer(server, gate, { graceMs: 200, sendMs: 300, deadlineMs: NEVER_MS, ...options })
    return performance.now() - started
  }
  return { open, stop, gate }
}

/** Writes more than the system's buffers hold, in steps, until the connection closes. */
const endless: Serve = (outgoing) => {
  const timer = setInterval(() => outgoing.writableNeedDrain || outgoing.write('a line\n'.repeat(40_000)), 5)
  outgoing.once('close', () => clearInterval(timer))
}

test('aborts an endless stream at the deadline, so that it does not look complete', async () => {
  const { open, stop, gate } = await start(endless)
  const { text, closed, socket } = await open()
  await expect.poll(() => text().length).toBeGreaterThan(10_000)
  await stop({})
  await closed
  expect(text()).not.toMatch(/\r\n0\r\n\r\n$/)
  expect(gate.connections.size).toBe(0)
  socket.destroy()
})

test('does not wait for a client that does not read', async () => {
  const { open, stop, gate } = await start(endless)
  const { socket } = await open()
  socket.pause()
  await expect.poll(() => [...gate.connections.keys()].some(({ writableLength }) => writableLength > 0)).toBe(true)
  await stop({})
  socket.destroy()
})

test('waits for a call in progress, and announces to its client that the connection closes', async () => {
  const { open, stop } = await start((outgoing) => void setTimeout(() => outgoing.end('done'), 400))
  const { text, closed } = await open()
  await expect.poll(() => text()).toBe('')
  await stop({ sendMs: 10 })
  await closed
  expect(text()).toMatch(/connection: close\r\n[^]*done$/i)
})

test('abandons a call that exceeds the deadline', async () => {
  const { open, stop } = await start(() => {})
  await open()
  expect(await stop({ deadlineMs: 600 })).toBeGreaterThanOrEqual(600)
})

test('answers a request on an open connection during shutdown', async () => {
  const { open, stop } = await start((outgoing) => void outgoing.end('done'))
  const { text, closed, socket } = await open('')
  const stopped = stop({})
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await closed
  expect(text()).toMatch(/connection: close\r\n[^]*done/i)
  await stopped
})

test('answers a request that arrived while the process was blocked for longer than the grace period', async () => {
  const { open, stop } = await start((outgoing) => void outgoing.end('done'))
  const { text, closed, socket } = await open()
  await expect.poll(() => text()).toContain('done')
  const stopped = stop({})
  // The listener is closed by then. The timer that looks at the connections follows before anything is read.
  setTimeout(() => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    const heldUpUntil = performance.now() + 300
    while (performance.now() < heldUpUntil);
  }, 100)
  await closed
  expect(text()).toMatch(/done[^]*connection: close\r\n[^]*done/i)
  await stopped
})

test('stops although clients that wait for nothing never cease to connect', async () => {
  const { open, stop, gate } = await start((outgoing) => void outgoing.end('done'))
  const refused = Promise.withResolvers<unknown>()
  const connecting = setInterval(() => void open('').catch(refused.resolve), 5)
  await expect.poll(() => gate.connections.size).toBeGreaterThan(10)
  await stop({})
  expect(await refused.promise).toMatchObject({ code: 'ECONNREFUSED' })
  clearInterval(connecting)
})

test('closes idle connections immediately without a grace period', async () => {
  const { open, stop } = await start((outgoing) => void outgoing.end('done'))
  const { text, closed } = await open()
  await expect.poll(() => text()).toContain('done')
  await stop({ graceMs: 0, sendMs: NEVER_MS })
  await closed
})

test.each([
  ['serves an address that sent three bodies in tiny chunks', 3, undefined, 'served'],
  ['refuses an address that sent four, and parses nothing of it', 4, undefined, 'Too many requests'],
  ['serves an address again after its time', 4, 0, 'served'],
])('%s', async (_, bodies, suspectMs, answer) => {
  const budget = createBodyBudget(suspectMs === undefined ? {} : { suspectMs })
  for (let sent = 0; sent < bodies; sent++) budget.suspect('127.0.0.1')
  let requests = 0
  const server = createServer((__, outgoing) => {
    requests++
    outgoing.end('served')
  })
  server.on('connection', (socket) => refuseUnread(socket, budget))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
  let text = ''
  socket.on('data', (piece: string) => void (text += piece))
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  await once(socket, 'close')
  expect(text).toContain(answer)
  expect(requests).toBe(answer === 'served' ? 1 : 0)
  server.close()
})
