import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { mcpFetch } from './mcp-fetch.ts'
import { type RemoteSession, remoteSession } from './remote-session.ts'
import { UpstreamError } from './upstream-error.ts'

/** What a remote MCP server is sent to be let in. */
export type RemoteCredential = { headerName: 'Authorization' | 'X-API-Key'; secret: string }

export type RemoteDeps = {
  net: Pick<NetClient, 'fetch'>
  /** Of the service, as it introduces itself. */
  version: string
}

export type Remote = {
  url: string
  credential: RemoteCredential | null
  signal?: AbortSignal | undefined
  /** Milliseconds for connecting, in either era, and everything that is asked. */
  totalMs?: number
}

/** For a few questions; whoever reads everything asks for more. */
const TOTAL_MS = 30_000

/** Answers are read to their end, so there is never a stream to go back to. */
const NO_RECONNECTING = {
  maxRetries: 0,
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 1,
}

/**
 * Connects to a remote MCP server in the era that it speaks. Dispose the session to end it. The credential is sent to
 * the URL's own origin and nowhere else. This and every question throws `UpstreamError`: `refused` for 401 and 403,
 * `failed` for everything else; and the signal's reason when that aborts.
 */
export async function connectRemoteMcp(
  { net, version }: RemoteDeps,
  { url, credential, signal, totalMs = TOTAL_MS }: Remote,
): Promise<RemoteSession> {
  signal?.throwIfAborted()
  const address = new URL(url)
  const late = AbortSignal.timeout(totalMs)
  const stop = signal ? AbortSignal.any([late, signal]) : late
  // Loaded when needed: most services never talk to a remote MCP server, and all of them have to start.
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'docent', version }, { versionNegotiation: { mode: 'auto' } })
  const last: { status: number | null } = { status: null }
  const fetch = mcpFetch(net, { origin: address.origin, secret: credential?.secret ?? null, signal: stop })
  const transport = new StreamableHTTPClientTransport(address, {
    fetch: async (input, init) => {
      last.status = null
      const response = await fetch(input, init)
      last.status = response.status
      return response
    },
    requestInit: { headers: credential ? { [credential.headerName]: headerValue(credential) } : {} },
    reconnectionOptions: NO_RECONNECTING,
  })
  const told = async <T>(asking: Promise<T>): Promise<T> => {
    try {
      return await asking
    } catch (cause) {
      signal?.throwIfAborted()
      if (late.aborted) throw tooSlow(address, totalMs, cause)
      throw toUpstreamError(address, last.status, cause)
    }
  }
  const close = async () => {
    // A server that cannot be told good-bye will forget the session by itself.
    if (transport.sessionId) await transport.terminateSession().catch(() => {})
    await client.close().catch(() => {})
  }
  const options = { signal: stop, timeout: totalMs }
  try {
    await told(client.connect(transport, options))
  } catch (error) {
    await close()
    throw error
  }
  return remoteSession(client, { told, close, ...options })
}

/** A bare token gets its scheme; whoever wrote a scheme, or a key for another header, gets it sent as it is. */
function headerValue({ headerName, secret }: RemoteCredential): string {
  return headerName === 'Authorization' && !secret.includes(' ') ? `Bearer ${secret}` : secret
}

function tooSlow({ host }: URL, totalMs: number, cause: unknown): UpstreamError {
  const seconds = Math.round(totalMs / 1000)
  return new UpstreamError('failed', `${host} did not come to an end within ${seconds} seconds.`, { cause })
}

/** In words of our own: those of a remote server could be anything. */
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
