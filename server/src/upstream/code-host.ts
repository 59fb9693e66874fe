import { z } from 'zod'
import type { NetClient } from '#net/client.ts'
import { askHost, failureOf, fetchFromHost, readAnswer } from './ask-host.ts'
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

/** Of a host that people run themselves nothing is known but its name. */
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

/** What else than a project of this kind could answer an unknown address with 200. */
const RepositorySchema = z.looseObject({})

/**
 * Whether the repository is private: whether anybody can see it. Throws `UpstreamError`, `absent` where it is not to be
 * seen with the token either, or there is none.
 */
export async function lookUpPrivacy(
  { net, githubApiUrl }: Deps,
  { host, kind, name, token }: { host: string; kind: CodeHostKind; name: string; token: string | null },
): Promise<{ isPrivate: boolean }> {
  if (kind === 'github') return lookUpRepository({ net, apiUrl: githubApiUrl, token }, name)
  const { title, repositoryUrl } = INTERFACES[kind]
  const url = repositoryUrl(host, name)
  const ask = (headers: Record<string, string>) => askHost({ net, title: title(host), headers }, url, RepositorySchema)
  try {
    await ask({ accept: 'application/json' })
    return { isPrivate: false }
  } catch (error) {
    // Some say that there is no such thing, some that one is not let in; neither says it to everybody's face.
    if (!(error instanceof UpstreamError) || error.reason === 'failed') throw error
    if (token === null) throw new UpstreamError('absent', error.message, { cause: error })
  }
  await ask({ accept: 'application/json', authorization: `Bearer ${token}` })
  return { isPrivate: true }
}

/**
 * What kind of host it is, and whose token it is; the name is null where the token is good and may not tell. `kind` is
 * null for a host that people run themselves, which is asked in either way. Throws `UpstreamError`.
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
    // A token for reading repositories alone is let in, and may not ask whose it is.
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
