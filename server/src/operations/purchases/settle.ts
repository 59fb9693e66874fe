import { endPurchase, grantPurchase } from '#billing/settle-purchase.ts'
import { DocentError } from '#errors.ts'
import { findPurchase } from '#store/accounts/purchases.ts'
import type { Db } from '#store/db.ts'
import type { CheckedCall, Handler } from '../operation.ts'
import { presentForOperator } from './present.ts'

export const grantRequest: Handler<'purchases.grant'> = async (call) => {
  await grantPurchase(call.deps.store, decisionOf(call))
  return readSettled(call.deps.store.write, call.purchase.id)
}

export const refuseRequest: Handler<'purchases.refuse'> = async (call, { reason }) => {
  await endPurchase(call.deps.store, decisionOf(call), { state: 'refused', reason })
  return readSettled(call.deps.store.write, call.purchase.id)
}

export const withdrawRequest: Handler<'purchases.withdraw'> = async (call) => {
  await endPurchase(call.deps.store, decisionOf(call), { state: 'withdrawn', reason: null })
  return { ok: true }
}

type Deciding = Pick<CheckedCall<'purchases.grant'>, 'deps' | 'actor' | 'purchase'>

const decisionOf = ({ deps, actor, purchase }: Deciding) => ({
  purchaseId: purchase.id,
  by: actor.accountId,
  now: deps.clock(),
})

async function readSettled(db: Db, id: string) {
  const purchase = await findPurchase(db, id)
  if (!purchase) throw new DocentError('purchase_not_found')
  return presentForOperator(purchase)
}
