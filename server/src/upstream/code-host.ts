import { z } from 'zod'
import type { NetClient } from '#net/client.ts'
import { askCodeHost, failureOf, fetchFromHost, readAnswer } from './ask-host.ts'
import { type CodeHostKind, originOf } from './code-host-kind.ts'
import { lookUpRepository, lookUpUser } from './github.ts'
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
  if (kind === 'github') return lookUpRepository({ net, apiUrl: githubApiUrl, token }, name)
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
  if (kind === 'github') return { kind, ...(await lookUpUser({ net, apiUrl: githubApiUrl, token })) }
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
