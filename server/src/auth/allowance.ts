import { monthOf } from '#lib/month.ts'
import type { Store } from '#store/db.ts'
import { callsInMonth, countCall } from '#store/monthly-calls.ts'
import { planOf } from './plans.ts'

/** Whether the plan's calls need not be counted before they are answered. */
export const isUnlimited = (plan: string): boolean => planOf(plan).mcpRequestsPerMonth === null

export type Allowance = { limit: number | null; used: number; resetsAt: number }

/** What an account has used of its plan's monthly calls. */
export async function readAllowance(
  { read }: Store,
  { accountId, plan, now }: { accountId: string; plan: string; now: number },
): Promise<Allowance> {
  const month = monthOf(now)
  const used = await callsInMonth(read, accountId, month.name)
  return { limit: planOf(plan).mcpRequestsPerMonth, used, resetsAt: month.end }
}

/**
 * Takes one call off the monthly allowance that all servers of the account share. Null when it may pass; else how the
 * allowance stands. On a plan without a limit nothing is taken: its calls are counted with the request log, in batches.
 */
export async function takeFromAllowance(
  store: Store,
  caller: { accountId: string; plan: string; now: number },
): Promise<(Allowance & { limit: number }) | null> {
  const limit = planOf(caller.plan).mcpRequestsPerMonth
  if (limit === null) return null
  const { name: month } = monthOf(caller.now)
  const { accountId } = caller
  if (await countCall(store.write, { accountId, month, limit })) return null
  const { used, resetsAt } = await readAllowance(store, caller)
  return { limit, used, resetsAt }
}
