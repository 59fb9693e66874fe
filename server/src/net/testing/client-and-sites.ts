import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { afterEach } from 'vitest'
import { createNetClient, type NetClientConfig } from '../client.ts'
import { NetError } from '../net-error.ts'
import { parseNetworks } from '../judge-address.ts'

const open: AsyncDisposable[] = []

afterEach(closeAll)

/** Closes what the test has opened so far, last first. */
export async function closeAll(): Promise<void> {
  for (const resource of open.splice(0).toReversed()) await resource[Symbol.asyncDispose]()
}

/** A client that may reach loopback addresses. Closed after the test. */
export function client(config: Partial<NetClientConfig> = {}) {
  const net = createNetClient({ allowNetworks: parseNetworks('127.0.0.0/8'), userAgent: 'docent-test', ...config })
  open.push(net)
  return net
}

/** Serves on a loopback address until the test ends. Returns its origin. */
export async function site(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  open.push({
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that runs `talk` on every connection, for responses that node:http cannot send. */
export async function rawSite(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', () => talk(socket))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  open.push({
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The error of an attempt that must fail. */
export async function failure(attempt: Promise<unknown>): Promise<NetError> {
  const error = await attempt.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof NetError)) throw new Error('not a NetError', { cause: error })
  return error
}
