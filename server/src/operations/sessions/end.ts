import { DocentError } from '#errors.ts'
import { deleteSessions } from '#store/accounts/keys.ts'
import type { Handler } from '../operation.ts'

export const endSessions: Handler<'sessions.end'> = async ({ deps, actor, visitor, session }, { all }) => {
  const { kind, id } = actor.credential
  const own = kind === 'session' ? id : undefined
  const meant = all ? null : (session?.id ?? own)
  if (meant === undefined) throw new DocentError('session_id_required')
  const ended = await deleteSessions(deps.store.write, actor.accountId, meant)
  if (own !== undefined && (meant === null || meant === own)) visitor?.forgetSession()
  return { ok: true, ended }
}
