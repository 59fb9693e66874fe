import type { Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'

export type IdempotentAnswer = Selectable<Schema['idempotentAnswers']>

export async function findIdempotentAnswer(db: Db, id: string, now: number): Promise<IdempotentAnswer | undefined> {
  return db
    .selectFrom('idempotentAnswers')
    .selectAll()
    .where('id', '=', id)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

/**
 * Stores a response, and deletes expired ones. False if there is one already: of two concurrent requests, the second
 * waits here for the first to commit.
 */
export async function insertIdempotentAnswer(tx: Db, answer: IdempotentAnswer, now: number): Promise<boolean> {
  await tx.deleteFrom('idempotentAnswers').where('expiresAt', '<=', now).execute()
  const added = await tx
    .insertInto('idempotentAnswers')
    .values(answer)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return added !== undefined
}

export async function deleteExpiredAnswers(db: Db, now: number): Promise<void> {
  await db.deleteFrom('idempotentAnswers').where('expiresAt', '<=', now).execute()
}
