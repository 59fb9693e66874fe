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
