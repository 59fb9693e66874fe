import { DocentError } from '#errors.ts'
import type { Handler } from '../operation.ts'
import { openVisitorSession } from './open-visitor-session.ts'
import { verifySignIn } from './verify-sign-in.ts'

export const createSession: Handler<'sessions.create'> = async ({ deps, visitor, signal }, { email, password }) => {
  if (!visitor) throw new Error('This door has no browser to sign in')
  // Prevents login CSRF: another site could sign the browser in to its own account and read the activity there.
  if (visitor.sender === 'foreign') throw new DocentError('origin_not_allowed')
  const sent = { email: email.toLowerCase(), password }
  const account = await verifySignIn(deps, sent, { network: visitor.address, signal })
  if (!account) throw new DocentError('sign_in_failed')
  return openVisitorSession(deps, visitor, account)
}
