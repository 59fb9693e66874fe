import type { PlanName } from '@docent/contract/operations/purchases'
import { type PurchaseRow, settlePurchaseRow, addSourceCredits } from '#store/accounts/purchases.ts'
import { DocentError } from '#errors.ts'
import { setPlan } from '#store/accounts/accounts.ts'
import type { Store } from '#store/db.ts'

/** A price in US cents. Null: agreed with the operator. */
export type Price = { cents: number; per: 'once' | 'month' } | null

export const SOURCE_PRICE_CENTS = 300

/** The operator's prices per month by plan. A missing plan has no fixed price. */
export type PlanPrices = Partial<Record<PlanName, number>>

export const priceOfSources = (sources: number): Price => ({ cents: sources * SOURCE_PRICE_CENTS, per: 'once' })

/** The free plan costs nothing unless the operator says otherwise. */
export function priceOfPlan(plan: PlanName, prices: PlanPrices): Price {
  const cents = prices[plan] ?? (plan === 'free' ? 0 : null)
  return cents === null ? null : { cents, per: 'month' }
}

/** Takes payments. One that is paid online returns its checkout page and calls `grantPurchase` after the payment. */
export type PaymentProvider = {
  payment: 'operator'
  /** Called once per request, before it is stored. The page to pay at; null if somebody decides later. */
  checkoutUrl(purchase: PurchaseRow): Promise<string | null>
}

/** The operator takes the payment elsewhere and grants the request. */
export const operatorsGrant: PaymentProvider = { payment: 'operator', checkoutUrl: async () => null }

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
  await store.transaction(async (tx) => {
    const ended = await settlePurchaseRow(tx, purchaseId, { ...how, settledAt: now, settledBy: by })
    if (!ended) throw new DocentError('purchase_settled')
  })
}
