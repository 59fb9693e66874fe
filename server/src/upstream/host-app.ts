import { z } from 'zod'
import type { NetClient } from '#net/client.ts'
import { askHost } from './ask-host.ts'
import { UpstreamError } from './upstream-error.ts'

/** What a host hands out; `lifetimeMs` is null for a token that does not expire. */
export type HostTokens = { token: string; refreshToken: string | null; lifetimeMs: number | null }

/** An app that the operator has registered at a code host, by which accounts are linked without a token to paste. */
export type HostApp = {
  /** Whose accounts it links. */
  host: string
  /** Where the person says yes. `challenge` is the S256 one of RFC 7636. */
  authorizeUrl(request: { redirectUri: string; state: string; challenge: string }): string
  /** Throws `UpstreamError`, `refused` for a code that is not good any more. */
  exchange(request: { code: string; verifier: string; redirectUri: string }): Promise<HostTokens>
  /** Throws `UpstreamError`, `refused` for a refresh token that is not good any more. */
  refresh(refreshToken: string): Promise<HostTokens>
}

type Registered = { clientId: string; clientSecret: string }

/** GitHub says what is wrong with status 200. */
const AnswerSchema = z.union([
  z.object({
    access_token: z.string().min(1).max(4_000),
    expires_in: z.number().positive().optional(),
    refresh_token: z.string().min(1).max(4_000).optional(),
  }),
  z.object({ error: z.string(), error_description: z.string().optional() }),
])

/** An OAuth App asks for it, since GitHub has none that only reads; a GitHub App has permissions of its own instead. */
const SCOPE = 'repo'

/**
 * The operator's app at GitHub, of either kind: https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps.
 * `apiUrl` is that of GitHub's interface, by which an instance of GitHub Enterprise is known.
 */
export function createGithubApp(net: NetClient, apiUrl: string, { clientId, clientSecret }: Registered): HostApp {
  const web = webUrl(apiUrl)
  const askForTokens = async (request: Record<string, string>): Promise<HostTokens> => {
    const json = { client_id: clientId, client_secret: clientSecret, ...request }
    const asking = { net, title: 'GitHub', headers: { accept: 'application/json' }, json }
    const answer = await askHost(asking, `${web}/login/oauth/access_token`, AnswerSchema)
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

/** What somebody else's server says goes into a sentence of ours. */
const codeOf = (text: string): string => (/^[a-z_]{1,60}$/.test(text) ? text : 'unknown error')
