import { checkUrl } from './check-url.ts'
import type { Exchange } from './exchange.ts'
import { NetError } from './net-error.ts'

/** One request in a redirect chain. */
export type Hop = { url: URL; method: string; headers: Record<string, string>; body: string | null }

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Headers that may be sent to another origin. Any other header could be a credential. */
const HARMLESS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'user-agent',
])

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
