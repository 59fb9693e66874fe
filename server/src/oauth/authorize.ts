import { newId } from '#lib/ids.ts'
import { newSecret } from '#auth/secret.ts'
import type { Store } from '#store/db.ts'
import { insertAuditEntry } from '#store/accounts/audit.ts'
import { deleteOldestGrants, insertGrant, insertOAuthToken, noteClientUse } from '#store/accounts/grants.ts'
import type { Client } from './clients.ts'
import { calledAsIn } from './metadata.ts'
import { OAuthError } from './oauth-error.ts'
import { allowsRedirect } from './redirects.ts'
import { type CalledAs, readScope } from './scopes.ts'

/** Names of the parameters of an authorization request that matter here. */
const PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'scope',
  'resource',
  'code_challenge',
  'code_challenge_method',
] as const

/** An authorization request as it was sent: its parameters by name. */
export type Asked = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>

/** Reads the parameters of an authorization request. Throws `invalid_request` if one is given twice. */
export function readAsked(parameters: URLSearchParams): Asked {
  const asked: Partial<Record<(typeof PARAMETERS)[number], string>> = {}
  for (const name of PARAMETERS) {
    const [value, ...more] = parameters.getAll(name)
    if (more.length > 0) throw new OAuthError('invalid_request', `The address has \`${name}\` twice.`)
    if (value !== undefined && value !== '') asked[name] = value
  }
  return asked
}

/** A checked request: what the person is asked to allow. */
export type Wish = { redirectUri: string; state: string | null; scope: string; challenge: string; calledAs: CalledAs }

/** The redirect address of a request, if it is one of the client. Throws: the person must not be sent anywhere then. */
export function redirectOf(client: Client, { redirect_uri: given }: Asked): string {
  if (given === undefined) throw new OAuthError('invalid_request', 'The application did not say where to return to.')
  if (allowsRedirect(client.redirectUris, given)) return given
  throw new OAuthError(
    'invalid_redirect_uri',
    `The application wants to return to an address that is not its own: ${given.slice(0, 200)}`,
  )
}

/** Base64url of a SHA-256 (RFC 7636, section 4.2). */
const CHALLENGE = /^[\w-]{43}$/

/** Checks the rest of a request. Its errors are for the client, at its redirect address. */
export function readWish(baseUrl: string, oauthAccount: boolean, asked: Asked, redirectUri: string): Wish {
  if (asked.response_type !== 'code') {
    throw new OAuthError('unsupported_response_type', '`response_type` must be `code`.')
  }
  if (asked.code_challenge_method !== 'S256' || !CHALLENGE.test(asked.code_challenge ?? '')) {
    throw new OAuthError('invalid_request', 'PKCE is needed: a `code_challenge` with `code_challenge_method` `S256`.')
  }
  const calledAs = calledAsIn(baseUrl, asked.resource ?? '')
  if (calledAs === undefined || (calledAs === null && !oauthAccount)) {
    throw new OAuthError('invalid_target', '`resource` must be the address of a private server of this service.')
  }
  const { state = null, code_challenge: challenge = '' } = asked
  return { redirectUri, state, scope: readScope(calledAs, asked.scope ?? null), challenge, calledAs }
}

/** Milliseconds until a code expires. Clients exchange it at once. */
export const CODE_MS = 60_000
/** Connections of an account. The oldest end when there are more. */
const MOST_GRANTS = 200

/** Without a server, the whole account is allowed. */
type Allowed = { accountId: string; personId: string; serverId: string | null; client: Client; wish: Wish }

/** What a connection is for, in the words of the audit log. */
export const thingOf = ({ accountId, serverId }: { accountId: string; serverId: string | null }) =>
  serverId === null ? { thing: 'account', thingId: accountId } : { thing: 'server', thingId: serverId }

/** Stores what a person allowed, and returns the one-use code for the client. */
export async function grant(store: Store, { accountId, personId, serverId, client, wish }: Allowed): Promise<string> {
  const { plaintext, hash } = newSecret('doc_')
  const now = store.clock()
  const id = newId('con')
  const { redirectUri, scope, challenge } = wish
  await store.transaction(async (tx) => {
    const about = { clientId: client.id, clientName: client.name, redirectUri, scope }
    await insertGrant(tx, { id, accountId, personId, serverId, ...about, createdAt: now })
    await insertAuditEntry(tx, {
      accountId,
      personId,
      at: now,
      action: 'connections.create',
      credential: 'connection',
      credentialId: id,
      ...thingOf({ accountId, serverId }),
      details: JSON.stringify({ client: client.name }),
    })
    await insertOAuthToken(tx, { hash, grantId: id, kind: 'code', expiresAt: now + CODE_MS }, challenge)
    await noteClientUse(tx, client.id, now)
    await deleteOldestGrants(tx, accountId, MOST_GRANTS)
  })
  return plaintext
}

/** The address that takes the browser back to the client, with an answer and who gives it (RFC 9207). */
export function answerAddress(
  baseUrl: string,
  { redirectUri, state }: Pick<Wish, 'redirectUri' | 'state'>,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  if (state !== null) url.searchParams.set('state', state)
  url.searchParams.set('iss', baseUrl)
  return url.href
}
