import { DocentError } from '#errors.ts'
import { findApiKey } from '#store/accounts/api-keys.ts'
import type { Db } from '#store/db.ts'
import { hashSecret, isWellFormed, sameHash } from './secret.ts'

/** The caller: the account behind a valid key, session or client secret, and the servers it may see. */
export type Actor = {
  accountId: string
  /** The presented credential. The secret is never stored. */
  credential: { kind: 'key' | 'session' | 'client'; id: string; secret: string }
  plan: string
  trialEndsAt: number | null
  /** Servers visible to a scoped key. Null for the whole account. */
  serverIds: ReadonlySet<string> | null
}

/**
 * Resolves an `Authorization` header to the caller. Throws the same `401 unauthorized` for a missing, malformed,
 * unknown or revoked key.
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

/** Extracts the credential from a `Bearer` header, or null. */
export function bearer(authorization: string | null | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null
}
