/** Names under which a browser reaches its own machine (RFC 8252, section 7.3). */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Schemes of desktop clients that a browser hands the answer to. Any program could claim other ones. */
const APP_SCHEMES: ReadonlySet<string> = new Set([
  'claude:',
  'cursor:',
  'goose:',
  'vscode:',
  'vscode-insiders:',
  'windsurf:',
  'zed:',
])

const LONGEST_ADDRESS = 2_000

/** Why nobody may be sent to a redirect address, as the end of a sentence. Null if people may. */
export function refuseRedirect(address: string): string | null {
  if (address.length > LONGEST_ADDRESS || !URL.canParse(address)) return 'is not an absolute URL'
  const { protocol, username, password, hash } = new URL(address)
  if (hash !== '' || address.includes('#')) return 'has a fragment'
  if (username !== '' || password !== '') return 'has a user name or password'
  if (protocol === 'https:' || APP_SCHEMES.has(protocol) || isLoopback(address)) return null
  return 'is neither https, nor on this machine, nor of a known desktop application'
}

/** True for plain HTTP to the person's own machine. */
export function isLoopback(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && LOOPBACK.has(hostname)
}

/**
 * True if a client with these redirect addresses may use one. They must be equal as text; only the port may differ on
 * loopback, because a desktop client listens on any free one (RFC 8252, section 7.3).
 */
export function allowsRedirect(registered: readonly string[], address: string): boolean {
  if (registered.includes(address)) return true
  if (!URL.canParse(address) || !isLoopback(address)) return false
  return registered.some((one) => URL.canParse(one) && isLoopback(one) && withoutPort(one) === withoutPort(address))
}

function withoutPort(address: string): string {
  const url = new URL(address)
  url.port = ''
  return url.href
}
