import type { Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'

export type Account = Selectable<Schema['accounts']>

export async function insertAccount(db: Db, account: Account): Promise<void> {
  await db.insertInto('accounts').values(account).execute()
}

export async function findAccount(db: Db, id: string): Promise<Account | undefined> {
  return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
}

/** E-mail addresses are stored in lower case. */
export async function findAccountByEmail(db: Db, email: string): Promise<Account | undefined> {
  return db.selectFrom('accounts').selectAll().where('email', '=', email.toLowerCase()).executeTakeFirst()
}

export async function anyAccount(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function setPasswordHash(db: Db, accountId: string, passwordHash: string): Promise<void> {
  await db.updateTable('accounts').set({ passwordHash }).where('id', '=', accountId).execute()
}

export async function setPlan(db: Db, accountId: string, plan: string): Promise<void> {
  await db.updateTable('accounts').set({ plan }).where('id', '=', accountId).execute()
}

/** Stores a link, and forgets those that were created before `oldest`. */
export async function insertSetupLink(db: Db, link: { hash: string; createdAt: number }, oldest: number) {
  await db.deleteFrom('setupLinks').where('createdAt', '<', oldest).execute()
  await db.insertInto('setupLinks').values(link).execute()
}

export async function findSetupLink(db: Db, hash: string, oldest: number): Promise<{ hash: string } | undefined> {
  return db
    .selectFrom('setupLinks')
    .select('hash')
    .where('hash', '=', hash)
    .where('createdAt', '>=', oldest)
    .executeTakeFirst()
}

/**
 * Deletes all links. Returns the hashes of those that existed: of two transactions that use links, one waits for the
 * other and then gets none.
 */
export async function takeSetupLinks(tx: Db): Promise<string[]> {
  const taken = await tx.deleteFrom('setupLinks').returning('hash').execute()
  return taken.map(({ hash }) => hash)
}

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
