import { PLAN_NAMES, type PlanName } from '@docent/contract/operations/purchases'
import { changePlan } from '@docent/server/auth/accounts.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { withStore } from '../with-store.ts'

/** `docent admin plan`: moves an account to another plan. */
export async function changeAdminPlan(
  terminal: Terminal,
  { email, plan }: { email: string; plan: string },
): Promise<number> {
  if (!isPlan(plan)) {
    throw new CommandError(`There is no plan "${plan}". Known are ${PLAN_NAMES.join(', ')}.`, EXIT.usage)
  }
  await withStore(terminal, (store) => changePlan(store, { email, plan }))
  terminal.err(`${email} is on the plan ${plan} now.\n`)
  return EXIT.ok
}

const isPlan = (name: string): name is PlanName => (PLAN_NAMES as readonly string[]).includes(name)
