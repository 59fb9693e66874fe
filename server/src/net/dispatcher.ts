import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici'
import { refuseHost, guardedLookup } from './guard.ts'
import type { Networks } from './networks.ts'

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
export function createDispatcher(limits: ConnectionLimits, networks: Networks, proxy: string | undefined): Dispatcher {
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
    ? new Agent({ ...options, connect: guardedConnector(limits.connectMs, networks) })
    : new ProxyAgent({ ...options, uri: proxy, proxyTls: { timeout: limits.connectMs } })
}

function guardedConnector(timeout: number, networks: Networks): buildConnector.connector {
  const connect = buildConnector({ timeout, allowH2: false, lookup: guardedLookup(networks) })
  return (options, callback) => {
    // Sockets look up names only: an address in the URL never passes the look-up, so it is checked here.
    const refusal = refuseHost(options.hostname, networks)
    if (refusal) queueMicrotask(() => callback(refusal, null))
    else connect(options, callback)
  }
}
