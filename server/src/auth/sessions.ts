import { SESSION_DAYS } from '@docent/contract/operations/sessions'
import { found } from '#errors.ts'
import { newId } from '#lib/ids.ts'
import type { Db, Store } from '#store/db.ts'
import {
  type Living,
  type SessionRow,
  deleteOldestSessions,
  findSessionByHash,
  insertSession,
} from '#store/accounts/keys.ts'
import { type Actor, actorFrom } from './authenticate.ts'
import { hashSecret, isWellFormed, newSecret, sameHash } from './secret.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const IDLE_MS = SESSION_DAYS.idle * DAY_MS
/** Also the lifetime of the cookie. The server decides when the session ends. */
export const LONGEST_SESSION_MS = SESSION_DAYS.longest * DAY_MS

/** Maximum sessions per person. Beyond it the least recently used session ends. */
export const MAX_SESSIONS = 50
const MAX_USER_AGENT = 200

/** Conditions for a live session at `now`. */
export const livingAt = (now: number): Living => ({ usedAfter: now - IDLE_MS, begunAfter: now - LONGEST_SESSION_MS })

/** End of the session if it is not used before. */
export const endOf = ({ createdAt, lastUsedAt }: Pick<SessionRow, 'createdAt' | 'lastUsedAt'>): number =>
  Math.min(lastUsedAt + IDLE_MS, createdAt + LONGEST_SESSION_MS)

type Opening = { accountId: string; personId: string; userAgent: string | null; now: number }

/** Opens a session, and records it in its transaction. The secret for the cookie is returned only here. */
export async function openSession(
  store: Store,
  { accountId, personId, userAgent, now }: Opening,
  record: (tx: Db, sessionId: string) => Promise<void> = async () => {},
) {
  const { plaintext, hash } = newSecret('dss_')
  const about = { userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null, createdAt: now, lastUsedAt: now }
  const session = { id: newId('ses'), accountId, personId, hash, ...about }
  await store.transaction(async (tx) => {
    await insertSession(tx, session)
    await deleteOldestSessions(tx, personId, MAX_SESSIONS)
    await record(tx, session.id)
  })
  return { secret: plaintext, session }
}

/** Resolves a session secret to the caller. Null for an ended or unknown session. */
export async function findSession(db: Db, secret: string | null, now: number): Promise<Actor | null> {
  if (secret === null || !isWellFormed('dss_', secret)) return null
  const hash = hashSecret(secret)
  const session = await findSessionByHash(db, hash, livingAt(now))
  return session && sameHash(session.hash, hash) ? actorFrom(session, 'session', secret) : null
}

/** The same. Throws `401 unauthorized` for an ended or unknown session. */
export async function authenticateSession(db: Db, secret: string, now: number): Promise<Actor> {
  return found(await findSession(db, secret, now), 'unauthorized')
}
