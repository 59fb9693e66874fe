import { callbackify } from 'node:util'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { type Guard, guardedLookup, refuseHost, refuseLiteral } from './guard.ts'
import { portOf } from './judge-address.ts'

export type DispatcherLimits = {
  /** Milliseconds for DNS look-up, TCP and TLS together. */
  connectMs: number
  /** Milliseconds from sending the request to complete headers. */
  firstByteMs: number
  /** Milliseconds between two pieces of a body. */
  idleMs: number
  maxHeaderBytes: number
  connectionsPerOrigin: number
}

/** Idle time of a connection. Longer than a polite crawl delay, shorter than most servers' timeouts. */
const KEEP_ALIVE_MS = 10_000

/** Upper bound for a server's Keep-Alive, so that it cannot make us hold sockets for hours. */
const KEEP_ALIVE_MAX_MS = 60_000

/** Creates the connection pool of the process. Every socket opens here, through the guard. */
export function createDispatcher(limits: DispatcherLimits, guard: Guard): Dispatcher {
  return new Agent({
    connections: limits.connectionsPerOrigin,
    headersTimeout: limits.firstByteMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: limits.maxHeaderBytes,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    // All limits here assume HTTP/1.1. One HTTP/2 connection could carry any number of requests.
    allowH2: false,
    connect: guardedConnector(limits.connectMs, guard),
  })
}

function guardedConnector(timeout: number, guard: Guard): buildConnector.connector {
  const lookup = guardedLookup(guard)
  const common = buildConnector({ timeout, allowH2: false, lookup: lookup(0) })
  const refuse = callbackify((host: string, port: number) => refuseLiteral(host, port, guard))
  const isOwnPort = (port: number) => guard.ownEndpoints?.().some((own) => own.port === port) ?? false
  return (options, callback) => {
    // Sockets look up names only. IP address literals bypass the look-up and are checked here.
    const refusal = refuseHost(options.hostname, guard.networks)
    if (refusal) return queueMicrotask(() => callback(refusal, null))
    const port = portOf(options)
    if (!isOwnPort(port)) return common(options, callback)
    const connect = buildConnector({ timeout, allowH2: false, lookup: lookup(port) })
    refuse(options.hostname, port, (error, own) => {
      if (error) callback(error, null)
      else if (own) callback(own, null)
      else connect(options, callback)
    })
  }
}
