import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'

export type PurchaseRow = Selectable<Schema['purchases']>

/** A purchase with what people recognise it by. The server's name is null for a plan, or if the server is gone. */
export type ListedPurchase = PurchaseRow & { serverName: string | null; email: string; accountPlan: string }

/** Purchases of one account, or of all for the operator. */
export type PurchaseFilter = { accountId?: string; state?: PurchaseRow['state'] | undefined }

export async function insertPurchase(tx: Db, purchase: PurchaseRow): Promise<void> {
  await tx.insertInto('purchases').values(purchase).execute()
}

export async function findPurchase(db: Db, id: string, accountId?: string): Promise<ListedPurchase | undefined> {
  return listed(db, accountId === undefined ? {} : { accountId })
    .where('purchases.id', '=', id)
    .executeTakeFirst()
}

/** Newest first, at most `limit` after the first `offset`. */
export async function listPurchaseRows(
  db: Db,
  filter: PurchaseFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListedPurchase[]> {
  return listed(db, filter)
    .orderBy('purchases.createdAt', 'desc')
    .orderBy('purchases.id')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countPurchases(db: Db, { accountId, state }: PurchaseFilter): Promise<number> {
  let query = db.selectFrom('purchases').select(sql<number>`count(*)`.as('purchases'))
  if (accountId !== undefined) query = query.where('accountId', '=', accountId)
  if (state !== undefined) query = query.where('state', '=', state)
  return (await query.executeTakeFirstOrThrow()).purchases
}

/** True if the account has an open request for a plan. */
export async function hasOpenPlanPurchase(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('purchases')
    .select('id')
    .where('accountId', '=', accountId)
    .where('state', '=', 'requested')
    .where('kind', '=', 'plan')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Settles an open purchase. One conditional statement, so that of any number of concurrent decisions exactly one
 * succeeds. Undefined if it was settled before.
 */
export async function settlePurchaseRow(
  tx: Db,
  id: string,
  settled: Pick<PurchaseRow, 'state' | 'reason' | 'settledAt' | 'settledBy'>,
): Promise<PurchaseRow | undefined> {
  return tx
    .updateTable('purchases')
    .set(settled)
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .returningAll()
    .executeTakeFirst()
}

function listed(db: Db, { accountId, state }: PurchaseFilter) {
  let query = db
    .selectFrom('purchases')
    .innerJoin('accounts', 'accounts.id', 'purchases.accountId')
    .leftJoin('servers', 'servers.id', 'purchases.serverId')
    .selectAll('purchases')
    .select(['servers.name as serverName', 'accounts.email', 'accounts.plan as accountPlan'])
  if (accountId !== undefined) query = query.where('purchases.accountId', '=', accountId)
  if (state !== undefined) query = query.where('purchases.state', '=', state)
  return query
}

/** Number of sources purchased for the server. */
export async function sourceCredits(db: Db, serverId: string): Promise<number> {
  const row = await db.selectFrom('sourceCredits').select('credits').where('serverId', '=', serverId).executeTakeFirst()
  return row?.credits ?? 0
}

/** Adds purchased sources to the server. Returns the new total. */
export async function addSourceCredits(db: Db, serverId: string, credits: number, updatedAt: number): Promise<number> {
  const row = await db
    .insertInto('sourceCredits')
    .values({ serverId, credits, updatedAt })
    .onConflict((conflict) =>
      conflict.column('serverId').doUpdateSet({
        credits: sql<number>`source_credits.credits + excluded.credits`,
        updatedAt,
      }),
    )
    .returning('credits')
    .executeTakeFirstOrThrow()
  return row.credits
}
