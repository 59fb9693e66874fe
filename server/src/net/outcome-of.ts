import type { Outcome } from './host-pace.ts'
import { NetError, type NetReason } from './net-error.ts'

/** How a request ended: with an answer, or with what the door has thrown. */
type Ended = { elapsedMs: number } & (
  | { response: { url: string; status: number; headers: Record<string, string> } }
  | { error: unknown }
)

/** Failures that a host brings about when it is overloaded, where the same request may succeed later. */
const BACK_PRESSURE: ReadonlySet<NetReason> = new Set(['timeout', 'connect', 'protocol'])

/**
 * What a finished request says about the load that `host` (`URL.host`) can bear. Null where it says nothing: refusals
 * and cancellations of our own, names that do not resolve, answers that cannot be decoded, and whatever another host
 * did that a redirect led to.
 */
export function outcomeOf(host: string, ended: Ended): Outcome | null {
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
