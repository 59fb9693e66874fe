import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Visitor } from '#operations/operation.ts'
import type { Bindings } from './bindings.ts'
import { clientAddress } from './client-address.ts'

type Here = { baseUrl: string; trustedProxies: number }

/** Browser identity of a request: the session cookie, and the site that sent the request. */
export function readVisitor(c: Context<Bindings>, { baseUrl, trustedProxies }: Here): Visitor {
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

/** The secret of the session cookie. */
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
