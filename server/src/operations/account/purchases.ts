import { PLAN_NAMES, PURCHASES_PER_PAGE } from '@docent/contract/operations/purchases'
import { limitsOf, planOf } from '#auth/plans.ts'
import { priceOfPlan, priceOfSources, type Price, endPurchase, grantPurchase } from '#billing/purchases.ts'
import {
  type ListedPurchase,
  type PurchaseFilter,
  countPurchases,
  listPurchaseRows,
  findPurchase,
  type PurchaseRow,
} from '#store/accounts/purchases.ts'
import type { Db } from '#store/db.ts'
import { DocentError } from '#errors.ts'
import { isoTime, isoTimeOrNull } from '#lib/clock.ts'
import type { Handler, CheckedCall } from '../operation.ts'
import { pagingOf, partOf } from '../paging.ts'

export const listPlans: Handler<'plans.list'> = async ({ deps }) => ({
  plans: PLAN_NAMES.map((plan) => ({
    plan,
    price: presentPrice(priceOfPlan(plan, deps.config.planPrices)),
    limits: limitsOf(plan),
    requestLog: planOf(plan).coreAnalytics,
  })),
  sourcePrice: presentPrice(priceOfSources(1)),
  payment: deps.payments.payment,
})

export const listPurchases: Handler<'purchases.list'> = async ({ deps, actor }, { page }) =>
  readPage(deps.store.read, { accountId: actor.accountId }, page, presentPurchase)

export const listAllPurchases: Handler<'purchases.listAll'> = async ({ deps }, { state, page }) =>
  readPage(deps.store.read, { state }, page, presentForOperator)

async function readPage<T>(db: Db, filter: PurchaseFilter, page: number, present: (row: ListedPurchase) => T) {
  const total = await countPurchases(db, filter)
  const rows = await listPurchaseRows(db, filter, partOf(page, PURCHASES_PER_PAGE))
  return { purchases: rows.map(present), ...pagingOf(page, PURCHASES_PER_PAGE, total) }
}

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

/** Cents are exact in the store; people read dollars. */
function presentPrice(price: Price) {
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
    settledAt: isoTimeOrNull(row.settledAt),
  }
}

/** A purchase as the operator sees it. */
export function presentForOperator(row: ListedPurchase) {
  const account = { id: row.accountId, email: row.email, plan: row.accountPlan }
  return { ...presentPurchase(row), account }
}
