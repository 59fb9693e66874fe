import type { LingerLimits } from './linger.ts'

/** How much one client may have under way. Whoever shares an address (a company, a proxy that is not trusted) counts as one. */
export type ConnectionLimits = {
  /** Open connections of one address, where no proxy is trusted: browsers open six, agents one for each client. */
  connectionsPerAddress: number
  /** Requests served at once for one address; calls that wait for a model or a remote server take up to a minute. */
  requestsPerAddress: number
  /** Of these, requests that were sent before the answer to the one before them on their connection. */
  pipelinedPerAddress: number
  /** Pipelined requests that wait on one connection. One read of a socket, 64 KiB, has as many of the usual size. */
  waitingPerConnection: number
  /** Pipelined requests that wait on all connections: some 16 MB. Hardly any client pipelines. */
  waitingInAll: number
  /** Milliseconds in which a client that has an answer to read must read some of it. */
  unreadMs: number
} & LingerLimits

export const CONNECTION_LIMITS: ConnectionLimits = {
  connectionsPerAddress: 1_024,
  requestsPerAddress: 512,
  pipelinedPerAddress: 4,
  waitingPerConnection: 256,
  waitingInAll: 4_096,
  unreadMs: 30_000,
  restMs: 1_000,
  // The largest upload on a line of 80 Mbit/s.
  lingerMs: 10_000,
}
