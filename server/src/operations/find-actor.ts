import type { Operation } from '@docent/contract/operation'
import { type Actor, bearer, connectedActor, findKeyHolder } from '#auth/authenticate.ts'
import { findClient, isClientId } from '#auth/developers.ts'
import { authenticateSession } from '#auth/sessions.ts'
import { DocentError, found } from '#errors.ts'
import type { Call, Given } from './operation.ts'

export type ReadInput = () => Promise<Given>

/**
 * Authenticates the caller by key, session or client secret. Null for anonymous callers of an open operation. Throws the
 * operation's 401, and `403 origin_not_allowed` if a page of another site uses the session.
 */
export async function findActor(call: Call, operation: Operation, read: ReadInput): Promise<Actor | null> {
  const actor = await authenticate(call, operation, read)
  const { kind, id } = actor?.credential ?? { kind: 'client' }
  if (kind !== 'client') call.deps.noteUse({ kind, id })
  return actor
}

async function authenticate(call: Call, operation: Operation, read: ReadInput): Promise<Actor | null> {
  switch (operation.auth) {
    case 'none':
      // A valid key is limited to its scope. All other callers are anonymous.
      return findHolder(call)
    case 'developer':
      return authenticateDeveloper(call, operation)
    case 'client':
      return authenticateClient(call, read)
    default:
      return authenticateAccount(call, operation)
  }
}

async function authenticateAccount(call: Call, operation: Operation): Promise<Actor> {
  // The browser sends the cookie automatically, so a header takes precedence.
  if (call.authorization === null && call.visitor?.sessionSecret) return authenticateVisitor(call, operation)
  return found(await findHolder(call), 'unauthorized')
}

/** The caller behind a key, or at the endpoint of the account also behind a connection. */
async function findHolder({ deps: { store, clock, config }, authorization, atAccountEndpoint }: Call) {
  const holder = await findKeyHolder(store.read, authorization)
  if (holder || !atAccountEndpoint || !config.oauthAccount) return holder
  return connectedActor(store.read, bearer(authorization), clock())
}

async function authenticateDeveloper(call: Call, operation: Operation): Promise<Actor> {
  const { deps, authorization, visitor } = call
  if (authorization === null && visitor?.sessionSecret) {
    try {
      return await authenticateVisitor(call, operation)
    } catch (error) {
      if (!(error instanceof DocentError) || error.code !== 'unauthorized') throw error
    }
  }
  const client = authorization === null ? null : await findClient(deps.store.read, authorization)
  if (!client) throw new DocentError('developer_unauthorized')
  return client.actor
}

/** Always reads the request and makes one query, so that an unknown client and a wrong secret take the same time. */
async function authenticateClient({ deps, authorization, visitor }: Call, read: ReadInput): Promise<Actor> {
  if (visitor && visitor.origin !== null) throw new DocentError('browser_not_allowed')
  const { rest } = await read()
  const client = await findClient(deps.store.read, authorization)
  if (client && rest instanceof DocentError) throw rest
  const clientId = rest instanceof DocentError ? null : rest['clientId']
  if (!isClientId(client?.clientId ?? '', clientId) || !client) throw new DocentError('client_unauthorized')
  return client.actor
}

async function authenticateVisitor({ deps, visitor }: Call, { method }: Operation): Promise<Actor> {
  const actor = await authenticateSession(deps.store.read, visitor?.sessionSecret ?? '', deps.clock())
  if (visitor?.sender === 'foreign') throw new DocentError('origin_not_allowed')
  if (visitor?.sender === 'own' || method === 'GET') return actor
  const missing =
    'A session can change something only from a page of this service, and this request does not say where it comes from.'
  const text = `${missing} Send "Origin: ${deps.baseUrl()}", or an API key as "Authorization: Bearer <API_KEY>" instead.`
  throw new DocentError('origin_not_allowed', { text })
}
