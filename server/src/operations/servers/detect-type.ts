import type { SourceType } from '@docent/contract/sources'

const CODE_HOSTS = new Set(['github.com', 'www.github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org', 'git.sr.ht'])

/**
 * The kind of source that was given, or that the address suggests. Of an address at a code host, and of one that comes
 * with a credential, which only MCP sources have, nobody needs to look twice.
 */
export function typeOf(
  address: URL,
  { givenType, hasCredential }: { givenType: SourceType | undefined; hasCredential: boolean },
): { type: SourceType; isGuessed: boolean } {
  if (givenType !== undefined) return { type: givenType, isGuessed: false }
  const suggested = detectType(address)
  // The address says nothing else, and nothing but an MCP server has a credential.
  const isMcp = hasCredential && (suggested === 'website' || suggested === 'docs')
  const type = isMcp ? 'mcp' : suggested
  return { type, isGuessed: type !== 'repo' && !hasCredential }
}

/** What kind of source an address most likely leads to, judged from the address alone. */
export function detectType({ hostname, pathname }: URL): SourceType {
  if (CODE_HOSTS.has(hostname) && isDeep(pathname)) return 'repo'
  // What git clones, and hosts that people run themselves under these names.
  if (/\.git\/?$/.test(pathname) || (/^(gitlab|gitea|forgejo)\./.test(hostname) && isDeep(pathname))) return 'repo'
  if (/\.pdf$/i.test(pathname)) return 'pdf'
  const file = pathname.slice(pathname.lastIndexOf('/') + 1)
  if (/openapi|swagger|asyncapi/i.test(file) && /\.(json|ya?ml)$/i.test(file)) return 'api'
  // The second is where every Docent has its endpoints.
  if (/\/mcp\/?$/.test(pathname) || /\/api\/mcp\/[^/]+\/?$/.test(pathname) || hostname.startsWith('mcp.')) return 'mcp'
  return /^(docs?|documentation|developers?|api|learn|guide)\./.test(hostname) || /\/docs?(\/|$)/.test(pathname)
    ? 'docs'
    : 'website'
}

/** A host's own pages stand higher than the repositories. */
function isDeep(pathname: string): boolean {
  return pathname.split('/').filter(Boolean).length >= 2
}
