import type { Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { deletesRow } from '#store/engine/changed-row.ts'

export type LinkAttempt = Selectable<Schema['linkAttempts']>

/** Saves an attempt, and deletes expired ones. */
export async function insertLinkAttempt(tx: Db, attempt: LinkAttempt, now: number): Promise<void> {
  await tx.deleteFrom('linkAttempts').where('expiresAt', '<=', now).execute()
  await tx.insertInto('linkAttempts').values(attempt).execute()
}

type Claimed = Omit<LinkAttempt, 'expiresAt'> & { now: number }

/** Consumes an attempt. True once, for the caller that began it, before it expires. */
export async function takeLinkAttempt(
  db: Db,
  { stateHash, accountId, credentialId, host, now }: Claimed,
): Promise<boolean> {
  return deletesRow(
    db
      .deleteFrom('linkAttempts')
      .where('stateHash', '=', stateHash)
      .where('accountId', '=', accountId)
      .where('credentialId', '=', credentialId)
      .where('host', '=', host)
      .where('expiresAt', '>', now),
  )
}
