import type { Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { findRow, insertNewRow, insertRow, updateRows } from '#store/engine/statements.ts'

export type Account = Selectable<Schema['accounts']>

export const insertAccount = (db: Db, account: Account): Promise<void> => insertRow(db, 'accounts', account)

export const findAccount = (db: Db, id: string): Promise<Account | undefined> => findRow(db, 'accounts', { id })

/** E-mail addresses are stored in lower case. */
export const findAccountByEmail = (db: Db, email: string): Promise<Account | undefined> =>
  findRow(db, 'accounts', { email: email.toLowerCase() })

export async function anyAccount(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined
}

export async function setPasswordHash(db: Db, id: string, passwordHash: string): Promise<void> {
  await updateRows(db, 'accounts', { id }, { passwordHash })
}

export async function setPlan(db: Db, id: string, plan: string): Promise<void> {
  await updateRows(db, 'accounts', { id }, { plan })
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
  await deleteExpiredAnswers(tx, now)
  return insertNewRow(tx, 'idempotentAnswers', answer)
}

export async function deleteExpiredAnswers(db: Db, now: number): Promise<void> {
  await db.deleteFrom('idempotentAnswers').where('expiresAt', '<=', now).execute()
}
