import type { Dispatcher } from 'undici'
import type { HeldBytes } from '#lib/limits/byte-budget.ts'
import { inMegabytes } from './bodies.ts'
import { NetError } from './net-error.ts'
import { checkUrl } from './check-url.ts'

/** One response of one host as received: still compressed, redirects not followed. */
export type Exchange = {
  status: number
  /** Lower-case names. Repeated headers are joined with a comma. */
  headers: Record<string, string>
  body: Uint8Array
}

/** Servers send one or two interim responses (103, 102). Thousands would only keep a client busy. */
const MAX_INTERIM = 20

/** Minimum rate of a body after an initial grace period. Slower responses are not worth the wait. */
const LEAST_BYTES_A_SECOND = 1_000

const ENDLESS = 'The host sends interim answers without end.'
const TOO_SLOW = 'The answer comes too slowly, at less than 1 kB a second.'

export type Reading = {
  /** Maximum bytes of a body, before and after decompression. */
  maxBytes: number
  /** Milliseconds after which a body must have averaged 1 kB per second. Event streams are exempt. */
  slowAfterMs: number
  /** Called with each piece of a successful response body as it arrives, unless it is compressed. */
  onData?: ((piece: Uint8Array) => void) | undefined
  /** Budget for the body's bytes as they arrive. If it is exhausted, reading pauses. */
  held?: HeldBytes | undefined
  /** Called with the received bytes of every body, including bodies that are refused later. */
  onReceived?: ((bytes: number) => void) | undefined
}

/**
 * Sends one request and reads the whole response, up to `maxBytes`. Uses undici's dispatcher directly, which halves the
 * cost of a page compared with a stream. `signal` carries the deadline and must abort with the error to throw.
 */
export function exchange(by: Dispatcher, request: Dispatcher.DispatchOptions, reading: Reading, signal: AbortSignal) {
  const reader = new ResponseReader(reading, signal)
  const onAbort = () => reader.stop(signal.reason)
  if (signal.aborted) onAbort()
  else {
    signal.addEventListener('abort', onAbort, { once: true })
    by.dispatch(request, reader)
  }
  return reader.response.promise.finally(() => signal.removeEventListener('abort', onAbort))
}

/** Receives one response from undici. */
class ResponseReader implements Dispatcher.DispatchHandler {
  readonly response = Promise.withResolvers<Exchange>()
  readonly #reading: Reading
  readonly #signal: AbortSignal
  #controller: Dispatcher.DispatchController | undefined
  #stopped: Error | undefined
  readonly #chunks: Buffer[] = []
  #size = 0
  /** Start of the body by `performance.now()`, moved forward by pauses of our own. */
  #began = 0
  #interim = 0
  #pauses = 0
  #status = 0
  #headers: Record<string, string> = {}

  constructor(reading: Reading, signal: AbortSignal) {
    this.#reading = reading
    this.#signal = signal
  }

  stop(reason: Error): void {
    this.#stopped = reason
    this.response.reject(reason)
    this.#controller?.abort(reason)
  }

  onRequestStart(started: Dispatcher.DispatchController): void {
    this.#controller = started
    if (this.#stopped) started.abort(this.#stopped)
  }

  onResponseStart(_: Dispatcher.DispatchController, code: number, received: Received): void {
    if (code < 200) {
      if (++this.#interim > MAX_INTERIM) this.stop(new NetError('protocol', ENDLESS))
      return
    }
    this.#status = code
    this.#began = performance.now()
    this.#headers = flatten(received)
    const { maxBytes } = this.#reading
    if (Number(this.#headers['content-length']) > maxBytes) this.stop(tooLarge(maxBytes))
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const { maxBytes, onData, onReceived, held } = this.#reading
    this.#size += chunk.length
    onReceived?.(chunk.length)
    if (this.#size > maxBytes) this.stop(tooLarge(maxBytes))
    else if (this.#isTooSlow()) this.stop(new NetError('timeout', TOO_SLOW, { transient: true }))
    else {
      this.#chunks.push(chunk)
      if (held && !held.tryTake(chunk.length)) void this.#waitForRoom(held, chunk.length)
      if (this.#status < 300 && this.#headers['content-encoding'] === undefined) onData?.(chunk)
    }
  }

  onResponseEnd(): void {
    const [first] = this.#chunks
    const body = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks, this.#size)
    this.response.resolve({ status: this.#status, headers: this.#headers, body })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.response.reject(error)
  }

  #isTooSlow(): boolean {
    const ms = performance.now() - this.#began
    if (ms < this.#reading.slowAfterMs || this.#size * 1000 > ms * LEAST_BYTES_A_SECOND) return false
    return !/^text\/event-stream\b/i.test(this.#headers['content-type'] ?? '')
  }

  async #waitForRoom(budget: HeldBytes, bytes: number): Promise<void> {
    const since = performance.now()
    this.#controller?.pause()
    this.#pauses++
    try {
      await budget.take(bytes, this.#signal)
      this.#began += performance.now() - since
      if (--this.#pauses === 0) this.#controller?.resume()
    } catch (error) {
      this.stop(error as Error)
    }
  }
}

type Received = Record<string, string | string[] | undefined>

function flatten(received: Received): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  for (const name in received) {
    const value = received[name]
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ')
  }
  const { location } = headers
  if (location !== undefined) headers['location'] = escapeBytes(location)
  return headers
}

/** Percent-encodes non-ASCII bytes of a Location, as browsers do. undici returns headers as Latin-1. */
function escapeBytes(location: string): string {
  return location.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}

function tooLarge(maxBytes: number): NetError {
  return new NetError(
    'too_large',
    `The answer is larger than ${inMegabytes(maxBytes)}, which is as much as is read of it.`,
  )
}

/** One request in a redirect chain. */
export type Hop = { url: URL; method: string; headers: Record<string, string>; body: string | null }

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Headers that may be sent to another origin. Any other header could be a credential. */
const HARMLESS = new Set(
  'accept accept-encoding accept-language content-type if-modified-since if-none-match user-agent'.split(' '),
)

/**
 * The next request of a redirect, or null. Follows the Fetch standard
 * (https://fetch.spec.whatwg.org/#http-redirect-fetch), but is stricter with headers: another origin, which includes a
 * change from https to http, gets only harmless ones. Throws `NetError` `invalid_url`.
 */
export function nextHop(hop: Hop, answer: Exchange): Hop | null {
  const location = answer.headers['location']
  if (!REDIRECTS.has(answer.status) || !location) return null
  const url = checkLocation(location, hop.url.href)
  const becomesGet = answer.status === 303 || (answer.status < 303 && hop.method === 'POST')
  const headers = url.origin === hop.url.origin ? { ...hop.headers } : harmless(hop.headers)
  if (!becomesGet || hop.method === 'HEAD') return { ...hop, url, headers }
  delete headers['content-type']
  return { url, method: 'GET', headers, body: null }
}

/** The message does not repeat the Location, which can contain internal host names. */
function checkLocation(location: string, base: string): URL {
  try {
    return checkUrl(location, base)
  } catch (cause) {
    if (!(cause instanceof NetError)) throw cause
    throw new NetError(cause.reason, 'The page redirects to an address that cannot be fetched.', { cause })
  }
}

function harmless(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name)))
}
