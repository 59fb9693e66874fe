import { NetError } from './net-error.ts'

/** Longer ones are traps or mistakes; servers commonly stop at 8,000 octets (RFC 9110, 4.1). */
const MAX_URL_LENGTH = 8192

/**
 * Ports on which other protocols listen that could be spoken to through a request's text: the "bad ports" of the
 * Fetch standard, https://fetch.spec.whatwg.org/#port-blocking.
 */
const BAD_PORTS = new Set(
  (
    '1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 ' +
    '135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 ' +
    '995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080'
  ).split(' '),
)

/**
 * Reads a URL that may be fetched as far as its syntax goes: http or https, no user name or password, no port of
 * another protocol, at most 8,192 characters. The WHATWG parser is the only one used, so that what was checked is
 * what is connected to (`0x7f.1` and `２１３０７０６４３３` arrive here as 127.0.0.1). Throws `NetError` `invalid_url`.
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
    // The text may hold a password, so it appears neither in the sentence nor in the error.
    throw invalid(`The URL of ${url.host} contains a user name or password. Remove it.`, url.origin)
  }
  if (BAD_PORTS.has(url.port)) {
    throw invalid(`Port ${url.port} belongs to another protocol than HTTP and is not fetched.`, url.href)
  }
  return url
}

/** The port of a text that is no URL because of it; null where that is not why. */
function impossiblePort(text: string): string | null {
  const [authority = ''] = text.slice(text.indexOf('://') + 3).split(/[/?#]/, 1)
  const port = authority.slice(authority.lastIndexOf(':') + 1)
  return /^\d{5,20}$/.test(port) && Number(port) > 65_535 ? port : null
}

function invalid(message: string, url: string): NetError {
  return new NetError('invalid_url', message, { url })
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
