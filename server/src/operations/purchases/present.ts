import type { ListedPurchase, PurchaseRow } from '#store/accounts/purchases.ts'
import type { Price } from '#billing/prices.ts'
import { isoTime } from '../servers/present.ts'

/** Cents are exact in the store; people read dollars. */
export function presentPrice(price: Price) {
  return price && { amount: price.cents / 100, currency: 'USD' as const, per: price.per }
}

/** A purchase as its account sees it. */
export function presentPurchase(row: PurchaseRow & { serverName: string | null }) {
  const { id, kind, serverId, serverName, sources, plan, priceCents, note, state, reason } = row
  const per = kind === 'plan' ? ('month' as const) : ('once' as const)
  return {
    id,
    kind,
    serverId,
    serverName,
    sources,
    plan,
    price: presentPrice(priceCents === null ? null : { cents: priceCents, per }),
    note,
    state,
    reason,
    createdAt: isoTime(row.createdAt),
    settledAt: row.settledAt === null ? null : isoTime(row.settledAt),
  }
}

/** A purchase as the operator sees it. */
export function presentForOperator(row: ListedPurchase) {
  const account = { id: row.accountId, email: row.email, plan: row.accountPlan }
  return { ...presentPurchase(row), account }
}
