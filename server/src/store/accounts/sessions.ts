import type { Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import { prepared } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'
import { deletedRows } from '#store/engine/changed-row.ts'

export type SessionRow = Selectable<Schema['sessions']>

/** Conditions for a live session: used after one time and begun after another. */
export type Living = { usedAfter: number; begunAfter: number }

export async function insertSession(tx: Db, session: SessionRow): Promise<void> {
  await tx.insertInto('sessions').values(session).execute()
}

const byHash = prepared(['', 0, 0], (db, [hash, usedAfter, begunAfter]) =>
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
  const [session] = await byHash(db, [hash, usedAfter, begunAfter])
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
