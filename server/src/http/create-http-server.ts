import { STATUS_CODES, type Server, createServer } from 'node:http'
import type { Socket } from 'node:net'
import { once } from 'node:events'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import type { ErrorCode } from '@docent/contract/errors'
import { DocentError } from '#errors.ts'
import { type AppDeps, createApp } from './app.ts'
import { closeListener } from './close-listener.ts'
import { clientAddress } from './read-request.ts'
import { CONNECTION_LIMITS, RequestGate } from './request-gate.ts'
import { handleMcp } from './mcp-handler.ts'
import { type Exchange, takeFromParser } from './incoming-body.ts'
import { measure } from './metrics.ts'
import { hostedServerOf } from './routes.ts'
import { NO_SNIFFING, protectiveHeaders } from './send-answer.ts'

/** Longer than the usual minute of proxies: a request sent while we close an idle connection would be lost. */
const KEEP_ALIVE_MS = 75_000
/** Deadline for request headers, from their first byte or from the connection. */
const HEADERS_MS = 20_000
/** Deadline for a whole request. The largest upload needs 300 kbit/s. Smaller bodies have separate deadlines. */
const REQUEST_MS = 30 * 60_000
/** What is read of a refused connection, so that a client with a usual request can read the refusal. */
const MOST_UNREAD = 64 * 1024
/** Interval at which Node checks these deadlines. */
const CHECK_MS = 5_000

type StopOptions = {
  /** Grace period in milliseconds, in which recently used or opened connections can send one more request. */
  graceMs: number
  /** Milliseconds for responses in transit. Streams and exports could take minutes. */
  sendMs: number
  /** Milliseconds for calls in progress. */
  deadlineMs: number
}

export type HttpServer = {
  server: Server
  /** Shuts down within `deadlineMs`. See `stopServer`. */
  stop(options: StopOptions): Promise<void>
}

/** Creates Node's HTTP server (1.1) in front of the app. It answers requests too malformed for the app, in JSON. */
export function createHttpServer(deps: AppDeps, limits = CONNECTION_LIMITS): HttpServer {
  // The listener cannot parse the request: its host is missing or invalid, or its path is invalid.
  const errorHandler = () => {
    const { body, status } = new DocentError('malformed_request')
    return Response.json(body, { status, headers: { connection: 'close' } })
  }
  const listener = getRequestListener(createApp(deps).fetch, {
    errorHandler,
    // The gate drains the rest of an early-answered request.
    autoCleanupIncoming: false,
  })
  const serve = (exchange: Exchange) => {
    // Calls of hosted servers are nearly all of the traffic, so they bypass the app.
    const name = hostedServerOf(exchange.incoming)
    if (name !== null) {
      if (deps.metrics) measure(deps.metrics, exchange, () => '/api/mcp/:id')
      deps.traces?.routed(exchange.incoming.method ?? '', '/api/mcp/:id')
      return handleMcp(deps, name, exchange)
    }
    const { incoming, outgoing } = exchange
    outgoing.setHeaders(new Map(Object.entries(protectiveHeaders(deps.operations.baseUrl()))))
    return listener(incoming, outgoing)
  }
  const { trustedProxies } = deps.mcp
  const gate = new RequestGate({
    serve: (exchange) =>
      deps.traces ? deps.traces.request(exchange.incoming, exchange.outgoing, () => serve(exchange)) : serve(exchange),
    addressOf: (incoming) => clientAddress(incoming, trustedProxies),
    limits,
  })
  const server = createServer(
    {
      requireHostHeader: false,
      // Joins duplicate headers, as the app does. The first alone could pass as a valid credential.
      joinDuplicateHeaders: true,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    gate.arrive,
  )
  // The response is unread, or the connection was idle for too long.
  server.on('timeout', (socket: Socket) => {
    if (!gate.isWorking(socket)) socket.destroy()
  })
  // Polled, because setting a timeout per request would double the cost of a request here.
  const watching = setInterval(() => gate.watchUnread(), limits.unreadMs / 6).unref()
  server.once('close', () => clearInterval(watching))
  const countConnection = createConnectionCount()
  server.on('connection', (socket: Socket) => {
    gate.accept(socket)
    const count = countConnection(socket)
    if (trustedProxies > 0) return
    if (count > limits.connectionsPerAddress) answerAndClose(socket, 'too_busy')
    else refuseUnread(socket, deps.bodies.budget)
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

/** Answers input that cannot be parsed as a request. */
function answerAndClose(socket: Socket, code: ErrorCode): void {
  const { body, status } = new DocentError(code)
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json',
    ...Object.entries(NO_SNIFFING).map((header) => header.join(': ')),
    `content-length: ${Buffer.byteLength(text)}`,
    ...(status === 503 ? ['retry-after: 1'] : []),
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}

/** Answers a connection of an address that sends bodies in tiny chunks again and again, and parses none of it. */
export function refuseUnread(socket: Socket, budget: AppDeps['bodies']['budget']): void {
  const address = clientAddress({ socket, headers: {} }, 0)
  if (!budget.isBlocked(address)) return
  const discard = takeFromParser(socket, MOST_UNREAD, () => {
    socket.pause()
    budget.suspect(address)
  })
  answerAndClose(socket, 'too_busy')
  discard()
}

/** Counts a connection until it closes. Returns the number of open connections from its peer address. */
function createConnectionCount(): (socket: Socket) => number {
  const open = new Map<string, number>()
  return (socket) => {
    const address = clientAddress({ socket, headers: {} }, 0)
    const count = (open.get(address) ?? 0) + 1
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 0) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
    return count
  }
}

/** After this time without a new connection, the load balancer has noticed the shutdown. */
const QUIET_MS = 50
const STEP_MS = 10

/**
 * Stops a server without connection resets. Open connections get one more response, with `connection: close`. The
 * listener closes after new connections stop. Resolves when no connection is left.
 */
export async function stopServer(server: Server, gate: RequestGate, options: StopOptions): Promise<void> {
  if (!server.listening) return
  const started = performance.now()
  const closed = once(server, 'close')
  gate.close()
  let connectedAt = options.graceMs > 0 ? started - QUIET_MS + STEP_MS : -Infinity
  const onConnection = () => (connectedAt = performance.now())
  server.on('connection', onConnection)
  try {
    let isListening = true
    for (;;) {
      const now = performance.now()
      const isOver = now - started >= options.graceMs
      if (isListening && (isOver || now - connectedAt >= QUIET_MS)) {
        await closeListener(server)
        isListening = false
      }
      dropConnections(gate, { ...options, now, started })
      if (!isListening && gate.connections.size === 0) break
      await sleep(STEP_MS)
      // Requests that arrived while the process was held up are read first.
      await nextTurn()
    }
  } finally {
    server.off('connection', onConnection)
  }
  await closed
}

type Moment = StopOptions & { now: number; started: number }

function dropConnections({ connections }: RequestGate, { now, started, graceMs, sendMs, deadlineMs }: Moment): void {
  const elapsed = now - started
  for (const [socket, { current, idleSince }] of connections) {
    if (elapsed >= deadlineMs) socket.destroy()
    else if (current === null) {
      if (now - idleSince >= graceMs) socket.destroySoon()
    } else if (current.outgoing.headersSent && elapsed >= sendMs) socket.destroy()
  }
}
