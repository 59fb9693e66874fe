import { SIGN_IN_LIMITS } from '@docent/contract/sessions'
import { NOBODYS_HASH, verifyPassword } from '#auth/password.ts'
import { hashSecret } from '#auth/secret.ts'
import { LONGEST_SESSION_MS, openSession } from '#auth/sessions.ts'
import { DocentError } from '#errors.ts'
import { type Account, findAccountByEmail } from '#store/accounts.ts'
import type { Db } from '#store/db.ts'
import type { Handler, OperationDeps } from '../operation.ts'
import { takeOrRefuse } from '../take-or-refuse.ts'
import { presentAccount, presentSession } from './present.ts'

export const createSession: Handler<'sessions.create'> = async ({ deps, visitor }, { email, password }) => {
  if (!visitor) throw new Error('This door has no browser to sign in')
  // Else another site could sign a browser in to an account of its own, and read what is done there.
  if (visitor.sender === 'foreign') throw new DocentError('origin_not_allowed')
  const address = email.toLowerCase()
  await throttle(deps, visitor.address, address)
  const account = await findByPassword(deps.store.read, address, password)
  if (!account) throw new DocentError('sign_in_failed')
  const { id: accountId } = account
  const { userAgent } = visitor
  const { secret, session } = await openSession(deps.store, { accountId, userAgent, now: deps.clock() })
  visitor.keepSession(secret, LONGEST_SESSION_MS)
  return { session: presentSession(session, session.id), account: presentAccount(account) }
}

/** By where the attempt comes from and by whom it is for, known or not: a guesser has many of either. */
async function throttle(deps: OperationDeps, from: string, email: string): Promise<void> {
  await takeOrRefuse(deps, { key: `sign-in from:${from}`, ...SIGN_IN_LIMITS.address })
  await takeOrRefuse(deps, { key: `sign-in to:${hashSecret(email)}`, ...SIGN_IN_LIMITS.account })
}

/** A wrong password, an account without one and no account at all cost the same time. */
async function findByPassword(db: Db, email: string, password: string): Promise<Account | null> {
  const account = await findAccountByEmail(db, email)
  const isRight = await verifyPassword(password, account?.passwordHash ?? NOBODYS_HASH)
  return account && isRight ? account : null
}
