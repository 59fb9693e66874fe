import type { Store } from '#store/db.ts'
import { callsInMonth, countCall } from '#store/monthly-calls.ts'
import { planOf } from './plans.ts'

/** A calendar month in UTC: how it is called, and where it begins and ends, in milliseconds since 1970. */
export type Month = { name: string; start: number; end: number }

export function monthOf(now: number): Month {
  const date = new Date(now)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { name: date.toISOString().slice(0, 7), start: Date.UTC(year, month), end: Date.UTC(year, month + 1) }
}

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
 * allowance stands. Calls are counted on plans without a limit, too, since the usage page shows them.
 */
export async function takeFromAllowance(
  store: Store,
  caller: { accountId: string; plan: string; now: number },
): Promise<(Allowance & { limit: number }) | null> {
  const limit = planOf(caller.plan).mcpRequestsPerMonth
  const { name: month } = monthOf(caller.now)
  const { accountId } = caller
  if (await countCall(store.write, { accountId, month, limit: limit ?? Number.MAX_SAFE_INTEGER })) return null
  const { used, resetsAt } = await readAllowance(store, caller)
  return { limit: limit ?? used, used, resetsAt }
}
