import { LONGEST_SESSION_MS, openSession } from '#auth/sessions.ts'
import type { Account } from '#store/accounts/accounts.ts'
import type { OperationDeps, Visitor } from '../operation.ts'
import { presentAccount, presentSession } from './present.ts'

/** Signs the visitor's browser in. The caller has checked who it is. */
export async function openVisitorSession({ store, clock }: OperationDeps, visitor: Visitor, account: Account) {
  const { userAgent } = visitor
  const { secret, session } = await openSession(store, { accountId: account.id, userAgent, now: clock() })
  visitor.keepSession(secret, LONGEST_SESSION_MS)
  return { session: presentSession(session, session.id), account: presentAccount(account) }
}
