import { monthOf } from '#lib/clock.ts'
import { countReportedAccounts, listReportedAccounts } from '#store/instance/instance-report.ts'
import type { Handler } from '../operation.ts'
import { pagingOf, partOf, presentAccount } from './present.ts'

export const listAccounts: Handler<'instance.accounts'> = async ({ deps }, { email, page }) => {
  const { read } = deps.store
  const total = await countReportedAccounts(read, { email })
  const month = monthOf(deps.clock()).name
  const rows = await listReportedAccounts(read, { email, month }, partOf(page))
  return { accounts: rows.map(presentAccount), ...pagingOf(page, total) }
}
