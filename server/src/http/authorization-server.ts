import type { Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { DocentError } from '#errors.ts'
import { clientAuthenticationOf } from '#oauth/client-request.ts'
import { checkClient, registerClient } from '#oauth/clients.ts'
import { createClientDocuments } from '#oauth/client-documents.ts'
import { type Exchanging, exchangeCode, exchangeRefresh, revokeToken } from '#oauth/exchange.ts'
import { ACCOUNT_PATH, OAUTH_PATHS, resourceMetadata, serverMetadata } from '#oauth/metadata.ts'
import { OAuthError } from '#oauth/oauth-error.ts'
import { enforceRateLimit } from '#operations/rate-limits.ts'
import type { AppDeps } from './app.ts'
import { answerAuthorization, showAuthorization } from './authorize.ts'
import { IncomingBody } from './incoming-body.ts'
import { type Bindings, clientAddress } from './read-request.ts'
import { parseJson } from '#lib/objects.ts'

/** Bytes of a form, or of the metadata of a client. */
const BODY_LIMIT = 64 * 1024
const MINUTE_MS = 60_000
/** Requests from one network. Offices share one. */
const LIMITS = {
  register: { limit: 30, windowMs: 60 * MINUTE_MS, of: 'registrations' },
  token: { limit: 120, windowMs: MINUTE_MS, of: 'requests for tokens' },
} as const

/**
 * The OAuth 2.1 authorization server, through which people connect clients to their private servers. Its protected
 * resources are those servers, and the endpoint of the account if the operator wants that.
 */
export function addAuthorizationServer(app: Hono<Bindings>, deps: AppDeps): void {
  const { operations, mcp, log } = deps
  const { baseUrl, store } = operations
  const by: Exchanging = {
    store,
    get baseUrl() {
      return baseUrl()
    },
    onReplay: (connection, kind) =>
      log.warn({ connection, kind }, 'a connection was revoked: its code or token was used twice'),
  }
  // Clients that run in browsers read these without cookies.
  const open = cors({ origin: '*', allowMethods: ['GET', 'POST'], maxAge: 7_200 })
  for (const path of ['/.well-known/*', OAUTH_PATHS.token, OAUTH_PATHS.register, OAUTH_PATHS.revoke])
    app.use(path, open)

  for (const name of ['oauth-authorization-server', 'openid-configuration'])
    app.get(`/.well-known/${name}`, (c) => c.json(serverMetadata(baseUrl(), operations.config)))
  app.get(`${OAUTH_PATHS.resource}/api/mcp/:name/:profile{chatgpt}?`, async (c) => {
    const calledAs = c.req.param('name') ?? ''
    const profile = c.req.param('profile')
    const server = await mcp.findServer(calledAs)
    // Clients would begin to sign in to a public server otherwise.
    if (server?.visibility !== 'private') return c.notFound()
    // The name of a private server is for those who may see it.
    return c.json(resourceMetadata(baseUrl(), profile === undefined ? calledAs : `${calledAs}/${profile}`))
  })
  if (operations.config.oauthAccount)
    app.get(OAUTH_PATHS.resource + ACCOUNT_PATH, (c) => c.json(resourceMetadata(baseUrl(), null)))
  app.post(OAUTH_PATHS.register, (c) =>
    answer(c, async () => {
      await limit(deps, c, 'register')
      return c.json(await registerClient({ store }, parseJson(await readBody(deps, c))), 201, NO_STORE)
    }),
  )
  app.post(OAUTH_PATHS.token, (c) =>
    answer(c, async () => {
      await limit(deps, c, 'token')
      return c.json(await exchange(by, new URLSearchParams(await readBody(deps, c))), 200, NO_STORE)
    }),
  )
  app.post(OAUTH_PATHS.revoke, (c) =>
    answer(c, async () => {
      await limit(deps, c, 'token')
      const form = new URLSearchParams(await readBody(deps, c))
      const { clientId, secret } = clientAuthenticationOf(form)
      await checkClient(store, clientId, secret)
      await revokeToken(by, form.get('token') ?? '', clientId)
      return c.json({}, 200, NO_STORE)
    }),
  )
  const documents = createClientDocuments({ net: operations.net, clock: operations.clock })
  app.get(OAUTH_PATHS.authorize, (c) => showAuthorization({ ...deps, documents }, c))
  app.post(OAUTH_PATHS.authorize, async (c) =>
    answerAuthorization({ ...deps, documents }, c, new URLSearchParams(await readBody(deps, c))),
  )
}

const NO_STORE = { 'cache-control': 'no-store' }

async function exchange(by: Exchanging, form: URLSearchParams) {
  const { clientId, secret } = clientAuthenticationOf(form)
  await checkClient(by.store, clientId, secret)
  const resource = form.get('resource')
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return exchangeCode(by, {
        code: form.get('code') ?? '',
        verifier: form.get('code_verifier') ?? '',
        redirectUri: form.get('redirect_uri') ?? '',
        clientId,
        resource,
      })
    case 'refresh_token':
      return exchangeRefresh(by, { refreshToken: form.get('refresh_token') ?? '', clientId, resource })
    default:
      throw new OAuthError('unsupported_grant_type', '`grant_type` is `authorization_code` or `refresh_token`.')
  }
}

/** Runs a handler and answers its refusals in the form of RFC 6749, section 5.2. */
async function answer(c: Context<Bindings>, handle: () => Promise<Response>): Promise<Response> {
  try {
    return await handle()
  } catch (error) {
    if (error instanceof OAuthError) return c.json(error.body, error.status, NO_STORE)
    throw error
  }
}

async function limit({ operations, mcp }: AppDeps, c: Context<Bindings>, what: keyof typeof LIMITS): Promise<void> {
  const network = clientAddress(c.env.incoming, mcp.trustedProxies)
  await enforceRateLimit(operations, { key: `oauth ${what} from:`, network, ...LIMITS[what] })
}

async function readBody({ bodies, mcp }: AppDeps, c: Context<Bindings>): Promise<string> {
  using body = new IncomingBody(c.env, bodies, clientAddress(c.env.incoming, mcp.trustedProxies))
  const text = await body.text(BODY_LIMIT)
  if (text === null) throw new DocentError('malformed_request')
  return text
}
