import { endOf } from '#auth/sessions.ts'
import type { Account } from '#store/accounts/accounts.ts'
import type { SessionRow } from '#store/accounts/keys.ts'
import { isoTime } from '../servers/present.ts'

/** A session without its secret. */
export function presentSession(session: SessionRow, currentId: string | null) {
  return {
    id: session.id,
    createdAt: isoTime(session.createdAt),
    lastUsedAt: isoTime(session.lastUsedAt),
    expiresAt: isoTime(endOf(session)),
    userAgent: session.userAgent,
    current: session.id === currentId,
  }
}

export function presentAccount({ id, email, name, plan, isOperator }: Account) {
  return { id, email, name, plan, isOperator: isOperator === 1 }
}
