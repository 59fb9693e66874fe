import type { Dispatcher } from 'undici'
import type { HeldBytes } from '#lib/byte-budget.ts'
import { type BodyMemory, SMALL_BODY, createBodyMemory } from './body-memory.ts'
import { checkUrl } from './check-url.ts'
import { startDeadline } from './deadline.ts'
import { decompress } from './decompress.ts'
import type { ConnectionLimits } from './dispatcher.ts'
import { type Exchange, type Reading, exchange } from './exchange.ts'
import { type Guard, refusalOf } from './guard.ts'
import { NetError } from './net-error.ts'
import type { Networks } from './networks.ts'
import type { OwnEndpoint } from './own-endpoints.ts'
import { type Hop, nextHop } from './next-hop.ts'
import { isBrokenConnection, toNetError } from './to-net-error.ts'

type RequestLimits = {
  /** Milliseconds for everything: waiting for a connection, redirects and body. */
  totalMs: number
  /** Bytes of a body, before and after decompression. */
  maxBytes: number
  maxRedirects: number
  /** Milliseconds of a body after which it has to have come at 1 kB a second. */
  slowAfterMs: number
}

export type NetClientConfig = Partial<ConnectionLimits & RequestLimits> & {
  /** Private networks that may be reached all the same. */
  allowNetworks: Networks
  /** Names that are looked up at the same time, which takes a thread of the process for each; as many as come by default. */
  lookupsAtOnce?: number
  /** The service's own endpoints, which are refused also within those networks. */
  ownEndpoints?: () => readonly OwnEndpoint[]
  /** Sent as User-Agent with every request. */
  userAgent: string
  /** Bytes of bodies that are being received, decompressed or read, of all requests together. */
  bodyMemory?: Parameters<typeof createBodyMemory>[0]
  /** URL of an HTTP proxy that all requests go through. The environment's proxy variables are never read. */
  proxy?: string | undefined
}

export type NetRequest = Partial<RequestLimits> & {
  /** GET, or POST where there is `json` or `body`. */
  method?: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  /** Milliseconds from the request sent to the headers complete, where the client's own are too many. */
  firstByteMs?: number
  /** Sent as a JSON body. */
  json?: unknown
  /** Sent as a body of this media type. */
  body?: { type: string; text: string }
  signal?: AbortSignal | undefined
  /** Hears of each piece of a successful answer's body as it arrives, unless it is compressed. */
  onData?: (piece: Uint8Array) => void
  /**
   * Leaves the body compressed as it came over the wire, for a reader process to undo: `content-encoding` says how. For what may be
   * large when it is decompressed.
   */
  keepEncoding?: boolean
  /** Hears of the bytes of every body as they arrive, those of redirects and refused ones included. */
  onReceived?: ((bytes: number) => void) | undefined
  /** Asked before a redirect is followed; on false the redirecting answer itself is the result. */
  acceptRedirect?: (to: URL) => boolean | Promise<boolean>
}

export type NetResponse = {
  ok: true
  /** Where the answer came from: after redirects, without fragment. */
  url: string
  /** Any status, also 4xx and 5xx: those are answers. */
  status: number
  /** Names in lower case; repeated headers joined with a comma. */
  headers: Record<string, string>
  /** The body, decompressed. */
  bytes: Uint8Array
  /**
   * Says that the body is not needed any more, so that others can have its share of the memory for bodies. Without that it is theirs
   * once the body has been collected.
   */
  release?: () => void
  /** The URLs that redirected, in order, without the final one. */
  redirects: string[]
  /** Milliseconds from the call to the last byte. */
  elapsedMs: number
}

export type NetClient = AsyncDisposable & {
  /** Fetches a URL. Throws `NetError` for anything that is not an answer. */
  fetch(url: string, request?: NetRequest): Promise<NetResponse>
}

/** Bytes of a body where the request does not say. */
export const DEFAULT_MAX_BYTES = 16 * 1024 * 1024

/**
 * Pages of documentation are far below the size; what is larger (archives, sitemaps, llms-full.txt) asks for more.
 * The times are those of a slow but living host.
 */
const DEFAULTS: ConnectionLimits & RequestLimits = {
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

/** The one door out: the only way by which this service makes requests. Dispose it to close its connections. */
export function createNetClient(config: NetClientConfig): NetClient {
  const { allowNetworks, ownEndpoints, lookupsAtOnce, userAgent, proxy, bodyMemory = {}, ...limits } = config
  const guard = { networks: allowNetworks, ownEndpoints, lookupsAtOnce }
  const defaults = { ...DEFAULTS, ...limits }
  let opened: Promise<Dispatcher> | null = null
  /** Loaded with the first request: what speaks HTTP outwards is the largest library of the service. */
  const open = async () => {
    const { createDispatcher } = await import('./dispatcher.ts')
    return createDispatcher(defaults, guard, proxy)
  }
  const door: Door = {
    dispatcher: () => (opened ??= open()),
    bodies: createBodyMemory(bodyMemory),
    collected: new FinalizationRegistry((held) => held.keep(0)),
    userAgent,
    behindProxy: proxy === undefined ? undefined : guard,
  }
  return {
    fetch: (url, request = {}) => fetchFollowing(door, url, { ...defaults, ...request }),
    [Symbol.asyncDispose]: async () => (await opened)?.destroy(),
  }
}

type Door = {
  bodies: BodyMemory
  /** Hears of bodies that nothing refers to any more. */
  collected: FinalizationRegistry<HeldBytes>
  dispatcher: () => Promise<Dispatcher>
  userAgent: string
  /** Set where a proxy opens the sockets, so that names must be checked before they are handed to it. */
  behindProxy: Guard | undefined
}

type Wanted = NetRequest & RequestLimits

async function fetchFollowing(door: Door, address: string, wanted: Wanted): Promise<NetResponse> {
  const started = performance.now()
  using deadline = startDeadline(wanted.totalMs, wanted.signal)
  const redirects: string[] = []
  let hop = firstHop(door, checkUrl(address), wanted)
  const held = door.bodies.open(wanted.maxBytes)
  try {
    for (;;) {
      await checkBehindProxy(door, hop.url, deadline.signal)
      const answer = await send(await door.dispatcher(), hop, { ...wanted, held }, deadline.signal)
      const next = nextHop(hop, answer)
      if (!next || !((await wanted.acceptRedirect?.(next.url)) ?? true)) {
        const encoding = wanted.keepEncoding ? '' : (answer.headers['content-encoding'] ?? '')
        const limits = { maxBytes: wanted.maxBytes, held, signal: deadline.signal }
        const bytes = await decompress(answer.body, encoding, limits)
        const { status, headers } = answer
        const elapsedMs = performance.now() - started
        const release = holdWhileAlive(door, held, bytes)
        return { ok: true, url: withoutFragment(hop.url), status, headers, bytes, release, redirects, elapsedMs }
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

/** One request, and a second one for a GET whose kept-alive connection turned out to be dead. */
async function send(
  dispatcher: Dispatcher,
  { url, method, headers, body }: Hop,
  { maxBytes, slowAfterMs, onData, onReceived, held, firstByteMs }: Reading & Pick<Wanted, 'firstByteMs'>,
  signal: AbortSignal,
): Promise<Exchange> {
  const reading = { maxBytes, slowAfterMs, onData, onReceived, held }
  const request = {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers,
    body,
    headersTimeout: firstByteMs ?? null,
  }
  try {
    return await exchange(dispatcher, request, reading, signal)
  } catch (error) {
    held?.keep(0)
    if (method !== 'GET' || !isBrokenConnection(error)) throw error
    return await exchange(dispatcher, { ...request, reset: true }, reading, signal)
  }
}

/** Through a proxy no socket of ours can be guarded; what we can see to be private is refused before it is asked. */
async function checkBehindProxy({ behindProxy }: Door, url: URL, signal: AbortSignal): Promise<void> {
  if (!behindProxy) return
  const refusal = await refusalOf(url, behindProxy, { signal })
  if (refusal) throw refusal
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

/** Gives the bytes of a body back when it is released, or else when it has been collected. */
function holdWhileAlive({ collected }: Door, held: HeldBytes, bytes: Uint8Array): () => void {
  held.keep(bytes.length)
  if (bytes.length > SMALL_BODY) collected.register(bytes, held, held)
  return () => {
    collected.unregister(held)
    held.keep(0)
  }
}
