import type { IncomingMessage } from 'node:http'
import type { Method, Operation } from '@docent/contract/operation'
import { ACCOUNT_ENDPOINT_PATH } from '@docent/contract/account-tool'
import { type OperationId, operations } from '@docent/contract/operations'
import { DocentError } from '#errors.ts'

/** A way to an operation, or to an MCP endpoint: that of a hosted server or that of the account. */
export type Route = { method: Method; path: string; to: OperationId | 'hosted server' | 'chatgpt' | 'account' }

const HOSTED = '/api/mcp/'

/** All routes under `/api`. A fixed segment wins over a parameter: `/api/mcp/list` is never a server called "list". */
export const ROUTES: readonly Route[] = [
  ...Object.entries(operations).flatMap(([id, operation]) => routesOf(id as OperationId, operation)),
  { method: 'POST', path: `${HOSTED}:id`, to: 'hosted server' } satisfies Route,
  { method: 'POST', path: `${HOSTED}:id/chatgpt`, to: 'chatgpt' } satisfies Route,
  { method: 'POST', path: ACCOUNT_ENDPOINT_PATH, to: 'account' } satisfies Route,
].toSorted(fixedSegmentsFirst)

const HOSTED_PATH = new RegExp(`^${HOSTED}([\\w-]{1,80})$`)
const FIXED_PATHS: ReadonlySet<string> = new Set(ROUTES.map(({ path }) => path).filter((path) => !path.includes(':')))
/** Hosts that need no parsing by the framework. */
const PLAIN_HOST = /^[a-z\d.-]+(?::(?:\d{1,4}|[1-5]\d{4}))?$/

/** The hosted server that a request calls in its usual form. Null for any other request, which the framework reads. */
export function hostedServerOf({ method, url, headers }: IncomingMessage): string | null {
  if (method !== 'POST' || url === undefined || !PLAIN_HOST.test(headers.host ?? '')) return null
  const name = HOSTED_PATH.exec(url)?.[1]
  return name === undefined || FIXED_PATHS.has(url) ? null : name
}

/** Orders routes so that the first one that matches an address is the most specific. */
function fixedSegmentsFirst(a: Route, b: Route): number {
  const [one, other] = [parametersLast(a), parametersLast(b)]
  return one < other ? -1 : Number(one > other)
}

function parametersLast({ path }: Route): string {
  return path.replace(/:\w+/g, '\uffff')
}

function routesOf(id: OperationId, { method, path, aliases = [] }: Operation): Route[] {
  return [{ method, path }, ...aliases].map((way) => ({ ...way, to: id, path: way.path.replace(/\{(\w+)\}/g, ':$1') }))
}

const REGISTER = /^\/(?:oauth\/)?register\/?$/
const ENDPOINT = /^\/(?:oauth\/)?(?:authorize|token|revoke)\/?$/
const DOCUMENT = /\/\.well-known\/(?:oauth-|openid-configuration)/

const NO_OAUTH =
  'There is no OAuth at this address. A private server needs one of its access tokens as "Authorization: Bearer <ACCESS_TOKEN>", the endpoint of the account an API key, and a public server nothing.'

/**
 * Error for an unknown path. Refused MCP clients probe for OAuth and show users the `error_description` (RFC 6749,
 * section 5.2; RFC 7591, section 3.2.2). After a 404 for a registration, mcp-remote would show a 405 of its next attempt.
 */
export function notFoundError(path: string): DocentError {
  const description = { error_description: NO_OAUTH }
  if (REGISTER.test(path))
    return new DocentError('not_permitted', { text: 'Clients cannot register here.', fields: description })
  const isProbe = ENDPOINT.test(path) || DOCUMENT.test(path)
  return new DocentError('not_found', isProbe ? { fields: description } : {})
}
