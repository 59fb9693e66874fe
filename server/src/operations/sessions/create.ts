import { NOBODYS_HASH } from '#auth/password.ts'
import { LONGEST_SESSION_MS, openSession } from '#auth/sessions.ts'
import { DocentError, tooManyRequests } from '#errors.ts'
import { LimiterFullError } from '#lib/limits/fair-limiter.ts'
import { type Account, findAccountByEmail } from '#store/accounts/accounts.ts'
import type { Handler, OperationDeps } from '../operation.ts'
import { giveBack, takeOrRefuse, type Window } from '../take-or-refuse.ts'
import { presentAccount, presentSession } from './present.ts'
import { signInWindows } from './sign-in-windows.ts'

export const createSession: Handler<'sessions.create'> = async ({ deps, visitor, signal }, { email, password }) => {
  if (!visitor) throw new Error('This door has no browser to sign in')
  // Prevents login CSRF: another site could sign the browser in to its own account and read the activity there.
  if (visitor.sender === 'foreign') throw new DocentError('origin_not_allowed')
  const address = email.toLowerCase()
  const windows = signInWindows(visitor.address, address)
  // Counted before the password check, so that concurrent guesses are limited too.
  await takeAll(deps, windows)
  const account = await findByPassword(deps, { email: address, password }, { network: visitor.address, signal })
  if (!account) throw new DocentError('sign_in_failed')
  for (const window of windows) await giveBack(deps, window)
  const { id: accountId } = account
  const { userAgent } = visitor
  const { secret, session } = await openSession(deps.store, { accountId, userAgent, now: deps.clock() })
  visitor.keepSession(secret, LONGEST_SESSION_MS)
  return { session: presentSession(session, session.id), account: presentAccount(account) }
}

/** Takes one attempt from every window, or none. Throws `429 too_many_requests`. */
async function takeAll(deps: OperationDeps, windows: readonly Window[]): Promise<void> {
  const taken: Window[] = []
  try {
    for (const window of windows) {
      await takeOrRefuse(deps, window)
      taken.push(window)
    }
  } catch (error) {
    for (const window of taken) await giveBack(deps, window)
    throw error
  }
}

/** Estimated seconds to finish a network's waiting checks on a loaded machine. */
const RETRY_AFTER_S = 5

type Sent = { email: string; password: string }
type By = { network: string; signal: AbortSignal }

/** A wrong password, an account without one and an unknown account all take the same time. */
async function findByPassword(
  { store, checkPassword }: OperationDeps,
  { email, password }: Sent,
  by: By,
): Promise<Account | null> {
  const account = await findAccountByEmail(store.read, email)
  try {
    const isRight = await checkPassword(password, account?.passwordHash ?? NOBODYS_HASH, by)
    return account && isRight ? account : null
  } catch (error) {
    if (error instanceof LimiterFullError) throw tooManyRequests(RETRY_AFTER_S)
    throw error
  }
}
