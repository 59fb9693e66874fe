import { anyAccount } from '#store/accounts.ts'
import type { Store } from '#store/db.ts'
import { createAccount } from './accounts.ts'

/**
 * Makes the operator's account where there is no account at all, and says whether it did. What exists is left as it is,
 * its password too. Throws `AccountError` for an address or a password that cannot be used.
 */
export async function ensureOperator(
  store: Store,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  if (await anyAccount(store.read)) return false
  try {
    await createAccount(store, { email, password, plan: 'unlimited' })
    return true
  } catch (error) {
    // Another node that starts with the same settings was first.
    if (await anyAccount(store.read)) return false
    throw error
  }
}
