import type { LinkedAccount } from '#store/accounts/linked-accounts.ts'
import type { OperationDeps } from '../operation.ts'
import { isoTime } from '../servers/present.ts'

type Shown = Pick<LinkedAccount, 'login' | 'linkedAt' | 'via'>

export function presentLinked({ hostApps }: OperationDeps, host: string, account: Shown | undefined) {
  const appAvailable = hostApps.has(host)
  if (!account) return { host, linked: false, login: null, linkedAt: null, via: null, appAvailable }
  const { login, linkedAt, via } = account
  return { host, linked: true, login: login || null, linkedAt: isoTime(linkedAt), via, appAvailable }
}
