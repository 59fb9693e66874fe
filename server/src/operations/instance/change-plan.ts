import { DocentError } from '#errors.ts'
import { monthOf } from '#lib/clock.ts'
import { setPlan } from '#store/accounts/accounts.ts'
import { listReportedAccounts } from '#store/instance/instance-report.ts'
import type { Handler } from '../operation.ts'
import { partOf, presentAccount } from './present.ts'

export const changeAccountPlan: Handler<'instance.changePlan'> = async ({ deps, account }, { plan }) => {
  const { store, clock } = deps
  await setPlan(store.write, account.id, plan)
  const wanted = { id: account.id, month: monthOf(clock()).name }
  const [changed] = await listReportedAccounts(store.write, wanted, partOf(1))
  if (!changed) throw new DocentError('account_not_found')
  return presentAccount(changed)
}
