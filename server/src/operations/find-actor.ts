import type { Operation } from '@docent/contract/operation'
import { type Actor, authenticateKey } from '#auth/authenticate.ts'
import { authenticateSession } from '#auth/sessions.ts'
import { DocentError } from '#errors.ts'
import type { Call } from './operation.ts'

/**
 * Authenticates the caller by key or session. Null for anonymous callers of an open operation. Throws `401
 * unauthorized`, and `403 origin_not_allowed` if a page of another site uses the session.
 */
export async function findActor(call: Call, operation: Operation): Promise<Actor | null> {
  const actor = operation.auth === 'none' ? await findHolder(call) : await authenticate(call, operation)
  if (actor) call.deps.noteUse(actor.credential)
  return actor
}

/** An open operation limits a valid key to its scope, and treats all other callers as anonymous. */
async function findHolder({ deps, authorization }: Call): Promise<Actor | null> {
  try {
    return await authenticateKey(deps.store.read, authorization)
  } catch (error) {
    if (error instanceof DocentError) return null
    throw error
  }
}

async function authenticate({ deps, authorization, visitor }: Call, { method }: Operation): Promise<Actor> {
  // The caller sets the header deliberately, while the browser sends the cookie automatically. The header takes
  // precedence.
  if (authorization !== null || !visitor?.sessionSecret) return authenticateKey(deps.store.read, authorization)
  const actor = await authenticateSession(deps.store.read, visitor.sessionSecret, deps.clock())
  const isWelcome = method === 'GET' ? visitor.sender !== 'foreign' : visitor.sender === 'own'
  if (!isWelcome) throw new DocentError('origin_not_allowed')
  return actor
}
