import type { Store } from '#store/db.ts'
import { findAccountOfPrivateSource } from '#store/linked-accounts.ts'
import type { Vault } from './vault.ts'

/**
 * The token with which a private repository is read, or null to ask as anybody. Throws `503 credentials_unavailable`
 * when there is one and it cannot be decrypted.
 */
export async function readLinkedToken(
  { store, vault }: { store: Store; vault: Vault },
  sourceId: string,
  host: string,
): Promise<string | null> {
  const account = await findAccountOfPrivateSource(store.read, sourceId, host)
  return account ? vault.unseal(account.sealed, { table: 'linkedAccounts', id: account.id }) : null
}
