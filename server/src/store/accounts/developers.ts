import type { Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import { prepared } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'

export type Developer = Selectable<Schema['developers']>

const bySecret = prepared([''], (db, [hash]) =>
  db
    .selectFrom('developers')
    .innerJoin('accounts', 'accounts.id', 'developers.accountId')
    .select(['developers.id', 'clientId', 'secretHash', 'accountId', 'plan', 'trialEndsAt', 'isOperator'])
    .where('secretHash', '=', hash),
)

/** The developer with this client secret, with the account data that every operation needs. */
export async function findDeveloperBySecret(db: Db, hash: string) {
  const [developer] = await bySecret(db, [hash])
  return developer
}

export async function findDeveloper(db: Db, accountId: string): Promise<Developer | undefined> {
  return db.selectFrom('developers').selectAll().where('accountId', '=', accountId).executeTakeFirst()
}

/** Inserts the profile unless the account has one. */
export async function insertDeveloper(db: Db, developer: Developer): Promise<void> {
  await db
    .insertInto('developers')
    .values(developer)
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute()
}

export async function replaceSecret(
  db: Db,
  accountId: string,
  next: Pick<Developer, 'secretHash' | 'sealedSecret' | 'updatedAt'>,
): Promise<void> {
  await db.updateTable('developers').set(next).where('accountId', '=', accountId).execute()
}

/** Locks the profile for the transaction, so that two changes of its configurations run one after the other. */
export async function lockDeveloper(tx: Db, id: string): Promise<void> {
  await tx
    .updateTable('developers')
    .set((is) => ({ appName: is.ref('appName') }))
    .where('id', '=', id)
    .execute()
}
