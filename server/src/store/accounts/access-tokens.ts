import type { Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import { prepared } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'

export type AccessToken = Selectable<Schema['accessTokens']>

export async function insertAccessToken(tx: Db, token: Omit<AccessToken, 'lastUsedAt' | 'revokedAt'>): Promise<void> {
  await tx
    .insertInto('accessTokens')
    .values({ ...token, lastUsedAt: null, revokedAt: null })
    .execute()
}

const liveToken = prepared(['', ''], (db, [serverId, hash]) =>
  db
    .selectFrom('accessTokens')
    .select(['id', 'hash'])
    .where('serverId', '=', serverId)
    .where('hash', '=', hash)
    .where('revokedAt', 'is', null),
)

/** Finds the server's live access token with this hash. */
export async function findAccessToken(
  db: Db,
  serverId: string,
  hash: string,
): Promise<Pick<AccessToken, 'id' | 'hash'> | undefined> {
  const [token] = await liveToken(db, [serverId, hash])
  return token
}

export async function findTokenOfServer(db: Db, serverId: string, id: string): Promise<AccessToken | undefined> {
  return db
    .selectFrom('accessTokens')
    .selectAll()
    .where('id', '=', id)
    .where('serverId', '=', serverId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
}

/** Lists the server's live tokens, oldest first. */
export async function listAccessTokenRows(db: Db, serverId: string): Promise<AccessToken[]> {
  return db
    .selectFrom('accessTokens')
    .selectAll()
    .where('serverId', '=', serverId)
    .where('revokedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export async function markAccessTokenRevoked(db: Db, id: string, revokedAt: number): Promise<void> {
  await db.updateTable('accessTokens').set({ revokedAt }).where('id', '=', id).where('revokedAt', 'is', null).execute()
}

/** Updates the last-used times of many tokens at once. */
export async function touchAccessTokens(db: Db, uses: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, at] of uses) {
    await db
      .updateTable('accessTokens')
      .set({ lastUsedAt: at })
      .where('id', '=', id)
      .where((is) => is.or([is('lastUsedAt', 'is', null), is('lastUsedAt', '<', at)]))
      .execute()
  }
}
