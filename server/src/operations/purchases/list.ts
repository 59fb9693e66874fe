import { PURCHASES_PER_PAGE } from '@docent/contract/operations/purchases'
import {
  type ListedPurchase,
  type PurchaseFilter,
  countPurchases,
  listPurchaseRows,
} from '#store/accounts/purchases.ts'
import type { Db } from '#store/db.ts'
import type { Handler } from '../operation.ts'
import { presentForOperator, presentPurchase } from './present.ts'

export const listPurchases: Handler<'purchases.list'> = async ({ deps, actor }, { page }) =>
  readPage(deps.store.read, { accountId: actor.accountId }, page, presentPurchase)

export const listAllPurchases: Handler<'purchases.listAll'> = async ({ deps }, { state, page }) =>
  readPage(deps.store.read, { state }, page, presentForOperator)

async function readPage<T>(db: Db, filter: PurchaseFilter, page: number, present: (row: ListedPurchase) => T) {
  const total = await countPurchases(db, filter)
  const rows = await listPurchaseRows(db, filter, {
    limit: PURCHASES_PER_PAGE,
    offset: (page - 1) * PURCHASES_PER_PAGE,
  })
  const totalPages = Math.ceil(total / PURCHASES_PER_PAGE)
  return {
    purchases: rows.map(present),
    page,
    pageSize: PURCHASES_PER_PAGE as typeof PURCHASES_PER_PAGE,
    total,
    totalPages,
  }
}
