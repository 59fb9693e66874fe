import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { prepared } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'
import { deletedRows } from '#store/engine/statements.ts'

export type ApiKey = Selectable<Schema['apiKeys']>

export async function insertApiKey(db: Db, key: ApiKey): Promise<void> {
  await db.insertInto('apiKeys').values(key).execute()
}

const keyByHash = prepared([''], (db, [hash]) =>
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
  const [key] = await keyByHash(db, [hash])
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

export type SessionRow = Selectable<Schema['sessions']>

/** Conditions for a live session: used after one time and begun after another. */
export type Living = { usedAfter: number; begunAfter: number }

export async function insertSession(tx: Db, session: SessionRow): Promise<void> {
  await tx.insertInto('sessions').values(session).execute()
}

const sessionByHash = prepared(['', 0, 0], (db, [hash, usedAfter, begunAfter]) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .select(['sessions.id', 'sessions.hash', 'accountId', 'plan', 'trialEndsAt', 'isOperator'])
    .where('sessions.hash', '=', hash)
    .where('lastUsedAt', '>', usedAfter)
    .where('sessions.createdAt', '>', begunAfter),
)

/** The live session with this hash, with the account data that every operation needs. */
export async function findSessionByHash(db: Db, hash: string, { usedAfter, begunAfter }: Living) {
  const [session] = await sessionByHash(db, [hash, usedAfter, begunAfter])
  return session
}

/** The account's live sessions, most recently used first. */
export async function listSessionRows(db: Db, accountId: string, living: Living): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('lastUsedAt', '>', living.usedAfter)
    .where('createdAt', '>', living.begunAfter)
    .orderBy('lastUsedAt', 'desc')
    .orderBy('id')
    .execute()
}

export async function findSession(db: Db, accountId: string, id: string): Promise<SessionRow | undefined> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
}

/** Ends one session of the account, or all for null. Returns their number. */
export async function deleteSessions(db: Db, accountId: string, id: string | null): Promise<number> {
  let query = db.deleteFrom('sessions').where('accountId', '=', accountId)
  if (id !== null) query = query.where('id', '=', id)
  return deletedRows(query)
}

/** Ends all sessions of the account except one. Returns their number. */
export async function deleteOtherSessions(db: Db, accountId: string, kept: string | null): Promise<number> {
  let query = db.deleteFrom('sessions').where('accountId', '=', accountId)
  if (kept !== null) query = query.where('id', '!=', kept)
  return deletedRows(query)
}

/** Ends all sessions of the account except the `keep` most recently used. */
export async function deleteOldestSessions(tx: Db, accountId: string, keep: number): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('accountId', '=', accountId)
    .where('id', 'not in', (db) =>
      db
        .selectFrom('sessions')
        .select('id')
        .where('accountId', '=', accountId)
        .orderBy('lastUsedAt', 'desc')
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .limit(keep),
    )
    .execute()
}

export async function deleteEndedSessions(db: Db, { usedAfter, begunAfter }: Living): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((is) => is.or([is('lastUsedAt', '<=', usedAfter), is('createdAt', '<=', begunAfter)]))
    .execute()
}

/** Updates the last-used times of many sessions at once. */
export async function touchSessions(db: Db, uses: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, at] of uses) {
    await db.updateTable('sessions').set({ lastUsedAt: at }).where('id', '=', id).where('lastUsedAt', '<', at).execute()
  }
}
