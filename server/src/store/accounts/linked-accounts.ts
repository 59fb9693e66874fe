import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { deletedRows, updatesRow, deletesRow } from '#store/engine/statements.ts'

export type LinkedAccount = Selectable<Schema['linkedAccounts']>

export async function findLinkedAccount(db: Db, accountId: string, host: string): Promise<LinkedAccount | undefined> {
  return db
    .selectFrom('linkedAccounts')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('host', '=', host)
    .executeTakeFirst()
}

export async function insertLinkedAccount(tx: Db, account: Insertable<Schema['linkedAccounts']>): Promise<void> {
  await tx.insertInto('linkedAccounts').values(account).execute()
}

/** Returns the number of deleted rows. */
export async function deleteLinkedAccount(tx: Db, accountId: string, host: string): Promise<number> {
  return deletedRows(tx.deleteFrom('linkedAccounts').where('accountId', '=', accountId).where('host', '=', host))
}

/**
 * The linked account of a source's owner, if the source is private and authorized to use it. Public sources are read
 * anonymously, so that an old permission does not publish a repository that was closed later.
 */
export async function findAccountOfPrivateSource(
  db: Db,
  sourceId: string,
  host: string,
): Promise<LinkedAccount | undefined> {
  return db
    .selectFrom('linkedAccounts')
    .innerJoin('servers', 'servers.accountId', 'linkedAccounts.accountId')
    .innerJoin('sources', 'sources.serverId', 'servers.id')
    .selectAll('linkedAccounts')
    .where('sources.id', '=', sourceId)
    .where('sources.isPrivate', '=', 1)
    .where('sources.usesLinkedAccount', '=', 1)
    .where('linkedAccounts.host', '=', host)
    .executeTakeFirst()
}

export async function readLinkedAccount(db: Db, id: string): Promise<LinkedAccount | undefined> {
  return db.selectFrom('linkedAccounts').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Claims a token refresh for this node until `until`. False while another node has the claim. */
export async function claimRefresh(
  db: Db,
  id: string,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  return updatesRow(
    db
      .updateTable('linkedAccounts')
      .set({ refreshingUntil: until })
      .where('id', '=', id)
      .where('refreshingUntil', '<=', now),
  )
}

/** Releases the claim of `claimRefresh`. */
export async function releaseRefresh(db: Db, id: string): Promise<void> {
  await db.updateTable('linkedAccounts').set({ refreshingUntil: 0 }).where('id', '=', id).execute()
}

type NextToken = Pick<LinkedAccount, 'sealed' | 'sealedRefresh' | 'expiresAt'>

export async function saveNextToken(db: Db, id: string, next: NextToken): Promise<void> {
  await db.updateTable('linkedAccounts').set(next).where('id', '=', id).execute()
}

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
