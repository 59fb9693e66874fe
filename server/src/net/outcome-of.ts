import type { RequestOutcome } from './host-pace.ts'
import { NetError, type NetReason } from './net-error.ts'

/** The end of a request: a response or a thrown error. */
type Ended = { elapsedMs: number } & (
  | { response: { url: string; status: number; headers: Record<string, string> } }
  | { error: unknown }
)

/** Transient failures that an overloaded host causes. */
const BACK_PRESSURE: ReadonlySet<NetReason> = new Set(['timeout', 'connect', 'protocol'])

/**
 * Derives the load signal of a finished request for `host` (`URL.host`). Null for requests that reveal nothing about
 * the host's load: our own refusals and cancellations, unresolvable names, undecodable responses, and failures of
 * another host after a redirect.
 */
export function outcomeOf(host: string, ended: Ended): RequestOutcome | null {
  const { elapsedMs } = ended
  if ('response' in ended) {
    const { url, status, headers } = ended.response
    return isAt(host, url) ? { status, elapsedMs, retryAfter: headers['retry-after'] } : null
  }
  const { error } = ended
  if (!(error instanceof NetError) || !error.transient || !BACK_PRESSURE.has(error.reason)) return null
  return error.url === '' || isAt(host, error.url) ? { status: null, elapsedMs } : null
}

function isAt(host: string, url: string): boolean {
  return URL.parse(url)?.host === host
}
