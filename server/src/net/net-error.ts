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
  /** True if the same request may succeed later. */
  readonly transient: boolean

  constructor(reason: NetReason, message: string, { url = '', transient = false, cause }: Details = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.reason = reason
    this.url = url
    this.transient = transient
  }
}

type Known = { reason: NetReason; sentence: string; transient: boolean }

/** For `transient` ones, another attempt can succeed. */
const transient = (reason: NetReason, sentence: string): Known => ({ reason, sentence, transient: true })
const permanent = (reason: NetReason, sentence: string): Known => ({ reason, sentence, transient: false })

const REFUSED = transient(
  'connect',
  'The host did not accept a connection. Check the address and the port, and that it is running.',
)
const UNREACHABLE = transient('connect', 'The host cannot be reached from here.')
const BROKEN_OFF = transient('protocol', 'The host closed the connection in the middle of an answer.')
const UNKNOWN_HOST = permanent('dns', 'The host name does not exist. Check its spelling.')
const NOT_HTTP = permanent('protocol', 'The answer is not valid HTTP.')
const NOT_TRUSTED = permanent(
  'tls',
  'No secure connection could be made, because the certificate or the TLS set-up of the host is not valid.',
)

/** Error codes of undici, the resolver, sockets and OpenSSL. */
const BY_CODE: Record<string, Known> = {
  ENOTFOUND: UNKNOWN_HOST,
  ENODATA: UNKNOWN_HOST,
  EAI_NONAME: UNKNOWN_HOST,
  EAI_AGAIN: transient('dns', 'The host name could not be resolved right now.'),
  EAI_FAIL: transient('dns', 'The name server failed to resolve the host name.'),
  ECONNREFUSED: REFUSED,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  EHOSTDOWN: UNREACHABLE,
  EACCES: UNREACHABLE,
  EPERM: UNREACHABLE,
  ECONNRESET: BROKEN_OFF,
  EPIPE: BROKEN_OFF,
  UND_ERR_SOCKET: BROKEN_OFF,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: BROKEN_OFF,
  ETIMEDOUT: transient('timeout', 'The host did not answer a connection in time.'),
  UND_ERR_CONNECT_TIMEOUT: transient('timeout', 'The host did not answer a connection in time.'),
  UND_ERR_HEADERS_TIMEOUT: transient('timeout', 'The host accepted the request but did not begin to answer in time.'),
  UND_ERR_BODY_TIMEOUT: transient('timeout', 'The host stopped sending in the middle of an answer.'),
  UND_ERR_HEADERS_OVERFLOW: permanent('too_large', 'The headers of the answer are too large.'),
  HPE_HEADER_OVERFLOW: permanent('too_large', 'The headers of the answer are too large.'),
  UND_ERR_CLOSED: transient('aborted', 'The service is shutting down.'),
  UND_ERR_DESTROYED: transient('aborted', 'The service is shutting down.'),
  EPROTO: NOT_TRUSTED,
  HOSTNAME_MISMATCH: NOT_TRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
}

/** Prefixes of code families that are too numerous to list. */
const BY_PREFIX: [string, Known][] = [
  ['HPE_', NOT_HTTP],
  ['ERR_TLS_', NOT_TRUSTED],
  ['ERR_SSL_', NOT_TRUSTED],
  ['CERT_', NOT_TRUSTED],
  ['UNABLE_TO_', NOT_TRUSTED],
  ['CRL_', NOT_TRUSTED],
]

/**
 * Converts any lower-level failure to a `NetError` with its URL. An argument that undici refuses (such as a header with
 * a line break) is the caller's bug and is returned unchanged.
 */
export function toNetError(cause: unknown, url: string): Error {
  if (cause instanceof NetError) {
    if (cause.url) return cause
    return new NetError(cause.reason, cause.message, { url, transient: cause.transient, cause: cause.cause })
  }
  const code = codeOf(cause)
  if (code === 'UND_ERR_INVALID_ARG' && cause instanceof Error) return cause
  const known = BY_CODE[code] ?? BY_PREFIX.find(([prefix]) => code.startsWith(prefix))?.[1] ?? NOT_HTTP
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
