import { anyAccount } from '#store/accounts/accounts.ts'
import type { Store } from '#store/db.ts'
import { createAccount } from './accounts.ts'

/**
 * Creates the operator's account if there is no account. Returns true if it did. Leaves existing accounts and passwords
 * unchanged. Throws `AccountError` for an invalid address or password.
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
    // Another node with the same settings created it first.
    if (await anyAccount(store.read)) return false
    throw error
  }
}
