import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { deleteRows, deletesRow, findRow, insertRow, updateRows, updatesRow } from '#store/engine/statements.ts'

export type LinkedAccount = Selectable<Schema['linkedAccounts']>

export const findLinkedAccount = (db: Db, accountId: string, host: string): Promise<LinkedAccount | undefined> =>
  findRow(db, 'linkedAccounts', { accountId, host })

export const insertLinkedAccount = (tx: Db, account: Insertable<Schema['linkedAccounts']>): Promise<void> =>
  insertRow(tx, 'linkedAccounts', account)

/** Returns the number of deleted rows. */
export const deleteLinkedAccount = (tx: Db, accountId: string, host: string): Promise<number> =>
  deleteRows(tx, 'linkedAccounts', { accountId, host })

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

export const readLinkedAccount = (db: Db, id: string): Promise<LinkedAccount | undefined> =>
  findRow(db, 'linkedAccounts', { id })

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
  await updateRows(db, 'linkedAccounts', { id }, { refreshingUntil: 0 })
}

type NextToken = Pick<LinkedAccount, 'sealed' | 'sealedRefresh' | 'expiresAt'>

export async function saveNextToken(db: Db, id: string, next: NextToken): Promise<void> {
  await updateRows(db, 'linkedAccounts', { id }, next)
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
