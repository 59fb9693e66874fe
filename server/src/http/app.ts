import { setTimeout as sleep } from 'node:timers/promises'
import type { Operation } from '@docent/contract/operation'
import { type OperationId, operations } from '@docent/contract/operations'
import { takesBody } from '@docent/contract/takes-body'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { DocentError, toDocentError } from '#errors.ts'
import { BUILD, VERSION } from '#version.ts'
import { findSession } from '#auth/sessions.ts'
import { isPermitted, run } from '#operations/run.ts'
import type { Log } from '#log.ts'
import type { OperationDeps } from '#operations/operation.ts'
import {
  abortWhenLeft,
  type Bindings,
  clientAddress,
  readParameters,
  readQuery,
  readSessionCookie,
  readVisitor,
} from './read-request.ts'
import {
  acceptsHtml,
  addDashboard,
  type Dashboard,
  type MayRead,
  createWidgetScript,
  sendPage,
} from './browser-files.ts'
import { addDocuments } from './documents.ts'
import { answerJson, answerList, streamAnswer, toResponse } from './send-answer.ts'
import { answerCallback, planPage, startPage } from './start-page.ts'
import { notFoundError, ROUTES, type Route } from './routes.ts'
import { addDiscovery } from './discovery.ts'
import { addServerPages } from './server-pages.ts'
import { addProviderSignIn } from './provider-sign-in.ts'
import { addAuthorizationServer } from './authorization-server.ts'
import { type ServedMetrics, addMetrics, addRoutes } from './metrics.ts'
import type { Traces } from '#analytics/traces.ts'
import { handleMcp, preflightMcp, type McpEndpoints } from './mcp-handler.ts'
import { IncomingBody, type Bodies } from './incoming-body.ts'
import type { AccountEndpointOf } from './account/account-endpoint.ts'

export type AppDeps = {
  operations: OperationDeps
  mcp: McpEndpoints
  accountMcp: AccountEndpointOf
  /** The built dashboard. Null: it is off, or was not built. */
  dashboard: Dashboard | null
  bodies: Bodies
  /** Clients may connect to private servers by OAuth. */
  oauth: boolean
  /** External address of the SDK interface, if it has its own. */
  sdkUrl: string | null
  /** Id of the configuration of the widget on the pages of the documentation. Null: they have none. */
  documentsWidget: string | null
  /** Aborted on shutdown. */
  stopping: AbortSignal
  log: Log
  /** Null: no settings ask for metrics. */
  metrics: ServedMetrics | null
  /** Null: no setting names a collector. */
  traces: Pick<Traces, 'request' | 'routed'> | null
  /** Whether the store answers, and takes changes. Serves `/readyz`. */
  readiness: () => Promise<'ok' | 'read-only' | 'no database'>
}

/** Creates the HTTP app of the service. Under `/api` every response is JSON, including errors. */
export function createApp(deps: AppDeps): Hono<Bindings> {
  const app = new Hono<Bindings>({ strict: false })
  if (deps.metrics) addMetrics(app, deps.metrics)
  if (deps.traces) addRoutes(app, deps.traces)
  // Widgets are on pages of other sites. They send no cookies, and the configuration decides which pages may use it.
  app.use('/api/embed/*', cors({ origin: '*', allowMethods: ['GET', 'POST'], maxAge: PREFLIGHT_SECONDS }))
  app.use('/api/embed/*', async (c, next) => {
    await next()
    const isForeign = c.error instanceof DocentError && c.error.code === 'origin_not_allowed'
    if (isForeign) c.res.headers.delete('access-control-allow-origin')
  })
  for (const path of new Set(ROUTES.map((route) => route.path))) {
    const here = ROUTES.filter((route) => route.path === path)
    if (here.some(({ to }) => isMcp(to))) {
      app.use(path, async (c, next) => preflightMcp(deps.mcp, c) ?? next())
    }
    for (const { method, to } of here) {
      app.on(method, path, (c) => (isMcp(to) ? callMcp(deps, c, to) : callOperation(deps, c, to)))
    }
    const allow = here.map(({ method }): string => method).toSorted()
    app.all(path, () => {
      throw new DocentError('method_not_allowed', { headers: { allow: allow.join(', ') } })
    })
  }

  addServerPages(app, deps)
  addDiscovery(app, deps)
  addDocuments(app, { ...deps, hasPages: deps.dashboard !== null, baseUrl: deps.operations.baseUrl })
  if (deps.oauth) addAuthorizationServer(app, deps)
  if (deps.operations.signInProviders.size > 0) addProviderSignIn(app, deps)
  app.get('/oauth/:host/callback', (c) => answerCallback(deps, c))
  // Browsers get the screen of the dashboard, if there is one.
  app.get('/plan', (c, next) =>
    deps.dashboard && acceptsHtml(c)
      ? next()
      : c.html(planPage(c.req.query('server'), deps.operations.config.rateLimits)),
  )
  const pages = deps.dashboard && { dashboard: deps.dashboard, mayRead: permissionsFor(deps.operations) }
  if (pages) addDashboard(app, pages)
  else
    app.get('/', (c) =>
      acceptsHtml(c) ? c.html(startPage(deps.operations.baseUrl()), 200, { vary: 'Accept' }) : c.notFound(),
    )
  app.get('/embed/docent.js', createWidgetScript())
  app.get('/healthz', (c) => c.json({ status: 'ok', version: VERSION, ...BUILD }))
  app.get('/readyz', async (c) => {
    const status = await deps.readiness()
    return c.json({ status }, status === 'no database' ? 503 : 200)
  })
  app.notFound((c) => (pages && isForPeople(c) ? sendPage(c, pages, 404) : toResponse(c, notFoundError(c.req.path))))
  app.onError((cause, c) => {
    const error = toDocentError(cause)
    if (error.code === 'internal') deps.log.error({ err: error.cause }, 'a request failed')
    return toResponse(c, error)
  })
  return app
}

/** A page does not wait longer for the database to say who asks. Its queries then say what they are refused for. */
const SESSION_MS = 100

function permissionsFor({ store, clock, baseUrl }: OperationDeps) {
  return async (c: Context<Bindings>): Promise<MayRead> => {
    const secret = readSessionCookie(c, baseUrl())
    const everything = () => true
    const asked = findSession(store.read, secret, clock()).then(
      (actor): MayRead => actor && ((id) => isPermitted(actor, id)),
      () => everything,
    )
    return Promise.race([asked, sleep(SESSION_MS, everything, { ref: false })])
  }
}

/** An address that a browser opens. Under `/api` every response is JSON. */
const isForPeople = (c: Context<Bindings>): boolean =>
  c.req.method === 'GET' && acceptsHtml(c) && !/^\/api(?:\/|$)/.test(c.req.path)

type McpRoute = Exclude<Route['to'], OperationId>

const isMcp = (to: Route['to']): to is McpRoute => to === 'hosted server' || to === 'chatgpt' || to === 'account'

async function callMcp(deps: AppDeps, c: Context<Bindings>, to: McpRoute): Promise<Response> {
  const name = c.req.param('id') ?? ''
  await handleMcp(deps, to === 'account' ? null : to === 'chatgpt' ? `${name}/${to}` : name, c.env)
  return RESPONSE_ALREADY_SENT
}

async function callOperation(deps: AppDeps, c: Context<Bindings>, id: OperationId): Promise<Response> {
  const ended = abortWhenLeft(c.env.outgoing)
  const call = {
    signal: ended.signal,
    deps: deps.operations,
    authorization: c.req.header('authorization') ?? null,
    showNext: (cursor: string) => linkNext(c, cursor),
    idempotencyKey: c.req.header('idempotency-key') ?? null,
    visitor: readVisitor(c, { baseUrl: deps.operations.baseUrl(), trustedProxies: deps.mcp.trustedProxies }),
  }
  const operation: Operation = operations[id]
  using body = openBody(deps, c, operation)
  let answer: unknown
  try {
    answer =
      operation.consumes && body
        ? await run(
            { ...call, body: { declared: body.declared, chunks: body.pieces(), headers: c.req.header() } },
            id,
            readQuery(c),
          )
        : await run(call, id, () => readParameters(c, operation, body))
  } catch (error) {
    // The caller has disconnected. 499 is the usual status in proxy logs.
    if (ended.signal.aborted && error === ended.signal.reason) return new Response(null, { status: 499 })
    if (id === 'servers.get' && call.authorization === null) throw explainingEndpoint(deps, c, error)
    throw operation.consumes ? closing(error) : error
  }
  if (!operation.produces) {
    if (Symbol.asyncIterator in (answer as object)) return answerList(c, answer as AsyncIterable<unknown[]>)
    return answerJson(c, answer as object)
  }
  // A HEAD response has no body, so stop generating it.
  if (c.req.raw.method === 'HEAD') ended.abort()
  const format = c.req.query('format')
  return streamAnswer(c, operation, { items: answer as AsyncIterable<unknown>, format, stopping: deps.stopping })
}

/** The refusal of somebody who opens the address of a hosted server in a browser. */
function explainingEndpoint({ operations: { baseUrl } }: AppDeps, c: Context<Bindings>, error: unknown): unknown {
  const isRefusal = error instanceof DocentError && error.code === 'unauthorized'
  if (!isRefusal || !acceptsHtml(c)) return error
  return new DocentError('mcp_endpoint', { fields: { docsUrl: `${baseUrl()}/docs/clients` } })
}

/** Header with the address of the next page of a list (RFC 8288). */
function linkNext(c: Context<Bindings>, cursor: string): void {
  const { pathname, searchParams } = new URL(c.req.url)
  searchParams.set('cursor', cursor)
  c.header('link', `<${pathname}?${searchParams.toString()}>; rel="next"`)
}

/** The request body, if the operation has one. Opened early, so that Node itself buffers little of it. */
function openBody({ mcp, bodies }: AppDeps, c: Context<Bindings>, operation: Operation): IncomingBody | null {
  if (!operation.consumes && !takesBody(operation)) return null
  return new IncomingBody(c.env, bodies, clientAddress(c.env.incoming, mcp.trustedProxies))
}

/** After a refusal with an unread body, the connection cannot carry another request. */
function closing(thrown: unknown): DocentError {
  const { code, message: text, fields, headers, cause } = toDocentError(thrown)
  return new DocentError(code, { text, fields, headers: { ...headers, connection: 'close' }, cause })
}

/** Browsers keep a preflight answer for at most two hours. */
const PREFLIGHT_SECONDS = 7_200
