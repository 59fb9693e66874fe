import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { AHEAD_MS, above, updateRows } from '#store/rows.ts'
import type { Schema } from '#store/schema.ts'

/** Tokens with their time of issue. */
const ISSUED = ['attributionTokens', 'embedSessions', 'invitations'] as const

/**
 * Gives tokens of a clock that was ahead their lifetime from now on, or they would be valid for the difference as well.
 * `lifetimes` are those of OAuth tokens, in milliseconds.
 */
export async function healTokens(
  db: Db,
  now: number,
  lifetimes: Record<Schema['oauthTokens']['kind'], number>,
): Promise<void> {
  const createdAt = above(now + AHEAD_MS)
  const expiresAt = sql<number>`expires_at - created_at + ${sql.lit(now)}`
  for (const table of ISSUED) await updateRows(db, table, { createdAt }, { expiresAt, createdAt: now })
  await updateRows(db, 'sessions', { createdAt }, { createdAt: now, lastUsedAt: now })
  for (const kind of ['code', 'access', 'refresh'] as const) {
    const end = now + lifetimes[kind]
    await updateRows(db, 'oauthTokens', { kind, expiresAt: above(end + AHEAD_MS) }, { expiresAt: end })
  }
}
