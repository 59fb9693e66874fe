import type { SourceType } from '@docent/contract/sources'

const CODE_HOSTS = new Set(['github.com', 'www.github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org', 'git.sr.ht'])

/**
 * The given source type, or the one suggested by the address. A code host address, or a source with a credential (MCP
 * only), needs no further detection.
 */
export function typeOf(
  address: URL,
  { givenType, hasCredential }: { givenType: SourceType | undefined; hasCredential: boolean },
): { type: SourceType; isGuessed: boolean } {
  if (givenType !== undefined) return { type: givenType, isGuessed: false }
  const suggested = detectType(address)
  // Only MCP servers have credentials, and the address suggests nothing else.
  const isMcp = hasCredential && (suggested === 'website' || suggested === 'docs')
  const type = isMcp ? 'mcp' : suggested
  return { type, isGuessed: type !== 'repo' && !hasCredential }
}

/** Guesses the source type from the address alone. */
export function detectType({ hostname, pathname }: URL): SourceType {
  if (CODE_HOSTS.has(hostname) && isDeep(pathname)) return 'repo'
  // Git clone URLs, and self-hosted servers under these names.
  if (/\.git\/?$/.test(pathname) || (/^(gitlab|gitea|forgejo)\./.test(hostname) && isDeep(pathname))) return 'repo'
  if (/\.pdf$/i.test(pathname)) return 'pdf'
  const file = pathname.slice(pathname.lastIndexOf('/') + 1)
  if (/openapi|swagger|asyncapi/i.test(file) && /\.(json|ya?ml)$/i.test(file)) return 'api'
  // The second pattern matches the endpoints of any Docent.
  if (/\/mcp\/?$/.test(pathname) || /\/api\/mcp\/[^/]+\/?$/.test(pathname) || hostname.startsWith('mcp.')) return 'mcp'
  return /^(docs?|documentation|developers?|api|learn|guide)\./.test(hostname) || /\/docs?(\/|$)/.test(pathname)
    ? 'docs'
    : 'website'
}

/** A host's own pages are less deep than its repositories. */
function isDeep(pathname: string): boolean {
  return pathname.split('/').filter(Boolean).length >= 2
}
