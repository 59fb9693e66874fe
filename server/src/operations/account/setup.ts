import { SIGN_UP_LIMIT } from '@docent/contract/operations/setup'
import { anyAccount, findAccountByEmail } from '#store/accounts/accounts.ts'
import { claimSetupLink, createAccount } from '#auth/accounts.ts'
import { DocentError } from '#errors.ts'
import type { Handler } from '../operation.ts'
import { openVisitorSession, requireBrowser } from './sessions.ts'
import { enforceRateLimit } from '../rate-limits.ts'

export const getSetup: Handler<'setup.get'> = async ({ deps }) => ({
  open: !(await anyAccount(deps.store.read)),
  signUps: deps.config.signUps,
})

export const claimSetup: Handler<'setup.claim'> = async ({ deps, visitor }, { token, email, password }) => {
  const browser = requireBrowser(visitor)
  const account = await claimSetupLink(deps.store, { token, email, password })
  return openVisitorSession(deps, browser, account)
}

export const signUp: Handler<'setup.signUp'> = async ({ deps, visitor }, { email, password }) => {
  const browser = requireBrowser(visitor)
  if (!deps.config.signUps) throw new DocentError('sign_ups_off')
  await enforceRateLimit(deps, { key: `sign-up from:${browser.address}`, ...SIGN_UP_LIMIT })
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
  return openVisitorSession(deps, browser, account)
}
