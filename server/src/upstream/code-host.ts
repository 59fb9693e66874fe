import { isIP } from 'node:net'
import { z } from 'zod'
import type { NetClient } from '#net/client.ts'
import { askCodeHost, failureOf, fetchFromHost, readAnswer, type Asking } from './host-app.ts'
import { UpstreamError } from './upstream-error.ts'

type Deps = { net: NetClient; githubApiUrl: string }

type Interface = {
  title: (host: string) => string
  userUrl: (host: string) => string
  repositoryUrl: (host: string, name: string) => string
  User: z.ZodType<string>
}

/** A self-hosted server has only its host name. */
const named = (own: string, title: string) => (host: string) => (host === own ? title : host)

type CodeHostKind = 'github' | 'gitlab' | 'gitea' | 'bitbucket'

const INTERFACES: Record<Exclude<CodeHostKind, 'github'>, Interface> = {
  gitlab: {
    title: named('gitlab.com', 'GitLab'),
    userUrl: (host) => `${originOf(host)}/api/v4/user`,
    repositoryUrl: (host, name) => `${originOf(host)}/api/v4/projects/${encodeURIComponent(name)}`,
    User: z.object({ username: z.string().min(1) }).transform(({ username }) => username),
  },
  gitea: {
    title: named('codeberg.org', 'Codeberg'),
    userUrl: (host) => `${originOf(host)}/api/v1/user`,
    repositoryUrl: (host, name) => `${originOf(host)}/api/v1/repos/${name}`,
    User: z.object({ login: z.string().min(1) }).transform(({ login }) => login),
  },
  bitbucket: {
    title: () => 'Bitbucket',
    userUrl: () => 'https://api.bitbucket.org/2.0/user',
    repositoryUrl: (_, name) => `https://api.bitbucket.org/2.0/repositories/${name}`,
    User: z.object({ display_name: z.string().min(1) }).transform((user) => user.display_name),
  },
}

/** Distinguishes a project from other pages that answer an unknown address with 200. */
const RepositorySchema = z.looseObject({})

/**
 * True if the repository is private, that is not publicly visible. Throws `UpstreamError`, with `absent` if it does not
 * exist or the token does not reveal it.
 */
export async function lookUpPrivacy(
  { net, githubApiUrl }: Deps,
  { host, kind, name, token }: { host: string; kind: CodeHostKind; name: string; token: string | null },
): Promise<{ isPrivate: boolean }> {
  if (kind === 'github') {
    const found = await askCodeHost(askGithub(net, token), `${githubApiUrl}/repos/${name}`, GithubRepositorySchema)
    return { isPrivate: found.private }
  }
  const { title, repositoryUrl } = INTERFACES[kind]
  const url = repositoryUrl(host, name)
  const ask = (headers: Record<string, string>) =>
    askCodeHost({ net, title: title(host), headers }, url, RepositorySchema)
  try {
    await ask({ accept: 'application/json' })
    return { isPrivate: false }
  } catch (error) {
    // Some hosts report a private repository as missing, others as forbidden.
    if (!(error instanceof UpstreamError) || error.reason === 'failed') throw error
    if (token === null) throw new UpstreamError('absent', error.message, { cause: error })
  }
  await ask({ accept: 'application/json', authorization: `Bearer ${token}` })
  return { isPrivate: true }
}

/**
 * Kind of a host, and the token's owner. The name is null if a valid token may not reveal it. `kind` is null for a
 * self-hosted server, which is then tried as every kind. Throws `UpstreamError`.
 */
export async function lookUpOwner(
  { net, githubApiUrl }: Deps,
  { host, kind, token }: { host: string; kind: CodeHostKind | null; token: string },
): Promise<{ kind: CodeHostKind; login: string | null }> {
  if (kind === 'github')
    return { kind, ...(await askCodeHost(askGithub(net, token), `${githubApiUrl}/user`, UserSchema)) }
  const kinds = kind === null ? (['gitlab', 'gitea'] as const) : [kind]
  for (const each of kinds) {
    const { title, userUrl, User } = INTERFACES[each]
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
    const response = await fetchFromHost({ net, title: title(host), headers }, userUrl(host))
    // A token that may only read repositories is valid, but may not reveal its owner.
    if (response.status === 403 && isJson(response.headers)) return { kind: each, login: null }
    const failure = failureOf(title(host), response)
    if (failure?.reason === 'absent' && kind === null) continue
    if (failure) throw failure
    return { kind: each, login: readAnswer(title(host), response, User) }
  }
  throw new UpstreamError('failed', `Neither GitLab’s nor Gitea’s interface answers at ${host}.`)
}

const isJson = (headers: Record<string, string>): boolean =>
  /^application\/([\w.-]+\+)?json\b/.test(headers['content-type'] ?? '')

/** A repository at a code host. `kind` is null if the host name does not determine it. */
type RepositoryPlace = { host: string; kind: CodeHostKind | null; name: string; owner: string; repo: string }

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

/** Two or more segments of letters, digits and `.-_~`, without dot segments. */
export const REPOSITORY_NAME = /^(?!\.{1,2}(\/|$))[\w.~-]{1,100}(\/(?!\.{1,2}(\/|$))[\w.~-]{1,100}){1,20}$/

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
  if (!REPOSITORY_NAME.test(name)) return null
  const cut = name.lastIndexOf('/')
  return { host, kind, name, owner: name.slice(0, cut), repo: name.slice(cut + 1) }
}

/** GitHub hides inaccessible repositories behind 404, `absent`. */
const GithubRepositorySchema = z.object({ private: z.boolean() })
const UserSchema = z.object({ login: z.string() })

/** A request to GitHub. `token` is null for anonymous ones. */
function askGithub(net: NetClient, token: string | null): Asking {
  const headers = {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  }
  return { net, title: 'GitHub', headers }
}
