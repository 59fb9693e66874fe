import type { Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { z } from 'zod'
import { DocentError, toDocentError } from '#errors.ts'
import { beginProviderSignIn, finishProviderSignIn, returnAddress } from '#operations/account/provider-sign-ins.ts'
import type { AppDeps } from './app.ts'
import { IncomingBody } from './incoming-body.ts'
import { type Bindings, clientAddress, readVisitor } from './read-request.ts'
import { NOTICE_HEADERS, notice } from './start-page.ts'
import { toResponse } from './send-answer.ts'
import { parseJson } from '#lib/objects.ts'

/** Seconds for the way to the provider and back, with a password and a second factor. */
const ATTEMPT_SECONDS = 15 * 60
/** Bytes of an address to return to. Cookies have 4,096 in all. */
const LONGEST_NEXT = 2_000
const BODY_LIMIT = 1_000

/** What the browser keeps meanwhile. It came from the service or from the browser's owner, who gains nothing by it. */
const AttemptSchema = z.object({
  id: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  invitation: z.string().nullable(),
})
/** The addresses by which browsers sign in with a provider. */
export function addProviderSignIn(app: Hono<Bindings>, deps: AppDeps): void {
  app.get('/oidc/:id/start', (c) =>
    orNotice(deps, c, async () => {
      return c.redirect(await begin(deps, c, { next: c.req.query('next'), invitation: null }), 303)
    }),
  )
  // A page sends the secret of an invitation in a body, so that no log has it, and goes to the address itself.
  app.post('/oidc/:id/start', async (c) => {
    try {
      return c.json({ url: await begin(deps, c, { invitation: await readInvitation(deps, c) }) }, 200, NO_STORE)
    } catch (error) {
      return toResponse(c, toDocentError(error))
    }
  })
  app.get('/oidc/:id/callback', (c) => orNotice(deps, c, () => finish(deps, c)))
}

const NO_STORE = { 'cache-control': 'no-store' }

async function begin(
  deps: AppDeps,
  c: Context<Bindings>,
  { next = '/', invitation }: { next?: string | undefined; invitation: string | null },
): Promise<string> {
  const id = c.req.param('id') ?? ''
  const { url, attempt } = await beginProviderSignIn(deps.operations, visitorOf(deps, c), id)
  keep(deps, c, { ...attempt, id, next: next.length > LONGEST_NEXT ? '/' : next, invitation })
  return url
}

async function finish(deps: AppDeps, c: Context<Bindings>): Promise<Response> {
  const { operations } = deps
  const { data: kept } = AttemptSchema.safeParse(readKept(deps, c))
  keep(deps, c, null)
  const id = c.req.param('id') ?? ''
  if (kept?.id !== id) {
    const text = 'This sign-in was begun in another browser, or more than 15 minutes ago. Begin again.'
    throw new DocentError('not_permitted', { text })
  }
  const returned = new URL(returnAddress(operations, id))
  returned.search = new URL(c.req.url).search
  await finishProviderSignIn(operations, visitorOf(deps, c), { ...kept, returned, attempt: kept })
  return c.redirect(ownAddress(operations.baseUrl(), kept.next), 303)
}

/** The whole address, because a path can begin like the name of another host. */
function ownAddress(baseUrl: string, next: string): string {
  const url = URL.canParse(next, baseUrl) ? new URL(next, baseUrl) : null
  return url?.origin === new URL(baseUrl).origin ? url.href : `${baseUrl}/`
}

const visitorOf = ({ operations, mcp }: AppDeps, c: Context<Bindings>) =>
  readVisitor(c, { baseUrl: operations.baseUrl(), trustedProxies: mcp.trustedProxies })

/** The prefix prevents other hosts of the domain from setting this cookie. */
const cookieName = (isSecure: boolean) => (isSecure ? '__Host-docent_sign_in' : 'docent_sign_in')
const isSecure = ({ operations }: AppDeps): boolean => operations.baseUrl().startsWith('https:')

function keep(deps: AppDeps, c: Context<Bindings>, attempt: z.output<typeof AttemptSchema> | null): void {
  const secure = isSecure(deps)
  const text = attempt === null ? '' : Buffer.from(JSON.stringify(attempt)).toString('base64url')
  const maxAge = attempt === null ? 0 : ATTEMPT_SECONDS
  setCookie(c, cookieName(secure), text, { path: '/', httpOnly: true, sameSite: 'Lax', secure, maxAge })
}

function readKept(deps: AppDeps, c: Context<Bindings>): unknown {
  return parseJson(Buffer.from(getCookie(c, cookieName(isSecure(deps))) ?? '', 'base64url').toString())
}

async function readInvitation(deps: AppDeps, c: Context<Bindings>): Promise<string> {
  if (visitorOf(deps, c).sender === 'foreign') throw new DocentError('origin_not_allowed')
  using body = new IncomingBody(c.env, deps.bodies, clientAddress(c.env.incoming, deps.mcp.trustedProxies))
  const { data } = z.object({ invitation: z.string() }).safeParse(parseJson((await body.text(BODY_LIMIT)) ?? ''))
  if (!data) throw new DocentError('invalid_input', { text: 'invitation is missing.' })
  return data.invitation
}

/** The messages of an error and its causes, without their other properties, which have claims of the person. */
function whyOf(cause: unknown): string {
  return cause instanceof Error ? [cause.message, whyOf(cause.cause)].filter(Boolean).join(' ') : ''
}

/** A browser at these addresses cannot read JSON. */
async function orNotice(deps: AppDeps, c: Context<Bindings>, handle: () => Promise<Response>): Promise<Response> {
  try {
    return await handle()
  } catch (thrown) {
    const error = toDocentError(thrown)
    const { code, cause } = error
    if (code === 'internal') deps.log.error({ err: cause }, 'a request failed')
    else if (cause !== undefined) deps.log.warn({ why: whyOf(cause) }, 'a sign-in with a provider failed')
    return c.html(notice('You are not signed in', error.message), error.status, NOTICE_HEADERS)
  }
}
