import { DocentError } from '#errors.ts'
import { livingAt, LONGEST_SESSION_MS, openSession, endOf } from '#auth/sessions.ts'
import { findAccount, type Account } from '#store/accounts/accounts.ts'
import { listSessionRows, deleteSessions, type SessionRow } from '#store/accounts/keys.ts'
import { isoTime } from '#lib/clock.ts'
import type { Handler, OperationDeps, Visitor } from '../operation.ts'
import { verifySignIn } from './verify-sign-in.ts'

export const createSession: Handler<'sessions.create'> = async ({ deps, visitor, signal }, { email, password }) => {
  const browser = requireBrowser(visitor)
  const sent = { email: email.toLowerCase(), password }
  const account = await verifySignIn(deps, sent, { network: browser.address, signal })
  if (!account) throw new DocentError('sign_in_failed')
  return openVisitorSession(deps, browser, account)
}

export const listSessions: Handler<'sessions.list'> = async ({ deps, actor }) => {
  const { read } = deps.store
  const account = await findAccount(read, actor.accountId)
  if (!account) throw new DocentError('unauthorized')
  const { kind, id } = actor.credential
  const sessions = await listSessionRows(read, actor.accountId, livingAt(deps.clock()))
  const current = kind === 'session' ? id : null
  return { account: presentAccount(account), sessions: sessions.map((session) => presentSession(session, current)) }
}

export const endSessions: Handler<'sessions.end'> = async ({ deps, actor, visitor, session }, { all }) => {
  const { kind, id } = actor.credential
  const own = kind === 'session' ? id : undefined
  const meant = all ? null : (session?.id ?? own)
  if (meant === undefined) throw new DocentError('session_id_required')
  const ended = await deleteSessions(deps.store.write, actor.accountId, meant)
  if (own !== undefined && (meant === null || meant === own)) visitor?.forgetSession()
  return { ok: true, ended }
}

/**
 * The browser to sign in. Throws `403 origin_not_allowed` for a page of another site, which could sign the browser in to
 * its own account and read the activity there (login CSRF).
 */
export function requireBrowser(visitor: Visitor | undefined): Visitor {
  if (!visitor) throw new Error('This entry point has no browser to sign in')
  if (visitor.sender === 'foreign') throw new DocentError('origin_not_allowed')
  return visitor
}

/** Signs the visitor's browser in. The caller has checked who it is. */
export async function openVisitorSession({ store, clock }: OperationDeps, visitor: Visitor, account: Account) {
  const { userAgent } = visitor
  const { secret, session } = await openSession(store, { accountId: account.id, userAgent, now: clock() })
  visitor.keepSession(secret, LONGEST_SESSION_MS)
  return { session: presentSession(session, session.id), account: presentAccount(account) }
}

/** A session without its secret. */
function presentSession(session: SessionRow, currentId: string | null) {
  return {
    id: session.id,
    createdAt: isoTime(session.createdAt),
    lastUsedAt: isoTime(session.lastUsedAt),
    expiresAt: isoTime(endOf(session)),
    userAgent: session.userAgent,
    current: session.id === currentId,
  }
}

function presentAccount({ id, email, name, plan, isOperator }: Account) {
  return { id, email, name, plan, isOperator: isOperator === 1 }
}
