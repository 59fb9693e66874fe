import { isIP } from 'node:net'

/** API of a code host. */
export type CodeHostKind = 'github' | 'gitlab' | 'gitea' | 'bitbucket'

/** A repository at a code host. `kind` is null if the host name does not determine it. */
export type RepositoryPlace = { host: string; kind: CodeHostKind | null; name: string; owner: string; repo: string }

/** Well-known hosts. Codeberg runs Forgejo, which kept Gitea's API. */
const KNOWN: Record<string, CodeHostKind> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'bitbucket.org': 'bitbucket',
  'codeberg.org': 'gitea',
}

/** Name under which an account at a host is linked: lower case, with a non-default port. */
export const hostName = (host: string): string => host.toLowerCase().replace(/^www\.(?=(github|gitlab)\.com$)/, '')

/** Kind of a host by its name. GitHub Enterprise is recognized by its API address. */
export function kindOfHost(host: string, githubApiUrl: string): CodeHostKind | null {
  return KNOWN[host] ?? (new URL(githubApiUrl).host === host ? 'github' : null)
}

/** Origin of a host: https, except for IP addresses, which have no certificate. */
export function originOf(host: string): string {
  const { hostname } = new URL(`https://${host}`)
  return `${isIP(hostname.replace(/^\[|\]$/g, '')) ? 'http' : 'https'}://${host}`
}

/** Hosts whose API is always called at fixed https addresses, whatever the source's address. */
const FIXED: ReadonlySet<string> = new Set(['github.com', 'gitlab.com', 'bitbucket.org'])

/** True if a token would go to its linked host over https. Otherwise repositories are read anonymously. */
export function mayCarryToken({ protocol, host, origin }: URL): boolean {
  const name = hostName(host)
  return protocol === 'https:' || FIXED.has(name) || origin === originOf(name)
}

/** Letters, digits and `.-_~` in each segment, without dot segments. */
const WELL_FORMED = /^(?!\.{1,2}(\/|$))[\w.~-]{1,100}(\/(?!\.{1,2}(\/|$))[\w.~-]{1,100}){1,20}$/

/**
 * The repository of an address, or null. GitLab has nested groups and marks the end of a name; elsewhere a name has two
 * segments. An unknown host is parsed as one of these two.
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
