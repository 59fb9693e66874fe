import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Operation } from '@docent/contract/operation'
import { takesBody } from '@docent/contract/takes-body'
import { clientNetwork } from '#lib/addresses/client-network.ts'
import type { Visitor, Given } from '#operations/operation.ts'
import { DocentError } from '#errors.ts'
import { isNestedDeeper } from '#lib/text/bounded-json.ts'
import { isObject } from '#lib/objects.ts'
import type { IncomingBody } from './incoming-body.ts'

/** Request bindings of the web framework: Node's own request and response. */
export type Bindings = { Bindings: HttpBindings }

/**
 * The network of a request, as counted by rate limits (`clientNetwork`). Each trusted proxy appends the address it saw
 * to X-Forwarded-For, so the caller is that many entries from the end. Earlier entries can be forged.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  trustedProxies: number,
): string {
  const peer = socket.remoteAddress ?? 'unknown'
  if (trustedProxies === 0) return clientNetwork(peer)
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
  return clientNetwork(forwarded.at(-trustedProxies)?.trim() || peer)
}

/** A controller that aborts if the connection closes before the response is sent. */
export function abortWhenLeft(outgoing: ServerResponse): AbortController {
  const controller = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort()
  })
  return controller
}

/** Browser identity of a request: the session cookie, and the site that sent the request. */
export function readVisitor(
  c: Context<Bindings>,
  { baseUrl, trustedProxies }: { baseUrl: string; trustedProxies: number },
): Visitor {
  const { protocol, origin } = new URL(baseUrl)
  const secure = protocol === 'https:'
  const name = cookieName(baseUrl)
  const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure } as const
  return {
    address: clientAddress(c.env.incoming, trustedProxies),
    userAgent: c.req.header('user-agent') ?? null,
    origin: c.req.header('origin') ?? null,
    sessionSecret: readSessionCookie(c, baseUrl),
    sender: senderOf(c, origin),
    keepSession: (secret, forMs) => setCookie(c, name, secret, { ...options, maxAge: Math.floor(forMs / 1000) }),
    forgetSession: () => setCookie(c, name, '', { ...options, maxAge: 0 }),
  }
}

export const readSessionCookie = (c: Context<Bindings>, baseUrl: string): string | null =>
  getCookie(c, cookieName(baseUrl)) ?? null

/** The prefix prevents other hosts of the domain from setting this cookie. */
const cookieName = (baseUrl: string): string =>
  baseUrl.startsWith('https:') ? '__Host-docent_session' : 'docent_session'

/**
 * The site that sent the request. Browsers report it in `Sec-Fetch-Site`. Older browsers, and plain HTTP, only send
 * `Origin`, which is ours if its host equals the requested host: https://words.filippo.io/csrf/.
 */
function senderOf(c: Context<Bindings>, ownOrigin: string): Visitor['sender'] {
  const site = c.req.header('sec-fetch-site')
  if (site === 'same-origin') return 'own'
  if (site === 'cross-site' || site === 'same-site') return 'foreign'
  const origin = c.req.header('origin')
  if (origin === undefined) return 'unknown'
  const host = URL.canParse(origin) ? new URL(origin).host : null
  return origin === ownOrigin || (host !== null && host === c.req.header('host')) ? 'own' : 'foreign'
}

/** Maximum bytes of a management request body. The longest legitimate body, 8 sources with labels, is far below. */
const BODY_LIMIT = 1024 * 1024
/** Maximum JSON depth of a body. Arguments of remote tools need slightly more than five; the stack holds thousands. */
export const DEPTH_LIMIT = 100

/**
 * Reads the parameters of a management request from the path, and from the body or the query. An unreadable body is not
 * an error yet: authentication and existence are checked first.
 */
export async function readParameters(c: Context, operation: Operation, incoming: IncomingBody | null): Promise<Given> {
  const { path, rest: query } = readQuery(c)
  if (!incoming || !takesBody(operation)) return { path, rest: query }
  const body = await readObject(incoming, { mayBeEmpty: operation.auth !== 'client' })
  return { path, rest: body instanceof DocentError ? body : { ...query, ...body } }
}

/** The parameters of a request without a body, or with a body that is read elsewhere. */
export function readQuery(c: Context): { path: Record<string, string>; rest: Record<string, unknown> } {
  return { path: withoutNul(c.req.param() as Record<string, string>), rest: withoutNul(c.req.query()) }
}

/** Programs that send nothing mean an empty object. A backend that mints tokens has lost its body. */
async function readObject(
  incoming: IncomingBody,
  { mayBeEmpty }: { mayBeEmpty: boolean },
): Promise<Record<string, unknown> | DocentError> {
  try {
    const text = await incoming.text(BODY_LIMIT)
    if (text === null || isNestedDeeper(text, DEPTH_LIMIT)) return new DocentError('invalid_json')
    const body: unknown = mayBeEmpty && text.trim() === '' ? {} : JSON.parse(text)
    if (!isObject(body)) return new DocentError('invalid_json')
    return text.includes('\\u0000') ? withoutNul(body) : body
  } catch (error) {
    if (error instanceof DocentError) return error
    if (error instanceof SyntaxError) return new DocentError('invalid_json')
    throw error
  }
}

/** Replaces every NUL in texts and member names by U+FFFD, as browsers do, because PostgreSQL cannot store it. */
export function withoutNul<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD') as T
  if (Array.isArray(value)) return value.map(withoutNul) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [withoutNul(name), withoutNul(member)])) as T
}
