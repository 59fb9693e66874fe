import { isIP } from 'node:net'

/** Which interface a code host has. */
export type CodeHostKind = 'github' | 'gitlab' | 'gitea' | 'bitbucket'

/** A repository at a code host; `kind` is null where the name of the host does not tell. */
export type RepositoryPlace = { host: string; kind: CodeHostKind | null; name: string; owner: string; repo: string }

/** Those that everybody knows; Codeberg runs Forgejo, which kept Gitea's interface. */
const KNOWN: Record<string, CodeHostKind> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'bitbucket.org': 'bitbucket',
  'codeberg.org': 'gitea',
}

/** The name under which an account at a host is linked: lower case, with its port where it has one of its own. */
export const hostName = (host: string): string => host.toLowerCase().replace(/^www\.(?=(github|gitlab)\.com$)/, '')

/** What kind of host it is, as far as its name tells. GitHub Enterprise answers where its interface is. */
export function kindOfHost(host: string, githubApiUrl: string): CodeHostKind | null {
  return KNOWN[host] ?? (new URL(githubApiUrl).host === host ? 'github' : null)
}

/** Where a host is reached: over https, but for addresses in digits, which have no certificate. */
export function originOf(host: string): string {
  const { hostname } = new URL(`https://${host}`)
  return `${isIP(hostname.replace(/^\[|\]$/g, '')) ? 'http' : 'https'}://${host}`
}

/** Hosts whose repositories are asked for at fixed addresses over https, whatever the source's address begins with. */
const FIXED: ReadonlySet<string> = new Set(['github.com', 'gitlab.com', 'bitbucket.org'])

/** Whether a token would go where it was linked, and not in the open: the rest is read as anybody reads it. */
export function mayCarryToken({ protocol, host, origin }: URL): boolean {
  const name = hostName(host)
  return protocol === 'https:' || FIXED.has(name) || origin === originOf(name)
}

/** Letters, digits and `.-_~` in each part; none of them a step. */
const WELL_FORMED = /^(?!\.{1,2}(\/|$))[\w.~-]{1,100}(\/(?!\.{1,2}(\/|$))[\w.~-]{1,100}){1,20}$/

/**
 * The repository that an address leads to, or null. GitLab has groups within groups, and marks where a name ends; at
 * the others a name has two parts. Of a host of unknown kind it is read as one of those two.
 */
export function repositoryAt(
  url: URL,
  githubApiUrl: string,
  given: CodeHostKind | null = null,
): RepositoryPlace | null {
  const host = hostName(url.host)
  const kind = kindOfHost(host, githubApiUrl) ?? given
  const parts = url.pathname.split('/').filter(Boolean)
  const end = kind === 'gitlab' ? parts.indexOf('-') : 2
  const name = (end < 0 ? parts : parts.slice(0, end)).join('/').replace(/\.git$/, '')
  if (!WELL_FORMED.test(name)) return null
  const cut = name.lastIndexOf('/')
  return { host, kind, name, owner: name.slice(0, cut), repo: name.slice(cut + 1) }
}
