import { claimSetupLink } from '#auth/setup-links.ts'
import { DocentError } from '#errors.ts'
import type { Handler } from '../operation.ts'
import { openVisitorSession } from '../sessions/open-visitor-session.ts'

export const claimSetup: Handler<'setup.claim'> = async ({ deps, visitor }, { token, email, password }) => {
  if (!visitor) throw new Error('This entry point has no browser to sign in')
  if (visitor.sender === 'foreign') throw new DocentError('origin_not_allowed')
  const account = await claimSetupLink(deps.store, { token, email, password })
  return openVisitorSession(deps, visitor, account)
}
