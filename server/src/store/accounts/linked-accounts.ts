import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { above, atMost, deleteRows, findRow, insertRow, updateRows } from '#store/rows.ts'

export type LinkedAccount = Selectable<Schema['linkedAccounts']>

export const findLinkedAccount = (db: Db, accountId: string, host: string) =>
  findRow(db, 'linkedAccounts', { accountId, host })

export const insertLinkedAccount = (tx: Db, account: Insertable<Schema['linkedAccounts']>) =>
  insertRow(tx, 'linkedAccounts', account)

/** Returns the number of deleted rows. */
export const deleteLinkedAccount = (tx: Db, accountId: string, host: string) =>
  deleteRows(tx, 'linkedAccounts', { accountId, host })

/** The account for a private source that may use it. Public ones are read anonymously: they may be closed later. */
export async function findAccountOfPrivateSource(db: Db, sourceId: string, host: string) {
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

export const readLinkedAccount = (db: Db, id: string) => findRow(db, 'linkedAccounts', { id })

/** Claims a token refresh for this node until `until`. False while another node has the claim. */
export const claimRefresh = (db: Db, id: string, { now, until }: { now: number; until: number }) =>
  updateRows(db, 'linkedAccounts', { id, refreshingUntil: atMost(now) }, { refreshingUntil: until })

/** Releases the claim of `claimRefresh`. */
export const releaseRefresh = (db: Db, id: string) => updateRows(db, 'linkedAccounts', { id }, { refreshingUntil: 0 })

type NextToken = Pick<LinkedAccount, 'sealed' | 'sealedRefresh' | 'expiresAt'>

export const saveNextToken = (db: Db, id: string, next: NextToken) => updateRows(db, 'linkedAccounts', { id }, next)

type LinkAttempt = Selectable<Schema['linkAttempts']>

/** Saves an attempt, and deletes expired ones. */
export async function insertLinkAttempt(tx: Db, attempt: LinkAttempt, now: number): Promise<void> {
  await deleteRows(tx, 'linkAttempts', { expiresAt: atMost(now) })
  await insertRow(tx, 'linkAttempts', attempt)
}

type Claimed = Omit<LinkAttempt, 'expiresAt'> & { now: number }

/** Consumes an attempt. True once, for the caller that began it, before it expires. */
export async function takeLinkAttempt(db: Db, { now, ...attempt }: Claimed): Promise<boolean> {
  return (await deleteRows(db, 'linkAttempts', { ...attempt, expiresAt: above(now) })) > 0
}
