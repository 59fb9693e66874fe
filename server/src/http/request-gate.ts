import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { DocentError } from '#errors.ts'
import { RecordMap } from '#lib/limits/record-map.ts'
import type { Exchange } from './incoming-body.ts'
import { NO_SNIFFING, errorAnswer } from './send-answer.ts'

/** Limits per client. Users behind one address (a company, an untrusted proxy) share one limit. */
export type ConnectionLimits = {
  /** Open connections per address, if no proxy is trusted. Browsers open six, agents one per client. */
  connectionsPerAddress: number
  /** Concurrent requests per address. Calls that wait for a model or a remote server take up to a minute. */
  requestsPerAddress: number
  /** Maximum of these that were pipelined, that is sent before the previous response on their connection. */
  pipelinedPerAddress: number
  /** Queued pipelined requests per connection. One socket read of 64 KiB holds about that many typical requests. */
  waitingPerConnection: number
  /** Queued pipelined requests on all connections: about 16 MB. Hardly any client pipelines. */
  waitingInAll: number
  /** Milliseconds within which a client must read some of a pending response. */
  unreadMs: number
  /** Milliseconds to wait for the next byte of the unread rest of an answered request. */
  restMs: number
  /** Milliseconds for such a rest in total. */
  lingerMs: number
}

type Options = {
  /** Resolves when all work on the request has ended. Never rejects. */
  serve: (exchange: Exchange) => Promise<void>
  addressOf: (incoming: IncomingMessage) => string
  limits: ConnectionLimits
}

/** One connection. Node parses pipelined requests immediately; they queue here for the previous response. */
type Connection = {
  current: Exchange | null
  waiting: Exchange[]
  /** Start of the idle time, by `performance.now()`. */
  idleSince: number
}
/** Requests in progress for one address. */
type Client = { served: number; pipelined: number; queue: (() => void)[] }

/**
 * Serves one request per connection at a time, and a bounded number per address. Excess requests get `503 too_busy`.
 * Connections with too many pipelined requests are dropped.
 */
export class RequestGate {
  readonly connections = new Map<Socket, Connection>()
  readonly #options: Options
  readonly #clients = new RecordMap<Client>(
    () => ({ served: 0, pipelined: 0, queue: [] }),
    ({ served, pipelined, queue }) => served === 0 && pipelined === 0 && queue.length === 0,
  )
  #waitingInAll = 0
  #isClosing = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Registers an accepted connection. A property, because it is a listener of the server, as `arrive` is. */
  readonly accept = (socket: Socket): Connection => {
    const connection: Connection = { current: null, waiting: [], idleSince: performance.now() }
    this.connections.set(socket, connection)
    socket.once('close', () => {
      this.connections.delete(socket)
      this.#waitingInAll -= connection.waiting.length
      connection.waiting = []
    })
    return connection
  }

  readonly arrive = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const { limits } = this.#options
    const { socket } = incoming
    const connection = this.connections.get(socket) ?? this.accept(socket)
    const exchange = { incoming, outgoing }
    if (connection.current === null) return this.#begin(connection, exchange, false)
    if (connection.waiting.length >= limits.waitingPerConnection || this.#waitingInAll >= limits.waitingInAll) {
      return void socket.destroy()
    }
    connection.waiting.push(exchange)
    this.#waitingInAll += 1
    socket.pause()
  }

  /** True if the connection waits for us, not for its client. */
  isWorking(socket: Socket): boolean {
    return (this.connections.get(socket)?.current ?? null) !== null && socket.writableLength === 0
  }

  /** Sets a timeout on connections with an unread response. The server's `timeout` event follows. */
  watchUnread(): void {
    const { unreadMs } = this.#options.limits
    for (const [socket, { current }] of this.connections) {
      // Node sets a new timeout after the response has been read, but none with the next request.
      const isUnread = current !== null && socket.writableLength > 0
      if (isUnread && socket.timeout !== unreadMs) socket.setTimeout(unreadMs)
    }
  }

  /** From now on every response closes its connection. */
  close(): void {
    this.#isClosing = true
    for (const { current } of this.connections.values()) {
      if (current && !current.outgoing.headersSent) current.outgoing.setHeader('connection', 'close')
    }
  }

  #begin(connection: Connection, exchange: Exchange, isPipelined: boolean): void {
    const { serve, addressOf, limits } = this.#options
    const { incoming, outgoing } = exchange
    const client = this.#clients.of(addressOf(incoming))
    connection.current = exchange
    if (this.#isClosing) outgoing.setHeader('connection', 'close')
    const isRefused = client.served >= limits.requestsPerAddress
    // A slot is free after both the response and the work have ended. A disconnect does not end the work.
    let left = isRefused ? 0 : 2
    if (!isRefused) client.served += 1
    if (isPipelined) client.pipelined += 1
    const release = () => {
      left -= 1
      if (left === 0) client.served -= 1
    }
    // Runs before Node's listener, which closes the connection.
    outgoing.prependOnceListener('finish', () => linger(exchange))
    outgoing.on('close', () => {
      if (isPipelined) {
        client.pipelined -= 1
        client.queue.shift()?.()
      }
      if (!isRefused) release()
      this.#end(connection, exchange)
    })
    if (isRefused) refuse(outgoing)
    else void serve(exchange).then(release, release)
  }

  #end(connection: Connection, { incoming }: Exchange): void {
    const { socket } = incoming
    connection.current = null
    connection.idleSince = performance.now()
    if (!incoming.complete) dropUnlessComplete(incoming, this.#options.limits)
    const next = connection.waiting.shift()
    if (next === undefined) return
    this.#waitingInAll -= 1
    if (connection.waiting.length === 0) socket.resume()
    this.#beginPipelined(connection, next)
  }

  /** Pipelined requests have few separate slots, so that they do not delay clients that wait for responses. */
  #beginPipelined(connection: Connection, exchange: Exchange): void {
    const { addressOf, limits } = this.#options
    const client = this.#clients.of(addressOf(exchange.incoming))
    const start = () => {
      if (!exchange.incoming.socket.destroyed) return this.#begin(connection, exchange, true)
      client.queue.shift()?.()
    }
    // A queued exchange blocks its connection, so that later requests wait as well.
    connection.current = exchange
    if (client.pipelined < limits.pipelinedPerAddress) start()
    else client.queue.push(start)
  }
}

function refuse(outgoing: ServerResponse): void {
  const error = new DocentError('too_busy', { headers: { 'retry-after': '1', connection: 'close' } })
  const { status, headers, body } = errorAnswer(error)
  outgoing.writeHead(status, { ...headers, ...NO_SNIFFING, 'content-length': Buffer.byteLength(body) }).end(body)
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  connectionsPerAddress: 1_024,
  requestsPerAddress: 512,
  pipelinedPerAddress: 4,
  waitingPerConnection: 256,
  waitingInAll: 4_096,
  unreadMs: 30_000,
  restMs: 1_000,
  // Enough for the largest upload at 80 Mbit/s.
  lingerMs: 10_000,
}

/**
 * Keeps reading a request that was answered before it fully arrived. Closing a connection with unread bytes resets it.
 * A client that writes the whole request first would then never read the response. Call before the response ends.
 */
export function linger({ incoming, outgoing }: Exchange): void {
  if (incoming.complete) return
  const { socket } = incoming
  incoming.resume()
  // Node calls this after the last response of a connection. Closing our half tells the client to stop.
  const { destroySoon } = socket
  socket.destroySoon = () => {
    socket.destroySoon = destroySoon
    if (incoming.complete) socket.destroySoon()
    else socket.end()
  }
  // The connection is reused, so restore it.
  outgoing.once('close', () => (socket.destroySoon = destroySoon))
}

/** Drops the connection of an answered request if its rest stalls or takes too long. */
export function dropUnlessComplete(
  incoming: IncomingMessage,
  { restMs, lingerMs }: Pick<ConnectionLimits, 'restMs' | 'lingerMs'>,
): void {
  const { socket } = incoming
  const begun = performance.now()
  let read = socket.bytesRead
  const timer = setInterval(() => {
    const isMoving = socket.bytesRead > read && performance.now() - begun < lingerMs
    read = socket.bytesRead
    if (!isMoving) socket.destroy()
  }, restMs).unref()
  // The request is complete, or its connection is gone.
  incoming.once('close', () => {
    clearInterval(timer)
    if (socket.writableEnded) socket.destroy()
  })
}
