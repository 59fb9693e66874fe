import { z } from 'zod'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { RepositoryName } from './repository-url.ts'
import { UpstreamError } from './upstream-error.ts'

type Github = {
  net: NetClient
  /** Of GitHub's REST API, without a trailing slash. */
  apiUrl: string
  /** A personal access token; null to ask as anybody. */
  token: string | null
}

/** Somebody waits for these answers. */
const TOTAL_MS = 10_000
const MAX_BYTES = 1024 * 1024

const RepositorySchema = z.object({ private: z.boolean() })
const UserSchema = z.object({ login: z.string() })

/** Whether the repository is private. Throws `UpstreamError`; GitHub hides what one may not see behind 404, `absent`. */
export async function lookUpRepository(
  github: Github,
  { owner, repo }: RepositoryName,
): Promise<{ isPrivate: boolean }> {
  const found = await ask(github, `/repos/${owner}/${repo}`, RepositorySchema)
  return { isPrivate: found.private }
}

/** The account that the token belongs to. Throws `UpstreamError`. */
export async function lookUpUser(github: Github): Promise<{ login: string }> {
  return ask(github, '/user', UserSchema)
}

async function ask<T>({ net, apiUrl, token }: Github, path: string, schema: z.ZodType<T>): Promise<T> {
  const response = await fetchJson(net, `${apiUrl}${path}`, token)
  const failure = failureOf(response)
  if (failure) throw failure
  try {
    return schema.parse(JSON.parse(Buffer.from(response.bytes).toString('utf8')))
  } catch (cause) {
    throw new UpstreamError('failed', 'GitHub answered something that cannot be read.', { cause })
  }
}

async function fetchJson(net: NetClient, url: string, token: string | null): Promise<NetResponse> {
  try {
    return await net.fetch(url, {
      headers: {
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      totalMs: TOTAL_MS,
      maxBytes: MAX_BYTES,
    })
  } catch (cause) {
    if (!(cause instanceof NetError)) throw cause
    throw new UpstreamError('failed', `GitHub could not be asked. ${cause.message}`, { cause })
  }
}

/** https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api */
function failureOf({ status, headers }: NetResponse): UpstreamError | null {
  if (status === 200) return null
  if (status === 404 || status === 451) return new UpstreamError('absent', 'GitHub knows of no such thing.')
  if (status === 401) return new UpstreamError('refused', 'GitHub refused the token.')
  const isSpent = headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined || status === 429
  if (isSpent) {
    return new UpstreamError('failed', 'GitHub has been asked too often for now. Try again later, or link an account.')
  }
  if (status === 403) return new UpstreamError('refused', 'GitHub does not let this token read that.')
  return new UpstreamError('failed', `GitHub answered ${status}.`)
}
