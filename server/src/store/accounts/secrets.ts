import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'

/** Id of the current encryption key, or undefined before the first one. */
export async function currentKeyId(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('secretKeys').select('id').where('isCurrent', '=', 1).executeTakeFirst()
  return row?.id
}

/** Makes the first key current. If two nodes start with different keys, the faster one wins. */
export async function insertFirstKey(db: Db, id: string, createdAt: number): Promise<void> {
  await db
    .insertInto('secretKeys')
    .values({ id, isCurrent: 1, createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Forgets all keys, when no secret is encrypted with them. The next start makes a new one. */
export async function forgetKeys(db: Db): Promise<void> {
  await db.deleteFrom('secretKeys').execute()
}

/** Makes another key current, and locks the table for the rest of the transaction. */
export async function replaceCurrentKey(tx: Db, id: string, createdAt: number): Promise<void> {
  await tx.deleteFrom('secretKeys').execute()
  await tx.insertInto('secretKeys').values({ id, isCurrent: 1, createdAt }).execute()
}

/** All places of encrypted values, which a key rotation must cover. */
export type SealedTable =
  | 'credentials'
  | 'linkedAccounts'
  | 'linkedAccountRefreshes'
  | 'developers'
  | 'webhooks'
  | 'webhookPreviousSecrets'
export type SealedValue = { table: SealedTable; id: string; sealed: string }

/** All encrypted values. There are few: credentials of remote servers and code hosts, client secrets, and secrets of webhooks. */
export async function listSealedValues(tx: Db): Promise<SealedValue[]> {
  const credentials = await tx.selectFrom('credentials').select(['sourceId as id', 'sealed']).execute()
  const accounts = await tx.selectFrom('linkedAccounts').select(['id', 'sealed', 'sealedRefresh']).execute()
  const developers = await tx.selectFrom('developers').select(['id', 'sealedSecret as sealed']).execute()
  const webhooks = await tx.selectFrom('webhooks').select(['id', 'sealedSecret', 'sealedPreviousSecret']).execute()
  return [
    ...webhooks.map(({ id, sealedSecret: sealed }) => ({ table: 'webhooks' as const, id, sealed })),
    ...webhooks.flatMap(({ id, sealedPreviousSecret: sealed }) =>
      sealed === null ? [] : [{ table: 'webhookPreviousSecrets' as const, id, sealed }],
    ),
    ...developers.map(({ id, sealed }) => ({ table: 'developers' as const, id, sealed })),
    ...credentials.map(({ id, sealed }) => ({ table: 'credentials' as const, id, sealed })),
    ...accounts.map(({ id, sealed }) => ({ table: 'linkedAccounts' as const, id, sealed })),
    ...accounts.flatMap(({ id, sealedRefresh: sealed }) =>
      sealed === null ? [] : [{ table: 'linkedAccountRefreshes' as const, id, sealed }],
    ),
  ]
}

export async function updateSealedValue(tx: Db, { table, id, sealed }: SealedValue): Promise<void> {
  if (table === 'credentials') {
    await tx.updateTable('credentials').set({ sealed }).where('sourceId', '=', id).execute()
  } else if (table === 'developers' || table === 'webhooks') {
    await tx.updateTable(table).set({ sealedSecret: sealed }).where('id', '=', id).execute()
  } else if (table === 'webhookPreviousSecrets') {
    await tx.updateTable('webhooks').set({ sealedPreviousSecret: sealed }).where('id', '=', id).execute()
  } else {
    const values = table === 'linkedAccounts' ? { sealed } : { sealedRefresh: sealed }
    await tx.updateTable('linkedAccounts').set(values).where('id', '=', id).execute()
  }
}

export type CredentialRow = Selectable<Schema['credentials']>

export async function findCredential(db: Db, sourceId: string): Promise<CredentialRow | undefined> {
  return db.selectFrom('credentials').selectAll().where('sourceId', '=', sourceId).executeTakeFirst()
}

/** Saves a source's credential in place of the previous one. */
export async function saveCredential(tx: Db, credential: Insertable<Schema['credentials']>): Promise<void> {
  const { sourceId: _, ...values } = credential
  await tx
    .insertInto('credentials')
    .values(credential)
    .onConflict((conflict) => conflict.column('sourceId').doUpdateSet(values))
    .execute()
}

export async function deleteCredential(tx: Db, sourceId: string): Promise<void> {
  await tx.deleteFrom('credentials').where('sourceId', '=', sourceId).execute()
}

/** Ids of the server's sources that have a credential. */
export async function sourcesWithCredential(db: Db, serverId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('credentials')
    .innerJoin('sources', 'sources.id', 'credentials.sourceId')
    .select('sourceId')
    .where('serverId', '=', serverId)
    .execute()
  return new Set(rows.map(({ sourceId }) => sourceId))
}

/**
 * Counts the server's sources that require it to be private: private repositories, and MCP sources with a credential.
 */
export async function countPrivateSources(db: Db, serverId: string): Promise<number> {
  const rows = await db
    .selectFrom('sources')
    .leftJoin('credentials', 'credentials.sourceId', 'sources.id')
    .select('sources.id')
    .where('serverId', '=', serverId)
    .where((is) => is.or([is('isPrivate', '=', 1), is('credentials.sourceId', 'is not', null)]))
    .execute()
  return rows.length
}
