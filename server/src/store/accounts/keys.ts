import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { preparedRow } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'
import { above, deleteRows, findRow, insertRow, isNot, listRows, updateRows } from '#store/rows.ts'

export type ApiKey = Selectable<Schema['apiKeys']>

export const insertApiKey = (db: Db, key: Insertable<Schema['apiKeys']>) => insertRow(db, 'apiKeys', key)

/** The live key with this hash, with the account data that every operation needs. */
export const findApiKey = preparedRow([''], (db, [hash]) =>
  db
    .selectFrom('apiKeys')
    .innerJoin('accounts', 'accounts.id', 'apiKeys.accountId')
    .select(['apiKeys.id', 'apiKeys.hash', 'apiKeys.serverIds', 'apiKeys.scopes', 'apiKeys.lastUsedAt'])
    .select(['forAssistant', 'accountId', 'plan', 'trialEndsAt', 'isOperator', 'asksApproval'])
    .where('apiKeys.hash', '=', hash)
    .where('revokedAt', 'is', null)
    .where('disabledAt', 'is', null),
)

/** Updates the last-used times of many keys, access tokens, sessions or connections at once. Times never go back. */
export async function touchCredentials(
  db: Db,
  table: 'apiKeys' | 'accessTokens' | 'sessions' | 'oauthGrants',
  uses: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [id, at] of uses) {
    const isOlder = () => sql<boolean>`(last_used_at is null or last_used_at < ${at})`
    await updateRows(db, table, { id, lastUsedAt: isOlder }, { lastUsedAt: at })
  }
}

export const findLiveKey = (db: Db, accountId: string, id: string) =>
  findRow(db, 'apiKeys', { id, accountId, revokedAt: null })

/** Lists the account's live keys, oldest first. */
export const listApiKeyRows = (db: Db, accountId: string) =>
  listRows(db, 'apiKeys', { accountId, revokedAt: null }, ['createdAt'])

/** Revokes the keys that a person made in an account. Returns their number. */
export async function revokeKeysOf(tx: Db, accountId: string, personId: string, revokedAt: number): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('apiKeys')
    .set({ revokedAt })
    .where('accountId', '=', accountId)
    .where('personId', '=', personId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export const markApiKeyRevoked = (db: Db, id: string, revokedAt: number) =>
  updateRows(db, 'apiKeys', { id, revokedAt: null }, { revokedAt })

export type AccessToken = Selectable<Schema['accessTokens']>

export const insertAccessToken = (tx: Db, token: Omit<AccessToken, 'lastUsedAt' | 'revokedAt'>) =>
  insertRow(tx, 'accessTokens', { ...token, lastUsedAt: null, revokedAt: null })

/** Finds the server's live access token with this hash. */
export const findAccessToken = preparedRow(['', ''], (db, [serverId, hash]) =>
  db
    .selectFrom('accessTokens')
    .select(['id', 'hash'])
    .where('serverId', '=', serverId)
    .where('hash', '=', hash)
    .where('revokedAt', 'is', null),
)

export const findTokenOfServer = (db: Db, serverId: string, id: string) =>
  findRow(db, 'accessTokens', { id, serverId, revokedAt: null })

export const listAccessTokenRows = (db: Db, serverId: string) =>
  listRows(db, 'accessTokens', { serverId, revokedAt: null }, ['createdAt'])

export const markAccessTokenRevoked = (db: Db, id: string, revokedAt: number) =>
  updateRows(db, 'accessTokens', { id, revokedAt: null }, { revokedAt })

export type SessionRow = Selectable<Schema['sessions']>

/** Conditions for a live session: used after one time and begun after another. */
export type Living = { usedAfter: number; begunAfter: number }

export const insertSession = (tx: Db, session: SessionRow) => insertRow(tx, 'sessions', session)

const sessionByHash = preparedRow(['', 0, 0], (db, [hash, usedAfter, begunAfter]) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.accountId')
    .innerJoin('members', (join) =>
      join.onRef('members.accountId', '=', 'sessions.accountId').onRef('members.personId', '=', 'sessions.personId'),
    )
    .select(['sessions.id', 'sessions.hash', 'sessions.accountId', 'plan', 'trialEndsAt', 'isOperator'])
    .select(['members.personId', 'role', 'serverIds'])
    .where('sessions.hash', '=', hash)
    .where('disabledAt', 'is', null)
    .where('lastUsedAt', '>', usedAfter)
    .where('sessions.createdAt', '>', begunAfter),
)

/** The live session of a member with this hash, with the account data that every operation needs. */
export const findSessionByHash = (db: Db, hash: string, { usedAfter, begunAfter }: Living) =>
  sessionByHash(db, hash, usedAfter, begunAfter)

/** Whose sessions: those of a person, or those in an account. */
export type SessionHolder = { personId: string } | { accountId: string }

/** The live sessions, most recently used first. */
export function listSessionRows(db: Db, holder: SessionHolder, { usedAfter, begunAfter }: Living) {
  const key = { ...holder, lastUsedAt: above(usedAfter), createdAt: above(begunAfter) }
  return listRows(db, 'sessions', key, ['lastUsedAt', 'desc'])
}

export const findSession = (db: Db, holder: SessionHolder, id: string) => findRow(db, 'sessions', { id, ...holder })

/** Moves a session to another account of its person. */
export const moveSession = (db: Db, id: string, accountId: string) => updateRows(db, 'sessions', { id }, { accountId })

/** Ends one session, or all for null. Returns their number. */
export const deleteSessions = (db: Db, holder: SessionHolder, id: string | null) =>
  deleteRows(db, 'sessions', id === null ? holder : { ...holder, id })

/** Ends all sessions except one. Returns their number. */
export const deleteOtherSessions = (db: Db, holder: SessionHolder, kept: string | null) =>
  deleteRows(db, 'sessions', kept === null ? holder : { ...holder, id: isNot(kept) })

/** Ends all sessions of the person except the `keep` most recently used. */
export async function deleteOldestSessions(tx: Db, personId: string, keep: number): Promise<void> {
  const own = tx.selectFrom('sessions').select('id').where('personId', '=', personId)
  const recent = own.orderBy('lastUsedAt', 'desc').orderBy('createdAt', 'desc').orderBy('id').limit(keep)
  await tx.deleteFrom('sessions').where('personId', '=', personId).where('id', 'not in', recent).execute()
}

export async function deleteEndedSessions(db: Db, { usedAfter, begunAfter }: Living): Promise<void> {
  const hasEnded = sql<boolean>`(last_used_at <= ${usedAfter} or created_at <= ${begunAfter})`
  await db.deleteFrom('sessions').where(hasEnded).execute()
}
