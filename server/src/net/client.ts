import type { Dispatcher } from 'undici'
import type { HeldBytes } from '#lib/limits/byte-budget.ts'
import { type BodyMemory, type BodyMemoryLimits, SMALL_BODY, createBodyMemory, decompress } from './bodies.ts'
import { checkUrl } from './check-url.ts'
import { startDeadline } from './deadline.ts'
import type { DispatcherLimits } from './dispatcher.ts'
import { type Reading, exchange, type Hop, nextHop } from './exchange.ts'
import { NetError, isBrokenConnection, toNetError } from './net-error.ts'
import type { Networks, OwnEndpoint } from './judge-address.ts'

type RequestLimits = Pick<Reading, 'maxBytes' | 'slowAfterMs'> & {
  /** Total milliseconds: waiting for a connection, redirects and body. */
  totalMs: number
  maxRedirects: number
}

export type NetClientConfig = Partial<DispatcherLimits & RequestLimits> & {
  allowNetworks: Networks
  /** Concurrent DNS lookups, each of which occupies a thread of the process. Unlimited by default. */
  lookupsAtOnce?: number
  ownEndpoints?: () => readonly OwnEndpoint[]
  userAgent: string
  /** Limits for bodies that are being received, decompressed or read, over all requests. */
  bodyMemory?: BodyMemoryLimits
}

export type NetRequest = Partial<RequestLimits & Pick<Reading, 'onData' | 'onReceived'>> & {
  /** Default: GET, or POST with `json` or `body`. */
  method?: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  /** Milliseconds from sending the request to complete headers, if the client's default is too long. */
  firstByteMs?: number
  json?: unknown
  /** Request body of this media type. */
  body?: { type: string; text: string }
  signal?: AbortSignal | undefined
  /** Leaves the body compressed, with its `content-encoding`, for a child process to decompress. */
  keepEncoding?: boolean
  /** Called before a redirect is followed. False returns the redirect response itself. */
  acceptRedirect?: (to: URL) => boolean | Promise<boolean>
}

export type NetResponse = {
  /** Final URL after redirects, without fragment. */
  url: string
  /** Any status. 4xx and 5xx are responses, not errors. */
  status: number
  /** Lower-case names. Repeated headers are joined with a comma. */
  headers: Record<string, string>
  /** The decompressed body. */
  bytes: Uint8Array
  /** Releases the body's share of the body memory, which its garbage collection does otherwise. */
  release?: () => void
}

export type NetClient = AsyncDisposable & {
  /** Fetches a URL. Throws `NetError` if there is no response. */
  fetch(url: string, request?: NetRequest): Promise<NetResponse>
}

/** Default limit of a body, in bytes. */
export const DEFAULT_MAX_BYTES = 16 * 1024 * 1024

/** Documentation pages are far below this size. The timeouts fit a slow but live host. */
const DEFAULTS: DispatcherLimits & RequestLimits = {
  connectMs: 10_000,
  firstByteMs: 20_000,
  idleMs: 15_000,
  totalMs: 45_000,
  maxBytes: DEFAULT_MAX_BYTES,
  maxHeaderBytes: 64 * 1024,
  maxRedirects: 10,
  slowAfterMs: 20_000,
  connectionsPerOrigin: 64,
}

const ACCEPT_ENCODING = 'gzip, deflate, br, zstd'

/** The HTTP client through which all outgoing requests go. Dispose of it to close its connections. */
export function createNetClient(config: NetClientConfig): NetClient {
  const { allowNetworks, ownEndpoints, lookupsAtOnce, userAgent, bodyMemory = {}, ...limits } = config
  const guard = { networks: allowNetworks, ownEndpoints, lookupsAtOnce }
  const defaults = { ...DEFAULTS, ...limits }
  let opened: Promise<Dispatcher> | null = null
  /** Lazy import on the first request: the HTTP client is the service's largest library. */
  const open = async () => {
    const { createDispatcher } = await import('./dispatcher.ts')
    return createDispatcher(defaults, guard)
  }
  const door: Door = {
    dispatcher: () => (opened ??= open()),
    bodies: createBodyMemory(bodyMemory),
    collected: new FinalizationRegistry((held) => held.keep(0)),
    userAgent,
  }
  return {
    fetch: (url, request = {}) => fetchFollowing(door, url, { ...defaults, ...request }),
    [Symbol.asyncDispose]: async () => (await opened)?.destroy(),
  }
}

type Door = {
  bodies: BodyMemory
  /** Notified of garbage-collected bodies. */
  collected: FinalizationRegistry<HeldBytes>
  dispatcher: () => Promise<Dispatcher>
  userAgent: string
}

type Wanted = NetRequest & RequestLimits

async function fetchFollowing(door: Door, address: string, wanted: Wanted): Promise<NetResponse> {
  using deadline = startDeadline(wanted.totalMs, wanted.signal)
  const redirects: string[] = []
  let hop = firstHop(door, checkUrl(address), wanted)
  const held = door.bodies.open(wanted.maxBytes)
  try {
    for (;;) {
      const answer = await send(await door.dispatcher(), hop, { ...wanted, held }, deadline.signal)
      const next = nextHop(hop, answer)
      if (!next || !((await wanted.acceptRedirect?.(next.url)) ?? true)) {
        const encoding = wanted.keepEncoding ? '' : (answer.headers['content-encoding'] ?? '')
        const limits = { maxBytes: wanted.maxBytes, held, signal: deadline.signal }
        const bytes = await decompress(answer.body, encoding, limits)
        const { status, headers } = answer
        const release = holdWhileAlive(door, held, bytes)
        return { url: withoutFragment(hop.url), status, headers, bytes, release }
      }
      held.keep(0)
      redirects.push(withoutFragment(hop.url))
      refuseEndless(redirects, next.url, wanted.maxRedirects)
      hop = next
    }
  } catch (error) {
    held.keep(0)
    throw toNetError(error, hop.url.href)
  }
}

function firstHop(door: Door, url: URL, { method, headers, json, body }: Wanted): Hop {
  const sent = json === undefined ? body : { type: 'application/json', text: JSON.stringify(json) }
  const hop: Hop = {
    url,
    method: method ?? (sent === undefined ? 'GET' : 'POST'),
    headers: { 'user-agent': door.userAgent, accept: '*/*', 'accept-encoding': ACCEPT_ENCODING },
    body: sent?.text ?? null,
  }
  if (sent !== undefined) hop.headers['content-type'] = sent.type
  for (const name in headers) hop.headers[name.toLowerCase()] = headers[name] ?? ''
  return hop
}

type HopReading = Reading & Pick<Wanted, 'firstByteMs'>

/** Sends one request. Retries a GET once if its kept-alive connection was dead. */
async function send(dispatcher: Dispatcher, { url, ...sent }: Hop, reading: HopReading, signal: AbortSignal) {
  const headersTimeout = reading.firstByteMs ?? null
  const request = { ...sent, origin: url.origin, path: url.pathname + url.search, headersTimeout }
  try {
    return await exchange(dispatcher, request, reading, signal)
  } catch (error) {
    reading.held?.keep(0)
    if (sent.method !== 'GET' || !isBrokenConnection(error)) throw error
    return await exchange(dispatcher, { ...request, reset: true }, reading, signal)
  }
}

function refuseEndless(redirects: string[], next: URL, maxRedirects: number): void {
  if (redirects.includes(withoutFragment(next))) {
    throw new NetError('redirect_loop', 'The page redirects in a circle.')
  }
  if (redirects.length > maxRedirects) {
    throw new NetError('too_many_redirects', `The page redirects more than ${maxRedirects} times.`)
  }
}

function withoutFragment(url: URL): string {
  return url.hash ? url.href.slice(0, -url.hash.length) : url.href
}

/** Returns the bytes of a body to the budget when it is released or garbage-collected. */
function holdWhileAlive({ collected }: Door, held: HeldBytes, bytes: Uint8Array): () => void {
  held.keep(bytes.length)
  if (bytes.length > SMALL_BODY) collected.register(bytes, held, held)
  return () => {
    collected.unregister(held)
    held.keep(0)
  }
}
