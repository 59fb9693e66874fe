import { findLinkedAccount } from '#store/accounts/linked-accounts.ts'
import type { Handler } from '../operation.ts'
import { presentLinked } from './present.ts'

export const getLinkedAccount: Handler<'linkedAccounts.get'> = async ({ deps, actor, codeHost }) =>
  presentLinked(deps, codeHost, await findLinkedAccount(deps.store.read, actor.accountId, codeHost))
