import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { afterEach } from 'vitest'
import { createNetClient, type NetClientConfig } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { parseNetworks } from '#net/judge-address.ts'

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

/** Listens on a loopback address until the test ends. Returns the origin. */
async function serve(server: Server, closeConnections: () => void): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push({
    async [Symbol.asyncDispose]() {
      closeConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Serves on a loopback address until the test ends. Returns its origin. */
export function site(listener: RequestListener) {
  const server = createServer(listener)
  return serve(server, () => server.closeAllConnections())
}

/** A server that runs `talk` on every connection, for responses that node:http cannot send. */
export function rawSite(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', () => talk(socket))
  })
  return serve(server, () => sockets.forEach((socket) => socket.destroy()))
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
