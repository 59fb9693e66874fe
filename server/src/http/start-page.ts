import { readFileSync } from 'node:fs'
import { RATE_LIMITS } from '@docent/contract/operations'
import { PLAN_NAMES } from '@docent/contract/operations/purchases'
import { limitInWords } from '@docent/contract/rate-limit'
import type { Context } from 'hono'
import { type Plan, planOf } from '#auth/plans.ts'
import { SOURCE_PRICE_CENTS } from '#billing/purchases.ts'
import { toDocentError } from '#errors.ts'
import { dataAt, docentCommand } from '#lib/place.ts'
import { run } from '#operations/run.ts'
import type { AppDeps } from './app.ts'
import { type Bindings, readVisitor } from './read-request.ts'

/** A page of this folder with its places filled in, such as `{title}`. The values are HTML. */
export const fillPage = (name: string, values: Record<string, string>): string =>
  readFileSync(dataAt(`http/${name}.html`), 'utf8').replaceAll(
    /\{(\w+)\}/g,
    (place, key: string) => values[key] ?? place,
  )

/** The start page for people: what the service is and what to do next. Uses no script. */
export const startPage = (base: string): string =>
  fillPage('start-page', { base: escape(base), command: docentCommand() })

const ROWS: readonly [about: string, value: (plan: Plan) => string][] = [
  ['Servers', ({ servers }) => amount(servers)],
  [
    'Sources on each server',
    ({ sourcesPerServer, trialSourcesOnFirstServer: trial }) =>
      amount(sourcesPerServer) + (trial === null ? '' : `, in the first 14 days ${trial} on the first server`),
  ],
  [
    'Indexed text on each server',
    ({ sourceBytesPerServer: bytes }) => (bytes === null ? 'without limit' : `${amount(bytes / 1_000_000)} MB`),
  ],
  ['MCP requests in a month, all servers together', ({ mcpRequestsPerMonth }) => amount(mcpRequestsPerMonth)],
  ['Custom tools', ({ customTools }) => amount(customTools)],
  ['Retrieval rules on each server', ({ rulesPerServer }) => amount(rulesPerServer)],
  [
    'Request log and analytics',
    ({ coreAnalytics }) => (coreAnalytics ? 'yes' : 'the summary; everything in the first 14 days'),
  ],
]

const SERVER_ID = /^srv_\w{1,40}$/

/**
 * The plan page for instances without the dashboard. `server`: the server id from the URL, unvalidated. `hasRates`:
 * whether rate limits apply.
 */
export function planPage(server = '', hasRates = true): string {
  const rows = ROWS.map(([about, value]) => {
    const cells = PLAN_NAMES.map((name) => `<td>${value(planOf(name))}</td>`).join('')
    return `<tr><th scope="row">${about}</th>${cells}</tr>`
  })
  return fillPage('plan-page', {
    head: PLAN_NAMES.map((name) => `<th scope="col">${name}</th>`).join(''),
    rows: rows.join('\n'),
    switch: hasRates ? '' : 'This instance has switched them off (<code>DOCENT_RATE_LIMITS</code>).',
    rates: RATE_LIMITS.map((rate) => `<li>${escape(limitInWords(rate))}</li>`).join('\n'),
    price: String(SOURCE_PRICE_CENTS / 100),
    serverId: SERVER_ID.test(server) ? server : 'SERVER_ID',
  })
}

const amount = (value: number | null): string => (value === null ? 'without limit' : value.toLocaleString('en'))

/** The page loads and runs nothing. The code in its URL is never passed on. */
export const NOTICE_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
}

/** OAuth callback page. It completes the link for the session that began it, and shows the result in one sentence. */
export async function answerCallback({ operations, mcp, log }: AppDeps, c: Context<Bindings>): Promise<Response> {
  const visitor = readVisitor(c, { baseUrl: operations.baseUrl(), trustedProxies: mcp.trustedProxies })
  // The browser comes from the host's page, so the request is cross-site. `state` proves that the same browser was sent
  // there.
  const call = { deps: operations, authorization: null, visitor: { ...visitor, sender: 'own' as const } }
  const host = c.req.param('host') ?? ''
  const { signal } = c.req.raw
  try {
    await run({ ...call, signal }, 'linkedAccounts.finish', { path: { host }, rest: c.req.query() })
    return c.html(
      notice('The account is linked', `Private repositories of ${host} can be indexed now.`),
      200,
      NOTICE_HEADERS,
    )
  } catch (cause) {
    const error = toDocentError(cause)
    if (error.code === 'internal') log.error({ err: error.cause }, 'a request failed')
    const why = error.code === 'unauthorized' ? 'You are not signed in to Docent in this browser.' : error.message
    return c.html(notice('The account was not linked', why), error.status, NOTICE_HEADERS)
  }
}

/** A page of one sentence. */
export const notice = (title: string, text: string): string => fillPage('notice-page', { title, text: escape(text) })

export const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
