import { SIGN_IN_LIMITS } from '@docent/contract/sessions'
import { hashSecret } from '#auth/secret.ts'
import type { Window } from '../take-or-refuse.ts'

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
