import { MAX_OPEN_PURCHASES, PLAN_NAMES, PURCHASES_PER_PAGE } from '@docent/contract/operations/purchases'
import { WEBHOOK_EVENTS } from '@docent/contract/operations/webhooks'
import { limitsOf, planOf } from '#auth/plans.ts'
import { type Price, endPurchase, grantPurchase, priceOfPlan, priceOfSources } from '#billing/purchases.ts'
import { DocentError, found } from '#errors.ts'
import { isoTimes } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { findAccount } from '#store/accounts/accounts.ts'
import {
  type ListedPurchase,
  type PurchaseFilter,
  type PurchaseRow,
  countPurchases,
  findPurchase,
  hasOpenPlanPurchase,
  insertPurchase,
  listPurchaseRows,
} from '#store/accounts/purchases.ts'
import type { Db } from '#store/db.ts'
import { lockAccount, lockServer } from '#store/servers/servers.ts'
import { SEND_EVENT } from '#webhooks/announce.ts'
import type { CheckedCall, HandlersOf } from '../operation.ts'
import { pagingOf, partOf } from '../paging.ts'

export const purchaseHandlers: HandlersOf<'plans' | 'purchases'> = {
  'plans.list': async ({ deps }) => ({
    plans: PLAN_NAMES.map((plan) => ({
      plan,
      price: presentPrice(priceOfPlan(plan, deps.config.planPrices)),
      limits: limitsOf(plan),
      requestLog: planOf(plan).coreAnalytics,
    })),
    sourcePrice: presentPrice(priceOfSources(1)),
    payment: deps.payments.payment,
  }),

  'purchases.requestSources': async (call, { sources, note }) => {
    const { id: serverId, name } = call.server
    const priceCents = priceOfSources(sources)?.cents ?? null
    return request(call, { kind: 'sources', serverId, sources, plan: null, priceCents, note }, name, async (tx) => {
      found(await lockServer(tx, serverId), 'server_not_found')
    })
  },

  'purchases.requestPlan': async (call, { plan, note }) => {
    const { deps, actor } = call
    const priceCents = priceOfPlan(plan, deps.config.planPrices)?.cents ?? null
    return request(call, { kind: 'plan', serverId: null, sources: null, plan, priceCents, note }, null, async (tx) => {
      if ((await findAccount(tx, actor.accountId))?.plan === plan) throw new DocentError('plan_is_current')
      if (await hasOpenPlanPurchase(tx, actor.accountId)) throw new DocentError('plan_requested')
    })
  },

  'purchases.list': async ({ deps, actor }, { page }) =>
    readPurchases(deps.store.read, { accountId: actor.accountId }, page, presentPurchase),

  'purchases.listAll': async ({ deps }, { state, page }) =>
    readPurchases(deps.store.read, { state }, page, presentForOperator),

  'purchases.grant': async (call) => {
    await grantPurchase(call.deps.store, decisionOf(call))
    return readSettled(call.deps.store.write, call.purchase.id)
  },

  'purchases.refuse': async (call, { reason }) => {
    await endPurchase(call.deps.store, decisionOf(call), { state: 'refused', reason })
    return readSettled(call.deps.store.write, call.purchase.id)
  },

  'purchases.withdraw': async (call) => {
    await endPurchase(call.deps.store, decisionOf(call), { state: 'withdrawn', reason: null })
    return { ok: true }
  },
}

async function readPurchases<T>(db: Db, filter: PurchaseFilter, page: number, present: (row: ListedPurchase) => T) {
  const total = await countPurchases(db, filter)
  const rows = await listPurchaseRows(db, filter, partOf(page, PURCHASES_PER_PAGE))
  return { purchases: rows.map(present), ...pagingOf(page, PURCHASES_PER_PAGE, total) }
}

function decisionOf({ deps, actor, purchase }: Pick<CheckedCall<'purchases.grant'>, 'deps' | 'actor' | 'purchase'>) {
  return { purchaseId: purchase.id, by: actor.accountId, now: deps.clock() }
}

async function readSettled(db: Db, id: string) {
  return presentForOperator(found(await findPurchase(db, id), 'purchase_not_found'))
}

/** Cents are exact in the store; people read dollars. */
const presentPrice = (price: Price) => price && { amount: price.cents / 100, currency: 'USD' as const, per: price.per }

function presentPurchase({ priceCents: cents, ...row }: PurchaseRow & { serverName: string | null }) {
  const per = row.kind === 'plan' ? ('month' as const) : ('once' as const)
  return { ...isoTimes(row), price: presentPrice(cents === null ? null : { cents, per }) }
}

function presentForOperator(row: ListedPurchase) {
  return { ...presentPurchase(row), account: { id: row.accountId, email: row.email, plan: row.accountPlan } }
}

type Asking = Pick<CheckedCall<'purchases.requestPlan'>, 'deps' | 'actor' | 'remember'>
type What = Pick<PurchaseRow, 'kind' | 'serverId' | 'sources' | 'plan' | 'priceCents' | 'note'>

async function request(
  { deps, actor: { accountId }, remember }: Asking,
  what: What,
  serverName: string | null,
  refuse: (tx: Db) => Promise<void>,
) {
  const unsettled = { state: 'requested' as const, reason: null, settledAt: null, settledBy: null }
  const purchase = { ...what, ...unsettled, id: newId('pur'), accountId, createdAt: deps.clock() }
  const checkoutUrl = await deps.payments.checkoutUrl(purchase)
  return deps.store.transaction(async (tx) => {
    // Two concurrent requests cannot both take the last place.
    await lockAccount(tx, accountId)
    await refuse(tx)
    const open = await countPurchases(tx, { accountId, state: 'requested' })
    if (open >= MAX_OPEN_PURCHASES) throw new DocentError('purchase_limit', { fields: { limit: MAX_OPEN_PURCHASES } })
    await insertPurchase(tx, purchase)
    await tellOperators(tx, purchase)
    return remember(tx, { ...presentPurchase({ ...purchase, serverName }), checkoutUrl })
  })
}

async function tellOperators(tx: Db, { id, accountId, serverId, createdAt }: PurchaseRow): Promise<void> {
  const stored = await findPurchase(tx, id)
  if (!stored) throw new Error('The purchase was not stored')
  const data = WEBHOOK_EVENTS['purchase.requested'].data.parse(presentForOperator(stored))
  await SEND_EVENT['purchase.requested'](tx, { accountId, serverId, data }, createdAt)
}
