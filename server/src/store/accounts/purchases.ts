import type { Selectable } from 'kysely'
import { defined } from '#lib/objects.ts'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { type ListPart, changeRow, countRows, findRow, hasRow, insertRow, sumsOf } from '#store/rows.ts'

export type PurchaseRow = Selectable<Schema['purchases']>

/** A purchase with what people recognise it by. The server's name is null for a plan, or if the server is gone. */
export type ListedPurchase = PurchaseRow & { serverName: string | null; email: string; accountPlan: string }

/** Purchases of one account, or of all for the operator. */
export type PurchaseFilter = { accountId?: string | undefined; state?: PurchaseRow['state'] | undefined }

export const insertPurchase = (tx: Db, purchase: PurchaseRow) => insertRow(tx, 'purchases', purchase)

export const findPurchase = (db: Db, id: string, accountId?: string): Promise<ListedPurchase | undefined> =>
  listed(db, { accountId }).where('purchases.id', '=', id).executeTakeFirst()

/** Newest first. */
export function listPurchaseRows(db: Db, filter: PurchaseFilter, part: ListPart): Promise<ListedPurchase[]> {
  const sorted = listed(db, filter).orderBy('purchases.createdAt', 'desc').orderBy('purchases.id')
  return sorted.limit(part.limit).offset(part.offset).execute()
}

export const countPurchases = (db: Db, filter: PurchaseFilter) => countRows(matching(db, filter))

/** True if the account has an open request for a plan. */
export const hasOpenPlanPurchase = (db: Db, accountId: string) =>
  hasRow(db, 'purchases', { accountId, state: 'requested', kind: 'plan' })

/** Settles an open purchase in one conditional statement: concurrent decisions but one get undefined. */
export const settlePurchaseRow = (
  tx: Db,
  id: string,
  settled: Pick<PurchaseRow, 'state' | 'reason' | 'settledAt' | 'settledBy'>,
) => changeRow(tx, 'purchases', { id, state: 'requested' }, settled)

function listed(db: Db, filter: PurchaseFilter) {
  return matching(db, filter)
    .innerJoin('accounts', 'accounts.id', 'purchases.accountId')
    .leftJoin('servers', 'servers.id', 'purchases.serverId')
    .selectAll('purchases')
    .select(['servers.name as serverName', 'accounts.email', 'accounts.plan as accountPlan'])
}

const matching = (db: Db, { accountId, state }: PurchaseFilter) =>
  db
    .selectFrom('purchases')
    .where((is) => is.and(defined({ 'purchases.accountId': accountId, 'purchases.state': state })))

export async function sourceCredits(db: Db, serverId: string): Promise<number> {
  return (await findRow(db, 'sourceCredits', { serverId }))?.credits ?? 0
}

/** Adds purchased sources to the server. Returns the new total. */
export async function addSourceCredits(db: Db, serverId: string, credits: number, updatedAt: number): Promise<number> {
  const row = await db
    .insertInto('sourceCredits')
    .values({ serverId, credits, updatedAt })
    .onConflict((conflict) =>
      conflict.column('serverId').doUpdateSet({ ...sumsOf('sourceCredits', 'credits'), updatedAt }),
    )
    .returning('credits')
    .executeTakeFirstOrThrow()
  return row.credits
}
