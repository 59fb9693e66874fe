import { PLAN_NAMES } from '@docent/contract/operations/purchases'
import { limitsOf, planOf } from '#auth/plans.ts'
import { priceOfPlan, priceOfSources } from '#billing/prices.ts'
import type { Handler } from '../operation.ts'
import { presentPrice } from '../purchases/present.ts'

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
