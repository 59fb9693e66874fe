import { enqueueFirst } from '#jobs/enqueue-ingest.ts'
import { newId } from '#lib/ids.ts'
import { saveCredential } from '#store/accounts/secrets.ts'
import type { Db } from '#store/db.ts'
import { insertSourceRow, newSourceRow } from '#store/sources/sources.ts'
import type { OperationDeps } from '../operation.ts'
import type { NewSource } from '../servers/read-sources.ts'

type About = {
  serverId: string
  isPrivate: boolean
  /** True if it may be read with the account's linked code host. */
  usesLinkedAccount: boolean
  createdAt: number
}

/** Writes a source with its credential and queues it. Returns its id. Throws `503 credentials_unavailable`. */
export async function insertSource(
  tx: Db,
  { vault }: Pick<OperationDeps, 'vault'>,
  { address, label, type, isGuessed, auth, allowedTools, include, exclude }: NewSource,
  { serverId, isPrivate, usesLinkedAccount, createdAt }: About,
): Promise<string> {
  const row = newSourceRow({ id: newId('src'), serverId, url: address.href, type, label, createdAt })
  await insertSourceRow(tx, {
    ...row,
    isPrivate: isPrivate ? 1 : 0,
    usesLinkedAccount: usesLinkedAccount ? 1 : 0,
    typeGuessed: isGuessed ? 1 : 0,
    allowedTools: JSON.stringify(allowedTools),
    includePatterns: JSON.stringify(include),
    excludePatterns: JSON.stringify(exclude),
  })
  if (auth) {
    const sealed = await vault.seal(tx, auth.secret, { table: 'credentials', id: row.id })
    await saveCredential(tx, { sourceId: row.id, headerName: auth.headerName, sealed, updatedAt: createdAt })
  }
  await enqueueFirst(tx, row)
  return row.id
}
