import errorCodes from './error-codes.json' with { type: 'json' }

/** Why a request got no response. A closed set: callers switch on it to retry, skip or give up. */
export type NetReason =
  | 'invalid_url'
  | 'blocked_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects'
  | 'redirect_loop'
  | 'decode'
  | 'aborted'
  | 'protocol'

type Details = { url?: string; transient?: boolean; cause?: unknown }

/** The only error type of this folder's API. The message is a sentence for people: what happened and what to do. */
export class NetError extends Error {
  override name = 'NetError'
  readonly reason: NetReason
  /** The failed URL, which after redirects differs from the requested one. Empty if there was none. */
  readonly url: string
  readonly transient: boolean

  constructor(reason: NetReason, message: string, { url = '', transient = false, cause }: Details = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.reason = reason
    this.url = url
    this.transient = transient
  }
}

type Known = { reason: NetReason; sentence: string; transient: boolean }

/** Error codes of undici, the resolver, sockets and OpenSSL; a final star matches the rest of a code. */
const BY_CODE: ReadonlyMap<string, Known> = new Map(
  (errorCodes as (Known & { codes: string[] })[]).flatMap((row) => row.codes.map((code) => [code, row])),
)
const NOT_HTTP: Known = { reason: 'protocol', sentence: 'The answer is not valid HTTP.', transient: false }

function knownOf(code: string): Known {
  const exact = BY_CODE.get(code)
  if (exact !== undefined) return exact
  for (const [name, known] of BY_CODE) if (name.endsWith('*') && code.startsWith(name.slice(0, -1))) return known
  return NOT_HTTP
}

/** Converts a failure to a `NetError` with its URL. An argument that undici refuses is a bug and stays unchanged. */
export function toNetError(cause: unknown, url: string): Error {
  if (cause instanceof NetError) {
    if (cause.url) return cause
    return new NetError(cause.reason, cause.message, { url, transient: cause.transient, cause: cause.cause })
  }
  const code = codeOf(cause)
  if (code === 'UND_ERR_INVALID_ARG' && cause instanceof Error) return cause
  const known = knownOf(code)
  return new NetError(known.reason, known.sentence, { url, transient: known.transient, cause })
}

/** True for a connection that broke before the response, as a kept-alive socket does when its server has closed it. */
export function isBrokenConnection(cause: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(codeOf(cause))
}

function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return ''
  if ('code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof AggregateError ? codeOf(cause.errors[0]) : ''
}
