import { setTimeout as sleep } from 'node:timers/promises'
import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { mcpFetch } from './mcp-fetch.ts'
import { type RemoteSession, type Told, deadlineOf, remoteSession } from './remote-session.ts'
import { UpstreamError } from './upstream-error.ts'

/** Credential for a remote MCP server. */
export type RemoteCredential = { headerName: 'Authorization' | 'X-API-Key'; secret: string }

export type RemoteDeps = {
  net: Pick<NetClient, 'fetch'>
  /** Version of the service, sent to the server. */
  version: string
}

export type Remote = {
  url: string
  credential: RemoteCredential | null
  signal?: AbortSignal | undefined
  /** Milliseconds for the connection, in either era, and all requests. */
  totalMs?: number
  /** Milliseconds for connecting alone. Default: `totalMs`. */
  connectMs?: number
  /** Milliseconds for one list. */
  listMs?: number
}

/** For a few requests. Callers that read everything set a higher limit. */
const TOTAL_MS = 30_000

/** A server that does not end the session must not delay a finished response. */
const CLOSE_MS = 1_000

/** Responses are read completely, so no stream is ever resumed. */
const NO_RECONNECTING = {
  maxRetries: 0,
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 1,
}

/**
 * Connects to a remote MCP server in its era. Dispose of the session to end it. The credential is sent only to the
 * URL's own origin. This and every request throw `UpstreamError`: `refused` for 401 and 403, otherwise `failed`; and
 * the signal's reason.
 */
export async function connectRemoteMcp(
  { net, version }: RemoteDeps,
  { url, credential, signal, totalMs = TOTAL_MS, connectMs = totalMs, listMs = totalMs }: Remote,
): Promise<RemoteSession> {
  signal?.throwIfAborted()
  const address = new URL(url)
  const late = AbortSignal.timeout(totalMs)
  const stop = signal ? AbortSignal.any([late, signal]) : late
  // Lazy import: most services never use a remote MCP server, but all must start.
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'docent', version }, { versionNegotiation: { mode: 'auto' } })
  const last: { status: number | null } = { status: null }
  // The client ignores its signal while it probes for the era, so the requests carry it.
  let connecting: AbortSignal | null = null
  const fetch = mcpFetch(net, { origin: address.origin, secret: credential?.secret ?? null, signal: stop })
  const transport = new StreamableHTTPClientTransport(address, {
    fetch: async (input, init) => {
      last.status = null
      const signals = [init?.signal, connecting].filter((one) => one instanceof AbortSignal)
      const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) })
      last.status = response.status
      return response
    },
    requestInit: { headers: credential ? { [credential.headerName]: headerValue(credential) } : {} },
    reconnectionOptions: NO_RECONNECTING,
  })
  const told: Told = async (asking, deadline) => {
    try {
      return await asking
    } catch (cause) {
      signal?.throwIfAborted()
      if (deadline?.signal.aborted) throw tooSlow(address, deadline.ms, cause)
      if (late.aborted) throw tooSlow(address, totalMs, cause)
      throw toUpstreamError(address, last.status, cause)
    }
  }
  const close = async () => {
    // If the session cannot be ended, the server will expire it.
    if (transport.sessionId) {
      const leaving = transport.terminateSession().catch(() => {})
      await Promise.race([leaving, sleep(CLOSE_MS, undefined, { ref: false })])
    }
    await client.close().catch(() => {})
  }
  const options = { signal: stop, timeout: totalMs }
  try {
    const deadline = deadlineOf(connectMs)
    connecting = deadline.signal
    await told(client.connect(transport, options), deadline)
    connecting = null
  } catch (error) {
    await close()
    throw error
  }
  return remoteSession(client, { told, close, listMs, ...options })
}

/** Adds the scheme to a bare token. A value with a scheme, or for another header, is sent unchanged. */
function headerValue({ headerName, secret }: RemoteCredential): string {
  return headerName === 'Authorization' && !secret.includes(' ') ? `Bearer ${secret}` : secret
}

function tooSlow({ host }: URL, totalMs: number, cause: unknown): UpstreamError {
  const seconds = Math.round(totalMs / 1000)
  return new UpstreamError('failed', `${host} did not come to an end within ${seconds} seconds.`, { cause })
}

/** Uses our own words, because a remote server's message is untrusted. */
function toUpstreamError({ host }: URL, status: number | null, cause: unknown): UpstreamError {
  if (status === 401 || status === 403) {
    return new UpstreamError('refused', `${host} refused the credential (${status}).`, { cause })
  }
  const net = findNetError(cause)
  if (net) return new UpstreamError('failed', `${host} could not be asked. ${net.message}`, { cause })
  const why = status === null || status < 400 ? 'it did not answer as an MCP server does' : `it answered ${status}`
  return new UpstreamError('failed', `${host} could not be asked: ${why}.`, { cause })
}

function findNetError(error: unknown): NetError | null {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof NetError) return at
  return null
}
