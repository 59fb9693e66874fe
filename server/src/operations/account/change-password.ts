import { setPassword } from '#auth/accounts.ts'
import { DocentError } from '#errors.ts'
import { findAccount } from '#store/accounts/accounts.ts'
import { deleteOtherSessions } from '#store/accounts/keys.ts'
import type { Handler } from '../operation.ts'
import { verifySignIn } from '../sessions/verify-sign-in.ts'

export const changePassword: Handler<'account.changePassword'> = async (call, { current, password }) => {
  const { deps, actor, visitor, signal } = call
  const account = await findAccount(deps.store.read, actor.accountId)
  if (!account) throw new DocentError('unauthorized')
  const { email } = account
  // Calls by programs have no network address here. They share one limit.
  const network = visitor?.address ?? 'program'
  if (!(await verifySignIn(deps, { email, password: current }, { network, signal }))) {
    throw new DocentError('password_wrong')
  }
  await setPassword(deps.store, { email, password })
  const { kind, id } = actor.credential
  const endedSessions = await deleteOtherSessions(deps.store.write, account.id, kind === 'session' ? id : null)
  return { ok: true, endedSessions }
}
