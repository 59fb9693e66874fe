import type { Selectable } from 'kysely'
import type { Db } from './db.ts'
import { prepared } from './prepared.ts'
import type { Schema } from './schema.ts'

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

/** The server's live access token with this hash. */
export async function findAccessToken(
  db: Db,
  serverId: string,
  hash: string,
): Promise<Pick<AccessToken, 'id' | 'hash'> | undefined> {
  const [token] = await liveToken(db, [serverId, hash])
  return token
}
