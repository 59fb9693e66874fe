import { z } from 'zod'
import type { NetClient, NetResponse } from '#net/client.ts'
import { parseBoundedJson } from '#lib/text/bounded-json.ts'
import { NetError } from '#net/net-error.ts'
import { UpstreamError } from './upstream-error.ts'

/** Tokens issued by a host. `lifetimeMs` is null for a token that does not expire. */
export type HostTokens = { token: string; refreshToken: string | null; lifetimeMs: number | null }

/** The operator's app at a code host, which links accounts without pasted tokens. */
export type HostApp = ReturnType<typeof createGithubApp>

type Registered = { clientId: string; clientSecret: string }

/** GitHub reports errors with status 200. */
const AnswerSchema = z.union([
  z.object({
    access_token: z.string().min(1).max(4_000),
    expires_in: z.number().positive().optional(),
    refresh_token: z.string().min(1).max(4_000).optional(),
  }),
  z.object({ error: z.string(), error_description: z.string().optional() }),
])

/** Scope for an OAuth App: GitHub has no read-only one. A GitHub App has configured permissions instead. */
const SCOPE = 'repo'

/**
 * The operator's GitHub app, of either kind:
 * https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps. `apiUrl` is the URL of GitHub's
 * API, which identifies a GitHub Enterprise instance.
 */
export function createGithubApp(net: NetClient, apiUrl: string, { clientId, clientSecret }: Registered) {
  const web = webUrl(apiUrl)
  const askForTokens = async (request: Record<string, string>): Promise<HostTokens> => {
    const json = { client_id: clientId, client_secret: clientSecret, ...request }
    const asking = { net, title: 'GitHub', headers: { accept: 'application/json' }, json }
    const answer = await askCodeHost(asking, `${web}/login/oauth/access_token`, AnswerSchema)
    if ('error' in answer) throw new UpstreamError('refused', `GitHub did not give access (${codeOf(answer.error)}).`)
    const { access_token: token, refresh_token: refreshToken = null, expires_in: seconds } = answer
    return { token, refreshToken, lifetimeMs: seconds === undefined ? null : seconds * 1000 }
  }
  return {
    /** Host of the linked accounts. */
    host: new URL(web).host,
    /** Authorization page. `challenge` is the S256 challenge of RFC 7636. */
    authorizeUrl({ redirectUri, state, challenge }: { redirectUri: string; state: string; challenge: string }) {
      const url = new URL(`${web}/login/oauth/authorize`)
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }).toString()
      return url.href
    },
    /** Like `refresh`, throws `UpstreamError`, with `refused` for an invalid or expired code or token. */
    exchange: ({ code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string }) =>
      askForTokens({ code, code_verifier: verifier, redirect_uri: redirectUri }),
    refresh: (refreshToken: string) => askForTokens({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  }
}

/** `https://api.github.com` belongs to `https://github.com`, `https://HOST/api/v3` to `https://HOST`. */
function webUrl(apiUrl: string): string {
  const { protocol, host } = new URL(apiUrl)
  return `${protocol}//${host.replace(/^api\.(?=github\.com$|.+\.ghe\.com$)/, '')}`
}

/** Restricts a remote error code for use in our own message. */
const codeOf = (text: string): string => (/^[a-z_]{1,60}$/.test(text) ? text : 'unknown error')

export type Asking = {
  net: NetClient
  /** Display name of the host. */
  title: string
  headers: Record<string, string>
  /** JSON body, sent by POST. */
  json?: unknown
}

/** A user waits for these responses. */
const TOTAL_MS = 10_000
/** Parsed in this process, within the value limit of `parseBoundedJson`. */
const MAX_BYTES = 1024 * 1024

/** Requests a code host's API and parses the response. Throws `UpstreamError`. */
export async function askCodeHost<T>(asking: Asking, url: string, schema: z.ZodType<T>): Promise<T> {
  const response = await fetchFromHost(asking, url)
  const failure = failureOf(asking.title, response)
  if (failure) throw failure
  return readAnswer(asking.title, response, schema)
}

/** The same, for callers that interpret the status. */
export async function fetchFromHost({ net, title, headers, json }: Asking, url: string): Promise<NetResponse> {
  try {
    const request = { headers, totalMs: TOTAL_MS, maxBytes: MAX_BYTES }
    return await net.fetch(url, json === undefined ? request : { ...request, json, maxRedirects: 0 })
  } catch (cause) {
    if (!(cause instanceof NetError)) throw cause
    throw new UpstreamError('failed', `${title} could not be asked. ${cause.message}`, { cause })
  }
}

export function readAnswer<T>(title: string, { bytes }: NetResponse, schema: z.ZodType<T>): T {
  try {
    return schema.parse(parseBoundedJson(bytes))
  } catch (cause) {
    throw new UpstreamError('failed', `${title} answered something that cannot be read.`, { cause })
  }
}

/** https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api. The other hosts behave similarly. */
export function failureOf(title: string, { status, headers }: NetResponse): UpstreamError | null {
  if (status === 200) return null
  if (status === 404 || status === 451) return new UpstreamError('absent', `${title} knows of no such thing.`)
  if (status === 401) return new UpstreamError('refused', `${title} refused the token.`)
  const isSpent = headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined || status === 429
  if (isSpent) {
    return new UpstreamError(
      'failed',
      `${title} has been asked too often for now. Try again ${whenOf(headers)}, or link an account.`,
    )
  }
  if (status === 403) return new UpstreamError('refused', `${title} does not let this token read that.`)
  return new UpstreamError('failed', `${title} answered ${status}.`)
}

/** Waits of more than a day are ignored. */
const MOST_SECONDS = 86_400

/** When the host accepts requests again: seconds in `Retry-After`, or a Unix time in `X-RateLimit-Reset`. */
function whenOf(headers: NetResponse['headers']): string {
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN)
  const seconds = Number(headers['retry-after'] ?? reset - Date.now() / 1_000)
  if (!(seconds > 0 && seconds <= MOST_SECONDS)) return 'later'
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`
}
