import { z } from 'zod'
import type { NetClient } from '#net/client.ts'
import { type Asking, askCodeHost } from './ask-host.ts'

type Github = {
  net: NetClient
  /** Base URL of GitHub's REST API, without a trailing slash. */
  apiUrl: string
  /** Token of an account. Null for anonymous requests. */
  token: string | null
}

const RepositorySchema = z.object({ private: z.boolean() })
const UserSchema = z.object({ login: z.string() })

/**
 * Looks up whether the repository is private. Throws `UpstreamError`. GitHub hides inaccessible repositories behind
 * 404, `absent`.
 */
export async function lookUpRepository(github: Github, name: string): Promise<{ isPrivate: boolean }> {
  const found = await askCodeHost(asking(github), `${github.apiUrl}/repos/${name}`, RepositorySchema)
  return { isPrivate: found.private }
}

/** The account of the token. Throws `UpstreamError`. */
export async function lookUpUser(github: Github): Promise<{ login: string }> {
  return askCodeHost(asking(github), `${github.apiUrl}/user`, UserSchema)
}

function asking({ net, token }: Github): Asking {
  const headers = {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  }
  return { net, title: 'GitHub', headers }
}
