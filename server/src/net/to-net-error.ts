import { NetError, type NetReason } from './net-error.ts'

type Known = { reason: NetReason; sentence: string; transient: boolean }

const REFUSED: Known = {
  reason: 'connect',
  sentence: 'The host did not accept a connection. Check the address and the port, and that it is running.',
  transient: true,
}
const UNREACHABLE: Known = { reason: 'connect', sentence: 'The host cannot be reached from here.', transient: true }
const BROKEN_OFF: Known = {
  reason: 'protocol',
  sentence: 'The host closed the connection in the middle of an answer.',
  transient: true,
}
const UNKNOWN_HOST: Known = {
  reason: 'dns',
  sentence: 'The host name does not exist. Check its spelling.',
  transient: false,
}
const NOT_HTTP: Known = { reason: 'protocol', sentence: 'The answer is not valid HTTP.', transient: false }
const NOT_TRUSTED: Known = {
  reason: 'tls',
  sentence: 'No secure connection could be made, because the certificate or the TLS set-up of the host is not valid.',
  transient: false,
}

/** Error codes of undici, the resolver, sockets and OpenSSL. */
const BY_CODE: Record<string, Known> = {
  ENOTFOUND: UNKNOWN_HOST,
  ENODATA: UNKNOWN_HOST,
  EAI_NONAME: UNKNOWN_HOST,
  EAI_AGAIN: { reason: 'dns', sentence: 'The host name could not be resolved right now.', transient: true },
  EAI_FAIL: { reason: 'dns', sentence: 'The name server failed to resolve the host name.', transient: true },
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
  ETIMEDOUT: { reason: 'timeout', sentence: 'The host did not answer a connection in time.', transient: true },
  UND_ERR_CONNECT_TIMEOUT: {
    reason: 'timeout',
    sentence: 'The host did not answer a connection in time.',
    transient: true,
  },
  UND_ERR_HEADERS_TIMEOUT: {
    reason: 'timeout',
    sentence: 'The host accepted the request but did not begin to answer in time.',
    transient: true,
  },
  UND_ERR_BODY_TIMEOUT: {
    reason: 'timeout',
    sentence: 'The host stopped sending in the middle of an answer.',
    transient: true,
  },
  UND_ERR_HEADERS_OVERFLOW: {
    reason: 'too_large',
    sentence: 'The headers of the answer are too large.',
    transient: false,
  },
  HPE_HEADER_OVERFLOW: { reason: 'too_large', sentence: 'The headers of the answer are too large.', transient: false },
  UND_ERR_CLOSED: { reason: 'aborted', sentence: 'The service is shutting down.', transient: true },
  UND_ERR_DESTROYED: { reason: 'aborted', sentence: 'The service is shutting down.', transient: true },
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
