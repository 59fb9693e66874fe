import type { SourceType } from '@docent/contract/sources'

const CODE_HOSTS = new Set(['github.com', 'www.github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org'])

/** What kind of source an address most likely leads to, judged from the address alone. */
export function detectType({ hostname, pathname }: URL): SourceType {
  if (CODE_HOSTS.has(hostname) && pathname.split('/').filter(Boolean).length >= 2) return 'repo'
  if (/\.pdf$/i.test(pathname)) return 'pdf'
  if (/(openapi|swagger|asyncapi)[^/]*\.(json|ya?ml)$/i.test(pathname)) return 'api'
  if (/\/mcp\/?$/.test(pathname) || hostname.startsWith('mcp.')) return 'mcp'
  return /^(docs?|documentation|developers?|api|learn|guide)\./.test(hostname) || /\/docs?(\/|$)/.test(pathname)
    ? 'docs'
    : 'website'
}
