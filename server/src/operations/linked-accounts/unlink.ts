import { deleteLinkedAccount } from '#store/accounts/linked-accounts.ts'
import type { Handler } from '../operation.ts'

export const unlinkAccount: Handler<'linkedAccounts.unlink'> = async ({ deps, actor, codeHost }) => ({
  ok: true,
  removed: await deleteLinkedAccount(deps.store.write, actor.accountId, codeHost),
})
