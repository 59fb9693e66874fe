import { type Selectable, sql } from 'kysely'
import type { Db } from './db.ts'
import { prepared } from './prepared.ts'
import type { Schema } from './schema.ts'

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
    ])
    .where('apiKeys.hash', '=', hash)
    .where('revokedAt', 'is', null),
)

/** The live key with this hash, with what every operation needs to know of its account. */
export async function findApiKey(db: Db, hash: string) {
  const [key] = await byHash(db, [hash])
  return key
}

/** Moves last-used forward for many keys at once. */
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
