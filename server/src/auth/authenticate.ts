import { DocentError } from '#errors.ts'
import { findApiKey } from '#store/accounts/keys.ts'
import type { Db } from '#store/db.ts'
import { lastKnown } from '#store/engine/outages.ts'
import { hashSecret, isWellFormed, sameHash } from './secret.ts'

/** The caller: the account behind a valid key, session or client secret, and the servers it may see. */
export type Actor = {
  accountId: string
  /** The presented credential. The secret is never stored. */
  credential: { kind: 'key' | 'session' | 'client'; id: string; secret: string }
  plan: string
  trialEndsAt: number | null
  /** The account is the operator of this instance. */
  isOperator: boolean
  /** Servers visible to a scoped key. Null for the whole account. */
  serverIds: ReadonlySet<string> | null
}

/** Finds the live key with a hash, with its account. */
export type FindKey = (hash: string) => ReturnType<typeof findApiKey>

/** Recently used keys remembered for database outages. */
const KEYS = 10_000

/** Looks up keys in the database. During an outage, falls back to recently found keys. */
export function keyLookup(db: Db): FindKey {
  return lastKnown((hash) => findApiKey(db, hash), { entries: KEYS })
}

/**
 * Resolves an `Authorization` header to the caller. Throws the same `401 unauthorized` for a missing, malformed,
 * unknown or revoked key.
 */
export async function authenticateKey(db: Db, authorization: string | null): Promise<Actor> {
  const actor = await actorOf((hash) => findApiKey(db, hash), bearer(authorization))
  if (!actor) throw new DocentError('unauthorized')
  return actor
}

/** The caller behind a presented credential. Null if it is no valid API key. */
export async function actorOf(findKey: FindKey, presented: string | null): Promise<Actor | null> {
  if (!presented || !isWellFormed('dk_live_', presented)) return null
  const hash = hashSecret(presented)
  const key = await findKey(hash)
  if (!key || !sameHash(key.hash, hash)) return null
  return {
    accountId: key.accountId,
    credential: { kind: 'key', id: key.id, secret: presented },
    plan: key.plan,
    trialEndsAt: key.trialEndsAt,
    isOperator: key.isOperator === 1,
    serverIds: key.serverIds === null ? null : new Set(JSON.parse(key.serverIds) as string[]),
  }
}

/** Extracts the credential from a `Bearer` header, or null. */
export function bearer(authorization: string | null | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null
}
