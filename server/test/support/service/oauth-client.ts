import { createHash, randomBytes } from 'node:crypto'
import type { Docent } from './harness.ts'
import { openSessionOf } from './open-browser.ts'
import { browsers } from './sign-in.ts'

export const CALLBACK = 'http://127.0.0.1:39117/callback'

/** A client that people connect to private servers, and the browser in which they allow it. */
export function oauthWorld(docent: () => Docent) {
  const { account } = browsers(docent)
  const send = (path: string, init: RequestInit = {}) => fetch(docent().url + path, { redirect: 'manual', ...init })
  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    send(path, { method: 'POST', body: new URLSearchParams(form), headers })

  /** A person with a private server without pages, signed in in a browser. */
  async function person(name: string) {
    const email = await account(name)
    const cookie = `docent_session=${(await openSessionOf(docent(), email)).secret}`
    const key = await docent().makeKey(email)
    const made = await docent().request(
      'POST',
      '/api/mcp/create',
      { name: `Docs of ${name}`, sources: [{ url: 'http://127.0.0.1:19151/' }], visibility: 'private' },
      { key },
    )
    return { email, cookie, key, slug: made.body.slug as string, serverId: made.body.serverId as string }
  }
  type Person = Awaited<ReturnType<typeof person>>

  async function register(more: Record<string, unknown> = {}) {
    const body = JSON.stringify({ client_name: 'Test client', redirect_uris: [CALLBACK], ...more })
    return (await send('/oauth/register', { method: 'POST', body })).json() as Promise<Record<string, string>>
  }

  const verifier = randomBytes(32).toString('base64url')
  /** Of a server, or (null) of the account. */
  const pathOf = (slug: string | null) => (slug === null ? '/api/headless/mcp' : `/api/mcp/${slug}`)
  const resource = (slug: string | null) => docent().url + pathOf(slug)

  /** The parameters of a right authorization request. */
  const request = (clientId: string, slug: string | null, more: Record<string, string> = {}) => ({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    state: 'st',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: resource(slug),
    ...more,
  })

  /** Opens the page of a request in the browser. */
  const show = (asked: Record<string, string>, cookie = '') =>
    send(`/oauth/authorize?${new URLSearchParams(asked).toString()}`, { headers: { cookie } })

  /** Presses a button of the page. */
  const decide = (asked: Record<string, string>, cookie: string, decision = 'allow', site = 'same-origin') =>
    post('/oauth/authorize', { ...asked, decision }, { cookie, 'sec-fetch-site': site })

  /** The parameters with which the browser returns to the client. */
  const returned = (response: Response) => {
    const to = response.headers.get('location')
    return to === null ? null : Object.fromEntries(new URL(to, 'http://none.example').searchParams)
  }

  type Asker = Pick<Person, 'cookie'> & { slug: string | null }
  async function allow({ slug, cookie }: Asker, clientId: string, more: Record<string, string> = {}) {
    return returned(await decide(request(clientId, slug, more), cookie))?.['code'] ?? ''
  }

  const exchange = async (form: Record<string, string>) => {
    const answer = await post('/oauth/token', form)
    return { status: answer.status, body: (await answer.json()) as Record<string, any> }
  }
  const redeem = (clientId: string, code: string, more: Record<string, string> = {}) =>
    exchange({
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: CALLBACK,
      ...more,
    })
  const refresh = (clientId: string, token: string, more: Record<string, string> = {}) =>
    exchange({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...more })

  /** Connects a new client to the person's server, or (null) account. */
  async function connect(by: Asker, more: Record<string, string> = {}) {
    const { client_id: clientId = '' } = await register()
    const { body } = await redeem(clientId, await allow(by, clientId, more))
    return { clientId, access: body['access_token'] as string, refreshToken: body['refresh_token'] as string, body }
  }

  const call = (slug: string | null, method: string, token: string | null, params: object = {}) =>
    docent().request('POST', pathOf(slug), { jsonrpc: '2.0', id: 1, method, params }, { key: token })

  return {
    person,
    register,
    request,
    show,
    decide,
    returned,
    allow,
    redeem,
    refresh,
    connect,
    call,
    post,
    send,
    resource,
  }
}
