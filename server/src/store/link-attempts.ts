import type { Selectable } from 'kysely'
import type { Db } from './db.ts'
import type { Schema } from './schema.ts'

export type LinkAttempt = Selectable<Schema['linkAttempts']>

/** Notes an attempt, and deletes those whose time has passed. */
export async function insertLinkAttempt(tx: Db, attempt: LinkAttempt, now: number): Promise<void> {
  await tx.deleteFrom('linkAttempts').where('expiresAt', '<=', now).execute()
  await tx.insertInto('linkAttempts').values(attempt).execute()
}

type Claimed = Omit<LinkAttempt, 'expiresAt'> & { now: number }

/** Uses an attempt up. True once, for whoever began it, in time. */
export async function takeLinkAttempt(
  db: Db,
  { stateHash, accountId, credentialId, host, now }: Claimed,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('linkAttempts')
    .where('stateHash', '=', stateHash)
    .where('accountId', '=', accountId)
    .where('credentialId', '=', credentialId)
    .where('host', '=', host)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
