import type { Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { prepared } from '#store/engine/prepared.ts'
import { insertRow } from '#store/engine/statements.ts'

export type EmbedSession = Selectable<Schema['embedSessions']>

export const insertEmbedSession = (db: Db, session: EmbedSession): Promise<void> =>
  insertRow(db, 'embedSessions', session)

/** The session with this hash, if it has not ended. */
export async function findEmbedSession(db: Db, hash: string, now: number): Promise<EmbedSession | undefined> {
  return db
    .selectFrom('embedSessions')
    .selectAll()
    .where('hash', '=', hash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

export async function deleteEndedEmbedSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('embedSessions').where('expiresAt', '<=', now).execute()
}

export type AttributionToken = Selectable<Schema['attributionTokens']>

export const insertAttributionToken = (db: Db, token: AttributionToken): Promise<void> =>
  insertRow(db, 'attributionTokens', token)

const use = prepared([0, '', '', 0], (db, [now, id, developerId, at]) =>
  db
    .updateTable('attributionTokens')
    .set({ usedAt: now })
    .where('id', '=', id)
    .where('developerId', '=', developerId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', at)
    .returning(['id', 'endUserId']),
)

/**
 * Uses up a token of the developer. One conditional statement, so that of any number of concurrent uses exactly one
 * succeeds. Undefined if the token is unknown, expired or used.
 */
export async function useAttributionToken(db: Db, token: { id: string; developerId: string }, now: number) {
  const [used] = await use(db, [now, token.id, token.developerId, now])
  return used
}

/** Deletes tokens that expired before `time`. */
export async function deleteExpiredTokens(db: Db, time: number): Promise<void> {
  await db.deleteFrom('attributionTokens').where('expiresAt', '<', time).execute()
}
