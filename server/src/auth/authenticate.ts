import { DocentError } from '#errors.ts'
import { findApiKey } from '#store/api-keys.ts'
import type { Db } from '#store/db.ts'
import { hashSecret, isWellFormed, sameHash } from './secret.ts'

/** Who calls: the account behind a valid key or session, and what of it may be seen. */
export type Actor = {
  accountId: string
  /** What the caller has shown; the secret is kept nowhere. */
  credential: { kind: 'key' | 'session'; id: string; secret: string }
  plan: string
  trialEndsAt: number | null
  /** The servers that a scoped key may see; null for the whole account. */
  serverIds: ReadonlySet<string> | null
}

/**
 * The caller behind an `Authorization` header. Throws `401 unauthorized` when there is no key, or it is malformed,
 * unknown or revoked: always the same answer.
 */
export async function authenticateKey(db: Db, authorization: string | null): Promise<Actor> {
  const presented = bearer(authorization)
  if (!presented || !isWellFormed('dk_live_', presented)) throw new DocentError('unauthorized')
  const hash = hashSecret(presented)
  const key = await findApiKey(db, hash)
  if (!key || !sameHash(key.hash, hash)) throw new DocentError('unauthorized')
  return {
    accountId: key.accountId,
    credential: { kind: 'key', id: key.id, secret: presented },
    plan: key.plan,
    trialEndsAt: key.trialEndsAt,
    serverIds: key.serverIds === null ? null : new Set(JSON.parse(key.serverIds) as string[]),
  }
}

/** The credential of a `Bearer` header, or null. */
export function bearer(authorization: string | null | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null
}
