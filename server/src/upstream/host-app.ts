import { z } from 'zod'
import type { NetClient } from '#net/client.ts'
import { askCodeHost } from './ask-host.ts'
import { UpstreamError } from './upstream-error.ts'

/** Tokens issued by a host. `lifetimeMs` is null for a token that does not expire. */
export type HostTokens = { token: string; refreshToken: string | null; lifetimeMs: number | null }

/** The operator's app at a code host, which links accounts without pasted tokens. */
export type HostApp = {
  /** Host of the linked accounts. */
  host: string
  /** Authorization page. `challenge` is the S256 challenge of RFC 7636. */
  authorizeUrl(request: { redirectUri: string; state: string; challenge: string }): string
  /** Throws `UpstreamError`, with `refused` for an invalid or expired code. */
  exchange(request: { code: string; verifier: string; redirectUri: string }): Promise<HostTokens>
  /** Throws `UpstreamError`, with `refused` for an invalid or expired refresh token. */
  refresh(refreshToken: string): Promise<HostTokens>
}

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
export function createGithubApp(net: NetClient, apiUrl: string, { clientId, clientSecret }: Registered): HostApp {
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
    host: new URL(web).host,
    authorizeUrl({ redirectUri, state, challenge }) {
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
    exchange: ({ code, verifier, redirectUri }) =>
      askForTokens({ code, code_verifier: verifier, redirect_uri: redirectUri }),
    refresh: (refreshToken) => askForTokens({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  }
}

/** `https://api.github.com` belongs to `https://github.com`, `https://HOST/api/v3` to `https://HOST`. */
function webUrl(apiUrl: string): string {
  const { protocol, host } = new URL(apiUrl)
  return `${protocol}//${host.replace(/^api\.(?=github\.com$|.+\.ghe\.com$)/, '')}`
}

/** Restricts a remote error code for use in our own message. */
const codeOf = (text: string): string => (/^[a-z_]{1,60}$/.test(text) ? text : 'unknown error')
