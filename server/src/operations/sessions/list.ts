import { livingAt } from '#auth/sessions.ts'
import { DocentError } from '#errors.ts'
import { findAccount } from '#store/accounts/accounts.ts'
import { listSessionRows } from '#store/accounts/keys.ts'
import type { Handler } from '../operation.ts'
import { presentAccount, presentSession } from './present.ts'

export const listSessions: Handler<'sessions.list'> = async ({ deps, actor }) => {
  const { read } = deps.store
  const account = await findAccount(read, actor.accountId)
  if (!account) throw new DocentError('unauthorized')
  const { kind, id } = actor.credential
  const sessions = await listSessionRows(read, actor.accountId, livingAt(deps.clock()))
  const current = kind === 'session' ? id : null
  return { account: presentAccount(account), sessions: sessions.map((session) => presentSession(session, current)) }
}
