import { createServer } from 'node:http'
import type { Hono } from 'hono'
import { routePath } from 'hono/route'
import { bearer } from '#auth/authenticate.ts'
import { hashSecret, sameHash } from '#auth/secret.ts'
import { DocentError } from '#errors.ts'
import type { Metrics } from '#analytics/metrics.ts'
import type { Traces } from '#analytics/traces.ts'
import type { Exchange } from './incoming-body.ts'
import type { Bindings } from './read-request.ts'

/** The metrics of this process. `token` opens them at the address of the service; null: only their own port does. */
export type ServedMetrics = Pick<Metrics, 'answered'> & {
  scrape: () => ReturnType<Metrics['scrape']>
  token: string | null
}

/** Reports a request when its answer has been sent or its client has left. */
export function measure(metrics: Pick<Metrics, 'answered'>, { incoming, outgoing }: Exchange, routeOf: () => string) {
  const begun = performance.now()
  outgoing.once('close', () => {
    const status = outgoing.writableFinished ? outgoing.statusCode : 499
    const seconds = (performance.now() - begun) / 1000
    metrics.answered({ method: incoming.method ?? '', route: routeOf(), status, seconds })
  })
}

/** Measures the requests of the app, and serves the metrics to whoever has their token. */
export function addMetrics(app: Hono<Bindings>, metrics: ServedMetrics): void {
  app.use(async (c, next) => {
    // After the answer, this is the route that gave it.
    measure(metrics, c.env, () => routePath(c) || 'none')
    await next()
  })
  if (metrics.token === null) return
  const expected = hashSecret(metrics.token)
  app.get('/metrics', async (c) => {
    const given = bearer(c.req.header('authorization'))
    if (given === null || !sameHash(hashSecret(given), expected)) throw new DocentError('unauthorized')
    const { type, text } = await metrics.scrape()
    return c.body(text, 200, { 'content-type': type, 'cache-control': 'no-store' })
  })
}

/** Names the spans of requests. */
export function addRoutes(app: Hono<Bindings>, traces: Pick<Traces, 'routed'>): void {
  app.use(async (c, next) => {
    await next()
    traces.routed(c.req.method, routePath(c) || 'none')
  })
}

/** The server of the metrics' own port. It asks for no token, so that the port must be closed to strangers. */
export const createMetricsServer = ({ scrape }: Pick<ServedMetrics, 'scrape'>, onError: (error: unknown) => void) =>
  createServer((incoming, outgoing) => {
    const isAsked = incoming.url?.split('?')[0] === '/metrics'
    if (!isAsked) outgoing.writeHead(404).end()
    else
      scrape().then(
        ({ type, text }) => outgoing.writeHead(200, { 'content-type': type }).end(text),
        (error: unknown) => {
          onError(error)
          outgoing.writeHead(500).end()
        },
      )
  })
