import type { LingerLimits } from './linger.ts'

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
} & LingerLimits

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
