import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo } from 'node:net'
import { type IncomingMessage, createServer } from 'node:http'

export const APP = { clientId: 'Iv1.0123456789abcdef', clientSecret: 'canary-client-secret-0123456789' }

type Allowed = { redirectUri: string; challenge: string }

/** A fake GitHub with an OAuth app: its authorisation page, its tokens, and one private repository. */
export type GithubLogin = AsyncDisposable & {
  url: string
  /** The query parameters with which GitHub sends a user back after authorisation. */
  allow(authorizeUrl: string): { code: string; state: string }
  /** Lifetime in seconds of tokens issued from now on; null if they do not expire. */
  lifetime: number | null
  /** Issued tokens in order; only the last one is valid. */
  tokens: string[]
  /** Number of token requests. */
  asked: number
}

export async function startGithubLogin(): Promise<GithubLogin> {
  const codes = new Map<string, Allowed>()
  let unique = 0

  const handOut = () => {
    unique += 1
    github.tokens.push(`ghu_canary-${unique}`)
    const { lifetime } = github
    const next = lifetime === null ? {} : { expires_in: lifetime, refresh_token: `ghr_canary-${unique}` }
    return { access_token: `ghu_canary-${unique}`, token_type: 'bearer', ...next }
  }
  /** Checks as on GitHub, PKCE included. A code and a refresh token work once. */
  const answerTo = (asked: Record<string, string>) => {
    github.asked += 1
    if (asked['client_id'] !== APP.clientId || asked['client_secret'] !== APP.clientSecret) {
      return { error: 'incorrect_client_credentials' }
    }
    if (asked['grant_type'] === 'refresh_token') {
      return asked['refresh_token'] === `ghr_canary-${unique}` ? handOut() : { error: 'bad_refresh_token' }
    }
    const allowed = codes.get(asked['code'] ?? '')
    codes.delete(asked['code'] ?? '')
    const challenge = createHash('sha256')
      .update(asked['code_verifier'] ?? '')
      .digest('base64url')
    const isGood = allowed?.challenge === challenge && allowed.redirectUri === asked['redirect_uri']
    return isGood ? handOut() : { error: 'bad_verification_code' }
  }

  const server = createServer((request, response) => {
    const send = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const isKnown = request.headers.authorization === `Bearer ${github.tokens.at(-1)}`
    void (async () => {
      if (request.url === '/login/oauth/access_token') return send(200, answerTo(await bodyOf(request)))
      if (request.headers.authorization && !isKnown) return send(401, { message: 'Bad credentials' })
      if (request.url === '/user' && isKnown) return send(200, { login: 'octo' })
      if (request.url === '/repos/acme/secret' && isKnown) return send(200, { private: true })
      return send(404, { message: 'Not Found' })
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const github: GithubLogin = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lifetime: null,
    tokens: [],
    asked: 0,
    allow(authorizeUrl) {
      const { origin, pathname, searchParams } = new URL(authorizeUrl)
      if (origin !== github.url || pathname !== '/login/oauth/authorize') throw new Error(`Not here: ${authorizeUrl}`)
      if (searchParams.get('client_id') !== APP.clientId) throw new Error('Not an app that is known here')
      if (searchParams.get('code_challenge_method') !== 'S256') throw new Error('Not the method that is asked for')
      const code = `code-${(unique += 1)}`
      const [redirectUri, challenge] = [searchParams.get('redirect_uri'), searchParams.get('code_challenge')]
      codes.set(code, { redirectUri: redirectUri ?? '', challenge: challenge ?? '' })
      return { code, state: searchParams.get('state') ?? '' }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return github
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, string>> {
  let text = ''
  for await (const piece of request.setEncoding('utf8')) text += String(piece)
  return JSON.parse(text) as Record<string, string>
}
