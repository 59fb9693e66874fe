import { SIGN_UP_LIMIT } from '@docent/contract/operations/setup'
import { createAccount } from '#auth/accounts.ts'
import { DocentError } from '#errors.ts'
import { anyAccount, findAccountByEmail } from '#store/accounts/accounts.ts'
import type { Handler } from '../operation.ts'
import { openVisitorSession } from '../sessions/open-visitor-session.ts'
import { enforceRateLimit } from '#operations/enforce-rate-limit.ts'

export const signUp: Handler<'setup.signUp'> = async ({ deps, visitor }, { email, password }) => {
  if (!visitor) throw new Error('This entry point has no browser to sign in')
  if (visitor.sender === 'foreign') throw new DocentError('origin_not_allowed')
  if (!deps.config.signUps) throw new DocentError('sign_ups_off')
  await enforceRateLimit(deps, { key: `sign-up from:${visitor.address}`, ...SIGN_UP_LIMIT })
  const account = await createAccount(deps.store, {
    email,
    password,
    plan: deps.config.defaultPlan,
    async admit(tx) {
      // The first account is the operator's, so it needs the setup link.
      if (!(await anyAccount(tx))) throw new DocentError('sign_ups_off')
      if (await findAccountByEmail(tx, email)) throw new DocentError('email_taken')
    },
  })
  return openVisitorSession(deps, visitor, account)
}
