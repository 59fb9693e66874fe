import { INSTANCE_PAGE_SIZE } from '@docent/contract/operations/instance'
import { PLAN_NAMES, type PlanName } from '@docent/contract/operations/purchases'
import type { ReportedAccount } from '#store/instance/instance-report.ts'
import { isoTime } from '../servers/present.ts'

export function presentAccount({ isOperator, trialEndsAt, createdAt, plan, ...account }: ReportedAccount) {
  return {
    ...account,
    // Unknown names have the limits of the smallest plan.
    plan: PLAN_NAMES.find((name) => name === plan) ?? ('free' satisfies PlanName),
    isOperator: isOperator === 1,
    trialEndsAt: trialEndsAt === null ? null : isoTime(trialEndsAt),
    createdAt: isoTime(createdAt),
  }
}

/** The part of a list on a page, for queries. */
export const partOf = (page: number) => ({ limit: INSTANCE_PAGE_SIZE, offset: (page - 1) * INSTANCE_PAGE_SIZE })

/** Members of an answer with one page of a list. */
export const pagingOf = (page: number, total: number) =>
  ({ page, pageSize: INSTANCE_PAGE_SIZE, total, totalPages: Math.ceil(total / INSTANCE_PAGE_SIZE) }) as const
