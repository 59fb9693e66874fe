import type { LinkedAccount } from '#store/linked-accounts.ts'
import { isoTime } from '../servers/present.ts'

export function presentLinked(host: string, account: Pick<LinkedAccount, 'login' | 'linkedAt'> | undefined) {
  if (!account) return { host, linked: false, login: null, linkedAt: null }
  return { host, linked: true, login: account.login, linkedAt: isoTime(account.linkedAt) }
}
