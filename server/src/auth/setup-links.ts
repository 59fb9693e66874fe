import { SETUP_LINK_MINUTES } from '@docent/contract/operations/setup'
import { DocentError } from '#errors.ts'
import { type Account, anyAccount, findSetupLink, insertSetupLink, takeSetupLinks } from '#store/accounts/accounts.ts'
import type { Store } from '#store/db.ts'
import { createAccount } from './accounts.ts'
import { hashSecret, isWellFormed, newSecret } from './secret.ts'

const LIFETIME_MS = SETUP_LINK_MINUTES * 60_000

/**
 * Creates the address of a page that creates the first account. Null if there is an account. The secret is in the
 * fragment, so that no proxy logs it.
 */
export async function createSetupLink(store: Store, baseUrl: string): Promise<string | null> {
  if (await anyAccount(store.read)) return null
  const { plaintext, hash } = newSecret('dsl_')
  const now = store.clock()
  await insertSetupLink(store.write, { hash, createdAt: now }, now - LIFETIME_MS)
  return `${baseUrl}/setup#${plaintext}`
}

/**
 * Creates the first account with the secret of a setup link. Throws `404 not_found` if there is an account, and `403
 * setup_link_unknown` for an expired or unknown link.
 */
export async function claimSetupLink(
  store: Store,
  { token, email, password }: { token: string; email: string; password: string },
): Promise<Account> {
  if (await anyAccount(store.read)) throw new DocentError('not_found')
  const hash = hashSecret(token)
  const isKnown = isWellFormed('dsl_', token) && (await findSetupLink(store.read, hash, store.clock() - LIFETIME_MS))
  if (!isKnown) throw new DocentError('setup_link_unknown')
  return createAccount(store, {
    email,
    password,
    plan: 'unlimited',
    // Links are taken all at once, so that two of them cannot create two accounts.
    async admit(tx) {
      const taken = await takeSetupLinks(tx)
      if (!taken.includes(hash) || (await anyAccount(tx))) throw new DocentError('not_found')
    },
  })
}
