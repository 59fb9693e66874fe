import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { prepared } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'

export type ApiKey = Selectable<Schema['apiKeys']>

export async function insertApiKey(db: Db, key: ApiKey): Promise<void> {
  await db.insertInto('apiKeys').values(key).execute()
}

const byHash = prepared([''], (db, [hash]) =>
  db
    .selectFrom('apiKeys')
    .innerJoin('accounts', 'accounts.id', 'apiKeys.accountId')
    .select([
      'apiKeys.id',
      'apiKeys.hash',
      'apiKeys.serverIds',
      'apiKeys.lastUsedAt',
      'accountId',
      'plan',
      'trialEndsAt',
      'isOperator',
    ])
    .where('apiKeys.hash', '=', hash)
    .where('revokedAt', 'is', null),
)

/** The live key with this hash, with the account data that every operation needs. */
export async function findApiKey(db: Db, hash: string) {
  const [key] = await byHash(db, [hash])
  return key
}

/** Updates the last-used times of many keys at once. */
export async function touchApiKeys(db: Db, uses: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, at] of uses) {
    await db
      .updateTable('apiKeys')
      .set({ lastUsedAt: at })
      .where('id', '=', id)
      .where((is) => is.or([is('lastUsedAt', 'is', null), is(sql`last_used_at`, '<', at)]))
      .execute()
  }
}

export async function findLiveKey(db: Db, accountId: string, id: string): Promise<ApiKey | undefined> {
  return db
    .selectFrom('apiKeys')
    .selectAll()
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
}

/** Lists the account's live keys, oldest first. */
export async function listApiKeyRows(db: Db, accountId: string): Promise<ApiKey[]> {
  return db
    .selectFrom('apiKeys')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export async function markApiKeyRevoked(db: Db, id: string, revokedAt: number): Promise<void> {
  await db.updateTable('apiKeys').set({ revokedAt }).where('id', '=', id).where('revokedAt', 'is', null).execute()
}
