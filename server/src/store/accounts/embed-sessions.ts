import type { Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'

export type EmbedSession = Selectable<Schema['embedSessions']>

export async function insertEmbedSession(db: Db, session: EmbedSession): Promise<void> {
  await db.insertInto('embedSessions').values(session).execute()
}

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
