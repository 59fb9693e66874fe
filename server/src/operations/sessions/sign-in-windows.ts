import { SIGN_IN_LIMITS } from '@docent/contract/sessions'
import { hashSecret } from '#auth/secret.ts'
import type { Window } from '../take-or-refuse.ts'

/**
 * The windows that failed attempts are counted in: by where they come from, and by that and whom they are for. There is
 * none for the account alone, since strangers could fill it and lock its owner out.
 */
export function signInWindows(from: string, email: string): Window[] {
  return [
    { key: `sign-in from:${from}`, ...SIGN_IN_LIMITS.address },
    { key: `sign-in from:${from} to:${hashSecret(email)}`, ...SIGN_IN_LIMITS.accountFromAddress },
  ]
}
