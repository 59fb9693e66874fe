import { setTimeout as sleep } from 'node:timers/promises'
import type { FetchLike } from '@modelcontextprotocol/client'
import type { NetClient } from '#net/client.ts'
import { forAddress } from '#net/secret-address-client.ts'
import { NetError } from '#net/net-error.ts'
import { hasMoreValues } from '#lib/text/bounded-json.ts'
import { type RemoteSession, type Told, deadlineOf, remoteSession } from './remote-session.ts'
import { UpstreamError } from './upstream-error.ts'

/** Credential for a remote MCP server. */
export type RemoteCredential = { headerName: 'Authorization' | 'X-API-Key'; secret: string }

type RemoteDeps = {
  net: Pick<NetClient, 'fetch'>
  /** Version of the service, sent to the server. */
  version: string
}

type Remote = {
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
  const fetch = mcpFetch(net, address.origin, credential?.secret ?? null, stop)
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
      const passed = [deadline, { signal: late, ms: totalMs }].find((each) => each?.signal.aborted)
      if (!passed) throw toUpstreamError(address, last.status, cause)
      const seconds = Math.round(passed.ms / 1000)
      throw new UpstreamError('failed', `${address.host} did not come to an end within ${seconds} seconds.`, { cause })
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

/** Bytes of one response, parsed in this process. A tool list with long schemas has about 100 kB. */
const MAX_BYTES = 4 * 1024 * 1024
/** Milliseconds for one request and its full response. Tools can take a while. */
const REQUEST_MS = 25_000

/** Statuses without a body, as `Response` requires. */
const WITHOUT_BODY = new Set([101, 204, 205, 304])

/** Minimum length of a redacted secret. Shorter ones could match ordinary words or JSON syntax. */
const LEAST_SECRET = 8

/**
 * A `fetch` for the MCP client on top of the guarded HTTP client: one origin, limited sizes and times, redirects
 * returned to the caller. Responses are read completely; a request's event stream ends with its response. The endless
 * stream of a GET is answered as unsupported. Redacts the secret from responses.
 */
function mcpFetch(net: RemoteDeps['net'], origin: string, secret: string | null, signal: AbortSignal): FetchLike {
  return async (input, init = {}) => {
    const url = new URL(input)
    if (url.origin !== origin) throw new Error(`Requests to ${url.origin} are not part of a session with ${origin}`)
    const method = init.method ?? 'GET'
    if (method !== 'POST' && method !== 'DELETE') return new Response(null, { status: 405 })
    const answer = await net.fetch(url.href, {
      method,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' ? { json: JSON.parse(init.body) as unknown } : {}),
      signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal,
      maxBytes: MAX_BYTES,
      totalMs: REQUEST_MS,
      acceptRedirect: () => false,
    })
    // The MCP client parses these bytes with JSON.parse.
    if (hasMoreValues(answer.bytes)) throw new NetError('too_large', 'The MCP server answers with too many values.')
    const { 'content-encoding': _, 'content-length': __, ...headers } = answer.headers
    const body = WITHOUT_BODY.has(answer.status) ? null : without(secret, new Uint8Array(answer.bytes))
    return new Response(body, { status: answer.status, headers })
  }
}

/** Redacts the secret: careless servers echo it, and their text is shown to others than its owner. */
function without(secret: string | null, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | string {
  if (secret === null || secret.length < LEAST_SECRET) return bytes
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return body.includes(secret) ? body.toString('utf8').replaceAll(secret, '[credential]') : bytes
}

/** Lists the tool names of a remote MCP server. Throws `UpstreamError`: `refused` for 401 and 403, else `failed`. */
export async function listRemoteTools(open: () => Promise<RemoteSession>): Promise<string[]> {
  await using session = await open()
  const { items } = await session.listTools()
  return items.map(({ name }) => name)
}

/**
 * Concurrent live calls on this node. Connecting and listing take about 5 ms of CPU per call on the main thread: 16
 * calls of one server take 80 ms, and 300 took 1.3 s. A hanging call holds a socket and about 100 kB until its
 * deadline. The HTTP client opens 64 connections per host, which crawls and other accounts need as well.
 */
export const LIVE_CALLS = { server: 16, account: 24, host: 32, all: 256 } as const
type LiveLimit = keyof typeof LIVE_CALLS

/** Milliseconds. Most clients give up after a minute. */
const DEADLINES = { connectMs: 10_000, listMs: 10_000, totalMs: 45_000 }

export type OpenLiveSession = (
  owner: { serverId: string; accountId: string },
  remote: Pick<Remote, 'url' | 'credential' | 'signal'>,
) => Promise<RemoteSession>

/** Opens sessions for interactive calls, each in a slot until its disposal. Refuses further ones at once. */
export function createLiveSessions(
  deps: RemoteDeps & { net: NetClient },
  limits: Record<LiveLimit, number> = LIVE_CALLS,
): OpenLiveSession {
  const underWay = new Set<Record<LiveLimit, string>>()
  return async ({ serverId, accountId }, remote) => {
    const { host } = new URL(remote.url)
    const call = { server: serverId, account: accountId, host, all: '' }
    for (const kind of ['server', 'account', 'host', 'all'] as const) {
      const count = [...underWay].filter((other) => other[kind] === call[kind]).length
      if (count >= limits[kind]) throw new UpstreamError('failed', busy(kind, limits[kind], host))
    }
    await using slot = new AsyncDisposableStack()
    underWay.add(call)
    slot.defer(() => void underWay.delete(call))
    const { net, href } = forAddress(deps.net, remote.url)
    const session = slot.use(await connectRemoteMcp({ ...deps, net }, { ...remote, url: href, ...DEADLINES }))
    const held = slot.move()
    return { ...session, [Symbol.asyncDispose]: () => held.disposeAsync() }
  }
}

function busy(kind: LiveLimit, limit: number, host: string): string {
  if (kind === 'all') return 'Too many live calls are under way. Try again in a moment.'
  const owner = { server: 'This server has', account: 'The servers of this account have', host: `${host} has` }[kind]
  return `${owner} ${limit} live calls under way, and no more are made at once. Try again in a moment.`
}
