import { MAX_OPEN_PURCHASES } from '@docent/contract/operations/purchases'
import { priceOfPlan, priceOfSources } from '#billing/purchases.ts'
import { DocentError } from '#errors.ts'
import { newId } from '#lib/ids.ts'
import { findAccount } from '#store/accounts/accounts.ts'
import {
  type PurchaseRow,
  countPurchases,
  findPurchase,
  hasOpenPlanPurchase,
  insertPurchase,
} from '#store/accounts/purchases.ts'
import type { Db } from '#store/db.ts'
import { lockAccount, lockServer } from '#store/servers/servers.ts'
import type { CheckedCall, Handler } from '../operation.ts'
import { SEND_EVENT } from '#webhooks/announce.ts'
import { presentForOperator, presentPurchase } from './purchases.ts'

type What = Pick<PurchaseRow, 'kind' | 'serverId' | 'sources' | 'plan' | 'priceCents' | 'note'>
type Asking = Pick<CheckedCall<'purchases.requestPlan'>, 'deps' | 'actor' | 'remember'>

export const requestSources: Handler<'purchases.requestSources'> = async (call, { sources, note }) => {
  const { id: serverId, name } = call.server
  const priceCents = priceOfSources(sources)?.cents ?? null
  return request(call, { kind: 'sources', serverId, sources, plan: null, priceCents, note }, name, async (tx) => {
    if (!(await lockServer(tx, serverId))) throw new DocentError('server_not_found')
  })
}

export const requestPlan: Handler<'purchases.requestPlan'> = async (call, { plan, note }) => {
  const { deps, actor } = call
  const priceCents = priceOfPlan(plan, deps.config.planPrices)?.cents ?? null
  return request(call, { kind: 'plan', serverId: null, sources: null, plan, priceCents, note }, null, async (tx) => {
    if ((await findAccount(tx, actor.accountId))?.plan === plan) throw new DocentError('plan_is_current')
    if (await hasOpenPlanPurchase(tx, actor.accountId)) throw new DocentError('plan_requested')
  })
}

/** Stores a request unless `refuse` throws. */
async function request(
  { deps, actor, remember }: Asking,
  what: What,
  serverName: string | null,
  refuse: (tx: Db) => Promise<void>,
) {
  const purchase: PurchaseRow = {
    ...what,
    id: newId('pur'),
    accountId: actor.accountId,
    state: 'requested',
    reason: null,
    createdAt: deps.clock(),
    settledAt: null,
    settledBy: null,
  }
  const checkoutUrl = await deps.payments.checkoutUrl(purchase)
  return deps.store.transaction(async (tx) => {
    // Two concurrent requests cannot both take the last place.
    await lockAccount(tx, actor.accountId)
    await refuse(tx)
    const open = await countPurchases(tx, { accountId: actor.accountId, state: 'requested' })
    if (open >= MAX_OPEN_PURCHASES) throw new DocentError('purchase_limit', { fields: { limit: MAX_OPEN_PURCHASES } })
    await insertPurchase(tx, purchase)
    await tellOperators(tx, purchase)
    const answer = { ...presentPurchase({ ...purchase, serverName }), checkoutUrl }
    await remember(tx, answer)
    return answer
  })
}

async function tellOperators(tx: Db, { id, accountId, serverId, createdAt }: PurchaseRow): Promise<void> {
  const stored = await findPurchase(tx, id)
  if (!stored) throw new Error('The purchase was not stored')
  await SEND_EVENT['purchase.requested'](tx, { accountId, serverId, data: presentForOperator(stored) }, createdAt)
}
