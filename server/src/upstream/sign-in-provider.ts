import type { Configuration, CustomFetch } from 'openid-client'
import type { ProviderSettings } from '#lib/settings.ts'
import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { UpstreamError } from './upstream-error.ts'

/** What a browser keeps between its way to the provider and back. */
export type SignInAttempt = { state: string; nonce: string; verifier: string }

/** The members of an ID token and of the provider's information on the user that matter here. */
export type ProviderClaims = { issuer: string; subject: string; claims: Readonly<Record<string, unknown>> }

export type SignInProvider = {
  settings: ProviderSettings
  /** Begins a sign-in: the address of the provider's page, and what the browser keeps. Throws `UpstreamError`. */
  begin(redirectUri: string): Promise<{ url: string; attempt: SignInAttempt }>
  /** Ends it, with the address to which the browser came back. Throws `UpstreamError`; `refused` if a check fails. */
  finish(returned: URL, attempt: SignInAttempt): Promise<ProviderClaims>
}

/** Seconds by which the clocks of the provider and of this machine may differ. */
export const CLOCK_TOLERANCE_S = 60
/** Providers change their addresses and keys rarely. */
const KEPT_MS = 60 * 60_000
/** Seconds for one request. A person waits. */
const TIMEOUT_S = 10
const MAX_BYTES = 1024 * 1024

/** An OpenID Connect provider, with which people sign in (OpenID Connect Core 1.0, section 3.1). */
export function createSignInProvider(net: NetClient, settings: ProviderSettings): SignInProvider {
  let kept: { config: Promise<Configuration>; until: number } | null = null
  const discover = (): Promise<Configuration> => {
    if (kept && kept.until > Date.now()) return kept.config
    const config = openProvider(net, settings)
    const entry = { config, until: Date.now() + KEPT_MS }
    kept = entry
    config.catch(() => {
      if (kept === entry) kept = null
    })
    return config
  }
  const ask = <T>(body: (config: Configuration) => Promise<T>) =>
    discover()
      .then(body)
      .catch((cause: unknown) => {
        throw toUpstreamError(settings.name, cause)
      })
  return {
    settings,
    begin: (redirectUri) => ask((config) => beginAt(config, settings, redirectUri)),
    finish: (returned, attempt) => ask((config) => finishAt(config, settings, returned, attempt)),
  }
}

/** Loaded with the first sign-in. */
const library = () => import('openid-client')

async function openProvider(net: NetClient, { issuer, clientId, clientSecret }: ProviderSettings) {
  const oidc = await library()
  const isPlain = new URL(issuer).protocol === 'http:'
  return oidc.discovery(
    new URL(issuer),
    clientId,
    { [oidc.clockTolerance]: CLOCK_TOLERANCE_S, ...(clientSecret ? { client_secret: clientSecret } : {}) },
    authenticationBy(oidc, clientSecret),
    {
      timeout: TIMEOUT_S,
      // The signature of an ID token is checked too, although it comes from the provider itself.
      execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
      [oidc.customFetch]: fetchBy(net),
    },
  )
}

/** In the form if the provider takes that. Otherwise in the header, which is the default of the standard. */
function authenticationBy(oidc: Awaited<ReturnType<typeof library>>, secret: string | undefined) {
  if (!secret) return oidc.None()
  const [inForm, inHeader] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)]
  const send: typeof inForm = (server, ...request) => {
    const isInForm = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false
    return (isInForm ? inForm : inHeader)(server, ...request)
  }
  return send
}

/** The operator chose the provider, so that its addresses may be private. Redirects are not followed. */
const fetchBy =
  (net: NetClient): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const sent = new Headers(headers)
    const type = sent.get('content-type') ?? 'application/x-www-form-urlencoded'
    const answer = await net.fetch(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(sent),
      ...(body ? { body: { type, text: String(body as string | URLSearchParams) } } : {}),
      totalMs: TIMEOUT_S * 1000,
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
      acceptRedirect: () => false,
      signal,
    })
    const { status } = answer
    const bytes = status === 204 || status === 304 ? null : new Uint8Array(answer.bytes)
    return new Response(bytes, { status, headers: answer.headers })
  }

async function beginAt(config: Configuration, { scope }: ProviderSettings, redirectUri: string) {
  const oidc = await library()
  const attempt = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
  })
  return { url: url.href, attempt }
}

async function finishAt(config: Configuration, settings: ProviderSettings, returned: URL, attempt: SignInAttempt) {
  const oidc = await library()
  const { state, nonce, verifier } = attempt
  const tokens = await oidc.authorizationCodeGrant(config, returned, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const token = tokens.claims()
  if (!token) throw new UpstreamError('refused', `${settings.name} sent no ID token.`)
  const { iss: issuer, sub: subject } = token
  const wanted = ['email', 'email_verified', ...(Object.keys(settings.roles).length > 0 ? [settings.groupsClaim] : [])]
  const isWhole = wanted.every((name) => token[name] !== undefined)
  if (isWhole || !config.serverMetadata().userinfo_endpoint) return { issuer, subject, claims: token }
  const user = await oidc.fetchUserInfo(config, tokens.access_token, subject)
  return { issuer, subject, claims: { ...user, ...token } }
}

/** A sentence for the person who signs in, without secrets. The operator's log has the cause. */
function toUpstreamError(name: string, cause: unknown): UpstreamError {
  if (cause instanceof UpstreamError) return cause
  const chain = [cause, (cause as Error | null)?.cause, ((cause as Error | null)?.cause as Error | undefined)?.cause]
  const net = chain.find((each) => each instanceof NetError)
  if (net) return new UpstreamError('failed', `${name} cannot be reached now. ${net.message}`, { cause })
  const { code, error } = cause as { code?: unknown; error?: unknown }
  const why = [error, code].filter((each) => typeof each === 'string').find((each) => /^\w{1,60}$/.test(each))
  const told = why === undefined ? '' : ` (${why})`
  const isDown = code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM'
  if (isDown) return new UpstreamError('failed', `${name} does not answer as it should now${told}.`, { cause })
  return new UpstreamError('refused', `The sign-in with ${name} was not accepted${told}.`, { cause })
}
