import type { Db } from '#store/db.ts'

/** Id of the current encryption key, or undefined before the first one. */
export async function currentKeyId(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('secretKeys').select('id').where('isCurrent', '=', 1).executeTakeFirst()
  return row?.id
}

/** Makes the first key current. If two nodes start with different keys, the faster one wins. */
export async function insertFirstKey(db: Db, id: string, createdAt: number): Promise<void> {
  await db
    .insertInto('secretKeys')
    .values({ id, isCurrent: 1, createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Forgets all keys, when no secret is encrypted with them. The next start makes a new one. */
export async function forgetKeys(db: Db): Promise<void> {
  await db.deleteFrom('secretKeys').execute()
}

/** Makes another key current, and locks the table for the rest of the transaction. */
export async function replaceCurrentKey(tx: Db, id: string, createdAt: number): Promise<void> {
  await tx.deleteFrom('secretKeys').execute()
  await tx.insertInto('secretKeys').values({ id, isCurrent: 1, createdAt }).execute()
}
