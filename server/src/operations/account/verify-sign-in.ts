import { SIGN_IN_LIMITS } from '@docent/contract/operations/sessions'
import { NOBODYS_HASH } from '#auth/password.ts'
import { tooManyRequests } from '#errors.ts'
import { LimiterFullError } from '#lib/limits/fair-limiter.ts'
import { type Account, findAccountByEmail } from '#store/accounts/accounts.ts'
import { hashSecret } from '#auth/secret.ts'
import type { OperationDeps } from '../operation.ts'
import { giveBack, enforceRateLimit, type Window } from '../rate-limits.ts'

/** Estimated seconds to finish a network's waiting checks on a loaded machine. */
const RETRY_AFTER_S = 5

type Sent = { email: string; password: string }
type By = { network: string; signal: AbortSignal }

/**
 * The account with this address and password, or null. Failures count against the network, so that guesses are limited:
 * throws `429 too_many_requests`.
 */
export async function verifySignIn(deps: OperationDeps, sent: Sent, by: By): Promise<Account | null> {
  const windows = signInWindows(by.network, sent.email)
  // Counted before the password check, so that concurrent guesses are limited too.
  await takeAll(deps, windows)
  const account = await findByPassword(deps, sent, by)
  if (account) for (const window of windows) await giveBack(deps, window)
  return account
}

/** Takes one attempt from every window, or none. Throws `429 too_many_requests`. */
async function takeAll(deps: OperationDeps, windows: readonly Window[]): Promise<void> {
  const taken: Window[] = []
  try {
    for (const window of windows) {
      await enforceRateLimit(deps, window)
      taken.push(window)
    }
  } catch (error) {
    for (const window of taken) await giveBack(deps, window)
    throw error
  }
}

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

/**
 * Rate limit windows of failed sign-ins: by network, and by network and account. There is no window for the account
 * alone, because strangers could fill it and lock its owner out.
 */
export function signInWindows(from: string, email: string): Window[] {
  return [
    { key: `sign-in from:${from}`, ...SIGN_IN_LIMITS.address },
    { key: `sign-in from:${from} to:${hashSecret(email)}`, ...SIGN_IN_LIMITS.accountFromAddress },
  ]
}
