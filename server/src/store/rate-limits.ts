import type { Db } from './db.ts'

/** The times let through for this key. Its row stays locked until the transaction ends. */
export async function lockRateLimit(tx: Db, key: string): Promise<number[]> {
  const { hits } = await tx
    .insertInto('rateLimits')
    .values({ key, hits: '[]', expiresAt: 0 })
    .onConflict((conflict) => conflict.column('key').doUpdateSet((is) => ({ key: is.ref('excluded.key') })))
    .returning('hits')
    .executeTakeFirstOrThrow()
  return JSON.parse(hits) as number[]
}

export async function saveRateLimit(tx: Db, key: string, hits: readonly number[], expiresAt: number): Promise<void> {
  await tx
    .updateTable('rateLimits')
    .set({ hits: JSON.stringify(hits), expiresAt })
    .where('key', '=', key)
    .execute()
}

/** Deletes rows whose window has passed. */
export async function deleteExpiredRateLimits(db: Db, now: number): Promise<void> {
  await db.deleteFrom('rateLimits').where('expiresAt', '<', now).execute()
}
