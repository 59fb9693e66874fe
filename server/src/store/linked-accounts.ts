import type { Insertable, Selectable } from 'kysely'
import type { Db } from './db.ts'
import type { Schema } from './schema.ts'

export type LinkedAccount = Selectable<Schema['linkedAccounts']>

export async function findLinkedAccount(db: Db, accountId: string, host: string): Promise<LinkedAccount | undefined> {
  return db
    .selectFrom('linkedAccounts')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('host', '=', host)
    .executeTakeFirst()
}

export async function insertLinkedAccount(tx: Db, account: Insertable<Schema['linkedAccounts']>): Promise<void> {
  await tx.insertInto('linkedAccounts').values(account).execute()
}

/** Returns how many there were. */
export async function deleteLinkedAccount(tx: Db, accountId: string, host: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('linkedAccounts')
    .where('accountId', '=', accountId)
    .where('host', '=', host)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
