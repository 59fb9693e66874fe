import { getRequestListener } from '@hono/node-server'
import type { ErrorCode } from '@docent/contract/errors'
import { STATUS_CODES, type Server, createServer } from 'node:http'
import type { Socket } from 'node:net'
import { DocentError } from '#errors.ts'
import type { AppDeps } from './app-deps.ts'
import { createApp } from './app.ts'
import { clientAddress } from './client-address.ts'
import { createConnectionCount } from './connection-count.ts'
import { CONNECTION_LIMITS } from './connection-limits.ts'
import { mcpShortcut } from './mcp-shortcut.ts'
import { createRequestGate } from './request-gate.ts'
import { type StopOptions, stopServer } from './stop-server.ts'

/**
 * An idle connection is kept longer than proxies keep theirs, a minute mostly: who closes first must not be us, or a
 * request that is sent at that moment is lost.
 */
const KEEP_ALIVE_MS = 75_000
/** For the headers of a request, from its first byte or from the connection. */
const HEADERS_MS = 20_000
/** For a whole request. The largest upload needs 300 kbit/s; smaller bodies have deadlines of their own. */
const REQUEST_MS = 30 * 60_000
/** How often Node looks for requests over these deadlines. */
const CHECK_MS = 5_000

export type HttpServer = {
  server: Server
  /** Ends everything within `deadlineMs`; see `stopServer`. */
  stop(options: StopOptions): Promise<void>
}

/**
 * Node's HTTP server before the app, HTTP/1.1 only. It answers in JSON also what is no request that an app could see.
 * What the shortcut answers does not come to the app.
 */
export function createHttpServer(deps: AppDeps, limits = CONNECTION_LIMITS): HttpServer {
  // What the listener cannot make a request of: no host or an impossible one, or a path that is none.
  const errorHandler = () => {
    const { body, status } = new DocentError('malformed_request')
    return Response.json(body, { status, headers: { connection: 'close' } })
  }
  const listener = getRequestListener(createApp(deps).fetch, {
    errorHandler,
    // The gate reads the rest of a request that was answered early.
    autoCleanupIncoming: false,
  })
  const shortcut = mcpShortcut(deps)
  const { trustedProxies } = deps.mcp
  const gate = createRequestGate({
    serve: ({ incoming, outgoing }) => shortcut(incoming, outgoing) ?? listener(incoming, outgoing),
    addressOf: (incoming) => clientAddress(incoming, trustedProxies),
    limits,
  })
  const server = createServer(
    {
      requireHostHeader: false,
      // A header that is sent twice is read as both, as it is by the app: the first alone could be a credential.
      joinDuplicateHeaders: true,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    gate.arrive,
  )
  // An answer that nobody reads, or a connection that has been idle for long enough.
  server.on('timeout', (socket: Socket) => {
    if (!gate.isWorking(socket)) socket.destroy()
  })
  // Not for every connection all the time: setting a timeout costs as much as all else that is done for a request here.
  const watching = setInterval(() => gate.watchUnread(), limits.unreadMs / 6).unref()
  server.once('close', () => clearInterval(watching))
  const room = createConnectionCount(trustedProxies > 0 ? Infinity : limits.connectionsPerAddress)
  server.on('connection', (socket: Socket) => {
    gate.accept(socket)
    if (!room.take(socket)) answerAndClose(socket, 'too_busy')
  })
  server.on('clientError', answerClientError)
  return { server, stop: (options) => stopServer(server, gate, options) }
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else answerAndClose(socket, CODES[error.code ?? ''] ?? 'malformed_request')
}

/** Answers what never becomes a request. */
function answerAndClose(socket: Socket, code: ErrorCode): void {
  const { body, status } = new DocentError(code)
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    ...(status === 503 ? ['retry-after: 1'] : []),
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}
