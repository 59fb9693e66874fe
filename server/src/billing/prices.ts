import type { PlanName } from '@docent/contract/operations/purchases'

/** A price in US cents. Null: agreed with the operator. */
export type Price = { cents: number; per: 'once' | 'month' } | null

/** Price of one source beyond the plan. */
export const SOURCE_PRICE_CENTS = 300

/** The operator's prices per month by plan. A missing plan has no fixed price. */
export type PlanPrices = Partial<Record<PlanName, number>>

export const priceOfSources = (sources: number): Price => ({ cents: sources * SOURCE_PRICE_CENTS, per: 'once' })

/** The free plan costs nothing unless the operator says otherwise. */
export function priceOfPlan(plan: PlanName, prices: PlanPrices): Price {
  const cents = prices[plan] ?? (plan === 'free' ? 0 : null)
  return cents === null ? null : { cents, per: 'month' }
}
