import { DocentError } from '#errors.ts'
import { setPlan } from '#store/accounts/accounts.ts'
import { type PurchaseRow, settlePurchaseRow, addSourceCredits } from '#store/accounts/purchases.ts'
import type { Store } from '#store/db.ts'

type Decision = { purchaseId: string; by: string; now: number }

/**
 * Grants a purchase with its effect in one transaction, so that concurrent grants have one effect. Throws `409
 * purchase_settled` for a settled one and `409 purchase_server_gone` if its server was purged.
 */
export async function grantPurchase(store: Store, { purchaseId, by, now }: Decision): Promise<void> {
  await store.transaction(async (tx) => {
    const settled = { state: 'granted' as const, reason: null, settledAt: now, settledBy: by }
    const purchase = await settlePurchaseRow(tx, purchaseId, settled)
    if (!purchase) throw new DocentError('purchase_settled')
    const { kind, plan, serverId, sources } = purchase
    if (kind === 'plan') return setPlan(tx, purchase.accountId, plan ?? '')
    // The transaction is rolled back, so the request stays open.
    if (serverId === null) throw new DocentError('purchase_server_gone')
    await addSourceCredits(tx, serverId, sources ?? 0, now)
  })
}

/** Ends a request without an effect. Throws `409 purchase_settled`. */
export async function endPurchase(
  store: Store,
  { purchaseId, by, now }: Decision,
  how: Pick<PurchaseRow, 'state' | 'reason'>,
): Promise<void> {
  const ended = await settlePurchaseRow(store.write, purchaseId, { ...how, settledAt: now, settledBy: by })
  if (!ended) throw new DocentError('purchase_settled')
}
