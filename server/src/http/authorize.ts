import type { Role } from '@docent/contract/values/permissions'
import type { Context } from 'hono'
import { findSession } from '#auth/sessions.ts'
import { DocentError, toDocentError } from '#errors.ts'
import { type Asked, type Wish, answerAddress, grant, readAsked, readWish, redirectOf } from '#oauth/authorize.ts'
import type { ClientDocuments } from '#oauth/client-documents.ts'
import { type Client, findClient } from '#oauth/clients.ts'
import { OAUTH_PATHS, resourceOf } from '#oauth/metadata.ts'
import { OAuthError } from '#oauth/oauth-error.ts'
import { scopesOf } from '#oauth/scopes.ts'
import type { Visitor } from '#operations/operation.ts'
import { enforceRateLimit } from '#operations/rate-limits.ts'
import { run } from '#operations/run.ts'
import { wasGranted } from '#store/accounts/grants.ts'
import { findPerson } from '#store/accounts/people.ts'
import type { AppDeps } from './app.ts'
import { type Bindings, readVisitor } from './read-request.ts'
import { escape, fillPage } from './start-page.ts'

type Deps = AppDeps & { documents: ClientDocuments }

/** A person, signed in to Docent in this browser. */
type Person = { accountId: string; personId: string; email: string; role: Role; serverIds: ReadonlySet<string> | null }

/** Shows who wants what, or first how to sign in. Nothing is granted by an address alone. */
export function showAuthorization(deps: Deps, c: Context<Bindings>): Promise<Response> {
  return answerPage(deps, c, async (visitor) => {
    const asked = readAsked(new URL(c.req.url).searchParams)
    const person = await personOf(deps, visitor)
    return person ? showConsent(deps, c, asked, person) : page(c, signInPage(deps, asked))
  })
}

/** Answers the forms of the pages, which only the pages themselves may send. */
export function answerAuthorization(deps: Deps, c: Context<Bindings>, form: URLSearchParams): Promise<Response> {
  return answerPage(deps, c, async (visitor) => {
    if (visitor.sender !== 'own') throw new DocentError('origin_not_allowed')
    const asked = readAsked(form)
    const decision = form.get('decision')
    if (decision === 'sign in') return signIn(deps, c, { visitor, asked, form })
    const person = await personOf(deps, visitor)
    if (decision === 'switch' || !person) {
      if (person) await callOperation(deps, c, visitor, 'sessions.end', {})
      return again(c, asked)
    }
    const checked = await check(deps, c, asked, person)
    if (checked instanceof Response) return checked
    const { client, wish, serverId } = checked
    const baseUrl = deps.operations.baseUrl()
    if (decision !== 'allow') return c.redirect(answerAddress(baseUrl, wish, { error: 'access_denied' }), 303)
    const code = await grant(deps.operations.store, { ...person, serverId, client, wish })
    deps.log.info({ account: person.accountId, client: client.id, server: serverId }, 'a client was connected')
    return c.redirect(answerAddress(baseUrl, wish, { code }), 303)
  })
}

async function showConsent(deps: Deps, c: Context<Bindings>, asked: Asked, person: Person): Promise<Response> {
  const checked = await check(deps, c, asked, person)
  if (checked instanceof Response) return checked
  const { client, wish, serverId } = checked
  const { store } = deps.operations
  const about = { clientId: client.id, redirectUri: wish.redirectUri, scope: wish.scope }
  const key = { personId: person.personId, serverId, ...about, lastUsedAt: null, revokedAt: null }
  return page(c, consentPage(asked, { ...checked, person, isKnown: await wasGranted(store.read, key) }))
}

/** Descriptions of clients that one person makes the service fetch. Clients are few, and are kept for a while. */
const DOCUMENTS = { limit: 20, windowMs: 60_000, of: 'descriptions of applications' } as const

/** Without a server, the request is for the whole account. */
type Checked = { client: Client; wish: Wish; serverId: string | null; serverName: string | null; address: string }

/** Checks a request. Returns the answer for the client if it is at fault; throws if nobody must be sent there. */
async function check(deps: Deps, c: Context<Bindings>, asked: Asked, person: Person): Promise<Checked | Response> {
  const { store, baseUrl, config } = deps.operations
  const admit = () => enforceRateLimit(deps.operations, { key: `oauth documents of:${person.personId}`, ...DOCUMENTS })
  const client = await findClient({ store, documents: deps.documents, admit }, asked.client_id ?? '', c.req.raw.signal)
  const redirectUri = redirectOf(client, asked)
  let wish: Wish
  try {
    wish = readWish(baseUrl(), config.oauthAccount, asked, redirectUri)
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const { state = null } = asked
    return c.redirect(answerAddress(baseUrl(), { redirectUri, state }, error.body), 303)
  }
  const address = resourceOf(baseUrl(), wish.calledAs)
  if (wish.calledAs === null) return { client, wish, serverId: null, serverName: null, address }
  const server = await deps.mcp.findServer(wish.calledAs)
  const isSeen = server?.accountId === person.accountId && (person.serverIds?.has(server.id) ?? true)
  if (!isSeen || server.visibility !== 'private') {
    throw new OAuthError('access_denied', `The account ${person.email} has no private server at ${address}.`)
  }
  return { client, wish, serverId: server.id, serverName: server.name, address }
}

async function personOf({ operations }: Deps, { sessionSecret }: Visitor): Promise<Person | null> {
  const { store, clock, noteUse } = operations
  const actor = await findSession(store.read, sessionSecret, clock())
  if (!actor) return null
  const { accountId, personId, role, serverIds, credential } = actor
  const person = personId === null ? null : await findPerson(store.read, personId)
  noteUse({ kind: 'session', id: credential.id })
  return person ? { accountId, personId: person.id, email: person.email, role, serverIds } : null
}

type SigningIn = { visitor: Visitor; asked: Asked; form: URLSearchParams }

async function signIn(deps: Deps, c: Context<Bindings>, { visitor, asked, form }: SigningIn): Promise<Response> {
  const given = { email: form.get('email') ?? '', password: form.get('password') ?? '' }
  try {
    await callOperation(deps, c, visitor, 'sessions.create', given)
  } catch (cause) {
    const error = toDocentError(cause)
    if (error.code === 'internal') throw cause
    return page(c, signInPage(deps, asked, { email: given.email, problem: error.message }), error.status)
  }
  return again(c, asked)
}

function callOperation(
  { operations }: Deps,
  c: Context<Bindings>,
  visitor: Visitor,
  id: 'sessions.create' | 'sessions.end',
  rest: Record<string, unknown>,
): Promise<unknown> {
  return run({ deps: operations, authorization: null, visitor, signal: c.req.raw.signal }, id, { path: {}, rest })
}

/** Shows the request again, now that the browser is signed in or out. */
const again = (c: Context<Bindings>, asked: Asked): Response =>
  c.redirect(`${OAUTH_PATHS.authorize}?${new URLSearchParams(asked).toString()}`, 303)

/** A page, and one with the reason if there is none. A browser at this address cannot read JSON. */
async function answerPage(
  { operations, mcp, log }: Deps,
  c: Context<Bindings>,
  handle: (visitor: Visitor) => Promise<Response>,
): Promise<Response> {
  const visitor = readVisitor(c, { baseUrl: operations.baseUrl(), trustedProxies: mcp.trustedProxies })
  try {
    return await handle(visitor)
  } catch (cause) {
    if (cause instanceof OAuthError) return page(c, problemPage(cause.message), cause.status)
    const error = toDocentError(cause)
    if (error.code === 'internal') log.error({ err: error.cause }, 'a request failed')
    return page(c, problemPage(error.message), error.status)
  }
}

/** The pages run nothing and load nothing, and no other page can frame them. */
const HEADERS = {
  'cache-control': 'no-store',
  // Without the origin, browsers on plain HTTP send none with the form, which is then refused.
  'referrer-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
}

const page = (
  c: Context<Bindings>,
  { title, body }: Page,
  status: DocentError['status'] | OAuthError['status'] | 200 = 200,
) => c.html(fillPage('authorize-page', { title: escape(title), body }), status, HEADERS)

/** `body` is HTML. */
type Page = { title: string; body: string }

const problemPage = (problem: string): Page => ({
  title: 'This cannot be connected',
  body: `<p>${escape(problem)}</p><p class="muted">Nothing was allowed. Close this page, and begin anew in the application.</p>`,
})

const hidden = (asked: Asked): string =>
  Object.entries(asked)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escape(value)}" />`)
    .join('')

/** Addresses that sign in with a provider and come back to the request. */
function providerLinks({ operations }: Deps, asked: Asked): string {
  const next = encodeURIComponent(`${OAUTH_PATHS.authorize}?${new URLSearchParams(asked).toString()}`)
  const links = [...operations.signInProviders.values()].map(
    ({ settings: { id, name } }) =>
      `<p><a class="button" href="/oidc/${id}/start?next=${next}">Sign in with ${escape(name)}</a></p>`,
  )
  return links.join('\n')
}

function signInPage(
  deps: Deps,
  asked: Asked,
  { email, problem }: { email: string; problem: string | null } = { email: '', problem: null },
): Page {
  const failed = problem === null ? '' : `<p role="alert" class="problem" id="problem">${escape(problem)}</p>`
  const described = problem === null ? '' : ' aria-describedby="problem" aria-invalid="true"'
  const { passwordSignIn } = deps.operations.config
  const form = `<form method="post" action="${OAUTH_PATHS.authorize}">${hidden(asked)}
<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${escape(email)}"${described} />
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${described} />
<p><button name="decision" value="sign in">Sign in</button></p></form>`
  return {
    title: 'Sign in to Docent',
    body: `<p>An application wants to use your servers. Sign in to see which ones and what for.</p>
${failed}${providerLinks(deps, asked)}${passwordSignIn ? form : ''}`,
  }
}

function consentPage(
  asked: Asked,
  { client, wish, serverName, address, person, isKnown }: Checked & { person: Person; isKnown: boolean },
): Page {
  const words = scopesOf(wish.calledAs)
  const scopes = wish.scope.split(' ').map((scope) => `<li>${words[scope]}</li>`)
  const asks = wish.scope.includes('publish') ? 'It asks in the dashboard before it publishes or deletes.' : ''
  const whose =
    client.host === null
      ? 'It gave itself this name, which nobody has checked.'
      : `It is run by <strong>${escape(client.host)}</strong>.`
  const reach =
    serverName === null
      ? `<dt>Reaches</dt><dd><strong>Your whole account</strong>${person.serverIds ? ', as far as you see it' : ''}, with your role: ${person.role}`
      : `<dt>Server</dt><dd><strong>${escape(serverName)}</strong>`
  return {
    title: `Connect ${client.name} to ${serverName ?? 'your whole account'}?`,
    body: `<dl>
<dt>Application</dt><dd><strong>${escape(client.name)}</strong>. ${whose}</dd>
<dt>Returns to</dt><dd>${escape(returnWords(wish.redirectUri))}</dd>
${reach}<br /><code>${escape(address)}</code></dd>
<dt>It may</dt><dd><ul>${scopes.join('')}</ul>${asks}</dd>
<dt>Signed in as</dt><dd>${escape(person.email)}</dd>
</dl>
${isKnown ? '<p class="muted">You have allowed this before.</p>' : ''}<p class="muted">You can end it at any time, under Keys.</p>
<form method="post" action="${OAUTH_PATHS.authorize}">${hidden(asked)}
<p><button name="decision" value="allow">Allow</button> <button class="plain" name="decision" value="deny">Do not allow</button></p>
<p><button class="link" name="decision" value="switch">Use another account</button></p></form>`,
  }
}

/** Where the browser goes next. A program on this machine is whichever listens there. */
function returnWords(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  if (protocol === 'http:') return `a program on this computer (${host})`
  return protocol === 'https:' ? host : `an application on this computer (${protocol}//)`
}
