import { callbackify } from 'node:util'
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici'
import { type Guard, guardedLookup, portOf, refuseHost, refuseLiteral } from './guard.ts'

export type ConnectionLimits = {
  /** Milliseconds for look-up, TCP and TLS together. */
  connectMs: number
  /** Milliseconds from the request sent to the headers complete. */
  firstByteMs: number
  /** Milliseconds between two pieces of a body. */
  idleMs: number
  /** Bytes of an answer's headers. */
  maxHeaderBytes: number
  /** Connections to one origin. */
  connectionsPerOrigin: number
}

/** How long an unused connection waits for the next page; longer than a polite crawl delay, shorter than most servers. */
const KEEP_ALIVE_MS = 10_000

/** What a server may ask for with Keep-Alive, so that it cannot make us hold sockets for hours. */
const KEEP_ALIVE_MAX_MS = 60_000

/** The connections of the process: every socket is opened here, through the guard. */
export function createDispatcher(limits: ConnectionLimits, guard: Guard, proxy: string | undefined): Dispatcher {
  const options = {
    connections: limits.connectionsPerOrigin,
    headersTimeout: limits.firstByteMs,
    bodyTimeout: limits.idleMs,
    maxHeaderSize: limits.maxHeaderBytes,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    // Every limit here is one of HTTP/1.1. One HTTP/2 connection would carry any number of requests.
    allowH2: false,
  }
  // A proxy is the operator's own way out and may well be on a private address, so its socket is not guarded.
  return proxy === undefined
    ? new Agent({ ...options, connect: guardedConnector(limits.connectMs, guard) })
    : new ProxyAgent({ ...options, uri: proxy, proxyTls: { timeout: limits.connectMs } })
}

function guardedConnector(timeout: number, guard: Guard): buildConnector.connector {
  const lookup = guardedLookup(guard)
  const common = buildConnector({ timeout, allowH2: false, lookup: lookup(0) })
  const refuse = callbackify((host: string, port: number) => refuseLiteral(host, port, guard))
  const isOwnPort = (port: number) => guard.ownEndpoints?.().some((own) => own.port === port) ?? false
  return (options, callback) => {
    // Sockets look up names only: an address in the URL never passes the look-up, so it is checked here.
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
