import badPorts from './bad-ports.json' with { type: 'json' }
import { USER_INFO, maskAddress } from '#lib/addresses/secret-address.ts'
import { NetError } from './net-error.ts'

/** Longer URLs are traps or mistakes. Servers commonly limit them to 8,000 octets (RFC 9110, section 4.1). */
const MAX_URL_LENGTH = 8192

/** The "bad ports" of the Fetch standard: https://fetch.spec.whatwg.org/#port-blocking. */
const BAD_PORTS = new Set(badPorts.map(String))

/**
 * Parses a URL and checks that its syntax may be fetched: http or https, no user name or password, no port of another
 * protocol, at most 8,192 characters. Only the WHATWG parser is used, so that the checked host is the connected one
 * (`0x7f.1` and `２１３０７０６４３３` both become 127.0.0.1). Throws `NetError` `invalid_url`.
 */
export function checkUrl(text: string, base?: string): URL {
  if (text.length > MAX_URL_LENGTH) {
    throw invalid(`The URL is longer than ${MAX_URL_LENGTH} characters.`, text.slice(0, 200))
  }
  const url = URL.parse(text, base)
  const port = url?.port ?? impossiblePort(text)
  if (port === '0' || (url === null && port !== null)) {
    throw invalid(`Port ${port} does not exist: ports are 1 to 65535.`, '')
  }
  if (!url) throw invalid(`"${shorten(text)}" is not a URL. Write it like https://example.com/docs.`, text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalid(`"${shorten(text)}" does not start with http:// or https://.`, text)
  }
  if (url.username || url.password) {
    // The text may contain a password, so neither message nor error includes it.
    throw invalid(`The URL of ${url.host} contains a user name or password. Remove it.`, url.origin)
  }
  if (BAD_PORTS.has(url.port)) {
    throw invalid(`Port ${url.port} belongs to another protocol than HTTP and is not fetched.`, url.href)
  }
  return url
}

/** The invalid port of a URL that is unparsable because of it, otherwise null. */
function impossiblePort(text: string): string | null {
  const [authority = ''] = text.slice(text.indexOf('://') + 3).split(/[/?#]/, 1)
  const port = authority.slice(authority.lastIndexOf(':') + 1)
  return /^\d{5,20}$/.test(port) && Number(port) > 65_535 ? port : null
}

function invalid(message: string, url: string): NetError {
  return new NetError('invalid_url', message, { url })
}

function shorten(text: string): string {
  const shown = maskAddress(text)
  return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown
}

/**
 * Parses a fetchable URL without its fragment, or explains the problem. Does not check where the host leads. Keeps a
 * user name and password, which a client of `forAddress` sends as a header.
 */
export function readAddress(text: string): { address: URL } | { problem: string } {
  try {
    const { username = '', password = '' } = URL.parse(text.trim()) ?? {}
    const address = checkUrl(text.trim().replace(USER_INFO, '$1'))
    return { address: Object.assign(address, { username, password, hash: '' }) }
  } catch (error) {
    if (error instanceof NetError) return { problem: error.message }
    throw error
  }
}
