import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Claims = Record<string, unknown>

/** A sign-in provider whose answers a test decides: the claims of the next ID token, and those of the user. */
export async function startProvider() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const strange = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const next: { token: Claims; user: Claims | null; key: typeof privateKey; status: number } = {
    token: {},
    user: null,
    key: privateKey,
    status: 200,
  }
  const asked: URLSearchParams[] = []
  let nonce = ''
  const idToken = (claims: Claims) => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${encode({ alg: 'RS256', kid: 'one' })}.${encode(claims)}`
    return `${text}.${sign('sha256', Buffer.from(text), next.key).toString('base64url')}`
  }
  const answers: Record<string, (body: string) => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      ...(next.user === null ? {} : { userinfo_endpoint: `${issuer}/user` }),
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    }),
    '/keys': () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] }),
    '/user': () => ({ sub: 'of-ann', ...next.user }),
    '/token': (body) => {
      asked.push(new URLSearchParams(body))
      const now = Math.floor(Date.now() / 1000)
      const usual = { iss: issuer, aud: 'docent', sub: 'of-ann', iat: now, exp: now + 300, nonce }
      return { access_token: 'at', token_type: 'Bearer', id_token: idToken({ ...usual, ...next.token }) }
    },
  }
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      const asked = new URL(request.url ?? '/', issuer)
      // Its page would ask a person. This one agrees at once.
      if (asked.pathname === '/authorize') return response.writeHead(302, { location: allow(asked.href).href }).end()
      const answer = answers[asked.pathname]
      response.writeHead(answer ? next.status : 404, { 'content-type': 'application/json' })
      return response.end(JSON.stringify(answer?.(body) ?? {}))
    })
  })
  /** What the provider's page does: it reads the request and sends the browser back. */
  function allow(authorizeUrl: string, more: Record<string, string> = {}): URL {
    const { searchParams } = new URL(authorizeUrl)
    nonce = searchParams.get('nonce') ?? ''
    const back = new URL(searchParams.get('redirect_uri') ?? '')
    back.search = new URLSearchParams({ code: 'co', state: searchParams.get('state') ?? '', ...more }).toString()
    return back
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    next,
    strange,
    /** Forms that the token endpoint got. */
    asked,
    allow,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type FakeProvider = Awaited<ReturnType<typeof startProvider>>
