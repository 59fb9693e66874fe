import { type CredentialRow, findCredential } from '#store/accounts/secrets.ts'
import type { Store } from '#store/db.ts'
import type { Vault } from './vault.ts'

/** The credential for a source's remote MCP server, or null. Throws `503 credentials_unavailable`. */
export async function readSourceCredential(
  { store, vault }: { store: Store; vault: Vault },
  sourceId: string,
): Promise<{ headerName: CredentialRow['headerName']; secret: string } | null> {
  const row = await findCredential(store.read, sourceId)
  if (!row) return null
  return { headerName: row.headerName, secret: vault.unseal(row.sealed, { table: 'credentials', id: sourceId }) }
}
