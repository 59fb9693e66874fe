import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'

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
