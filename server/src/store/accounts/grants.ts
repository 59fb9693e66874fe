import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { preparedRow } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'
import { below, changeRow, countRows, deleteRows, findRow, insertRow, isPresent, updateRows } from '#store/rows.ts'

export type OAuthClientRow = Selectable<Schema['oauthClients']>

export const insertOAuthClient = (db: Db, client: OAuthClientRow) => insertRow(db, 'oauthClients', client)

export const findOAuthClient = (db: Db, id: string) => findRow(db, 'oauthClients', { id })

/** Number of clients that registered themselves. */
export const countRegisteredClients = (db: Db) =>
  countRows(db.selectFrom('oauthClients').where('accountId', 'is', null))

export const listOwnClients = (db: Db, accountId: string) =>
  db.selectFrom('oauthClients').selectAll().where('accountId', '=', accountId).orderBy('createdAt').execute()

export const findOwnClient = (db: Db, accountId: string, id: string) => findRow(db, 'oauthClients', { id, accountId })

/** Deletes a client. Its connections end. */
export async function deleteClient(tx: Db, id: string): Promise<void> {
  await deleteRows(tx, 'oauthClients', { id })
  await deleteRows(tx, 'oauthGrants', { clientId: id })
}

export type GrantRow = Selectable<Schema['oauthGrants']>

export const insertGrant = (tx: Db, grant: Omit<GrantRow, 'lastUsedAt' | 'revokedAt'>) =>
  insertRow(tx, 'oauthGrants', { ...grant, lastUsedAt: null, revokedAt: null })

/** The account's connections, or those of one person, that are valid and have been used by their client, newest first. */
export const listGrants = (db: Db, { accountId, personId }: { accountId: string; personId: string | null }) =>
  db
    .selectFrom('oauthGrants')
    .leftJoin('servers', 'servers.id', 'oauthGrants.serverId')
    .selectAll('oauthGrants')
    .select('servers.name as serverName')
    .where('oauthGrants.accountId', '=', accountId)
    .$if(personId !== null, (query) => query.where('personId', '=', personId))
    .where('revokedAt', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('oauthTokens')
          .select(sql`1`.as('one'))
          .whereRef('grantId', '=', 'oauthGrants.id')
          .where('kind', '=', 'refresh'),
      ),
    )
    .orderBy('oauthGrants.createdAt', 'desc')
    .orderBy('oauthGrants.id')
    .execute()

/** The live connection with this id of an account, or of one person there. */
export const findGrant = (
  db: Db,
  { accountId, personId }: { accountId: string; personId: string | null },
  id: string,
) => findRow(db, 'oauthGrants', { id, accountId, revokedAt: null, ...(personId === null ? {} : { personId }) })

/** Ends the connections of a person to all servers of an account except these. */
export const deleteGrantsExcept = async (tx: Db, accountId: string, personId: string, serverIds: readonly string[]) => {
  const own = tx.deleteFrom('oauthGrants').where('accountId', '=', accountId).where('personId', '=', personId)
  await own.where('serverId', 'not in', serverIds).execute()
}

/** True if the person has allowed the client this before, and not revoked it. */
export async function wasGranted(
  db: Db,
  { personId, serverId, clientId, redirectUri, scope }: Omit<GrantRow, 'id' | 'accountId' | 'clientName' | 'createdAt'>,
): Promise<boolean> {
  const key = { personId, serverId, clientId, redirectUri, scope, revokedAt: null, lastUsedAt: isPresent }
  return (await findRow(db, 'oauthGrants', key)) !== undefined
}

/** Revokes a connection, with effect on the next request. True if it was live. */
export const revokeGrant = (db: Db, id: string, revokedAt: number) =>
  updateRows(db, 'oauthGrants', { id, revokedAt: null }, { revokedAt })

/** Deletes the account's connections except the `keep` newest. */
export async function deleteOldestGrants(tx: Db, accountId: string, keep: number): Promise<void> {
  const own = tx.selectFrom('oauthGrants').select('id').where('accountId', '=', accountId)
  const newest = own.orderBy('createdAt', 'desc').orderBy('id').limit(keep)
  await tx.deleteFrom('oauthGrants').where('accountId', '=', accountId).where('id', 'not in', newest).execute()
}

type TokenRow = Selectable<Schema['oauthTokens']>

export const insertOAuthToken = (tx: Db, token: Omit<TokenRow, 'challenge' | 'salt' | 'usedAt'>, challenge?: string) =>
  insertRow(tx, 'oauthTokens', { ...token, challenge: challenge ?? null, salt: null, usedAt: null })

/** A code or refresh token with its connection. */
export const findExchangeable = (db: Db, kind: 'code' | 'refresh', hash: string) =>
  db
    .selectFrom('oauthTokens')
    .innerJoin('oauthGrants', 'oauthGrants.id', 'grantId')
    .leftJoin('servers', 'servers.id', 'oauthGrants.serverId')
    .select(['oauthTokens.hash', 'challenge', 'salt', 'expiresAt', 'usedAt', 'oauthGrants.id as grantId', 'slug'])
    .select(['oauthGrants.serverId', 'oauthGrants.accountId', 'oauthGrants.personId'])
    .select(['clientId', 'redirectUri', 'scope', 'revokedAt'])
    .where('oauthTokens.hash', '=', hash)
    .where('kind', '=', kind)
    .executeTakeFirst()

export type Exchangeable = NonNullable<Awaited<ReturnType<typeof findExchangeable>>>

/** Marks a code or refresh token as exchanged. True for exactly one of all callers. */
export async function takeOAuthToken(tx: Db, hash: string, usedAt: number, salt: string | null): Promise<boolean> {
  return (
    (await changeRow(tx, 'oauthTokens', { hash, usedAt: null }, { usedAt, ...(salt ? { salt } : {}) })) !== undefined
  )
}

/** The connection of a token of any kind, for its revocation. */
export const findGrantOfToken = (db: Db, hash: string) =>
  db
    .selectFrom('oauthTokens')
    .innerJoin('oauthGrants', 'oauthGrants.id', 'grantId')
    .select(['grantId', 'clientId', 'accountId', 'personId', 'serverId'])
    .where('hash', '=', hash)
    .executeTakeFirst()

/** The live access token of a server with this hash at a time. `id` is that of its connection. */
export const findOAuthAccess = preparedRow(['', '', 0], (db, [serverId, hash, now]) =>
  db
    .selectFrom('oauthTokens')
    .innerJoin('oauthGrants', 'oauthGrants.id', 'grantId')
    .select(['oauthGrants.id', 'hash', 'scope'])
    .where('serverId', '=', serverId)
    .where('hash', '=', hash)
    .where('expiresAt', '>', now)
    .where('kind', '=', sql.lit('access'))
    .where('revokedAt', 'is', null),
)

/** The live access token of the endpoint of an account, with what every operation needs of its member there. */
export const findConnected = preparedRow(['', 0], (db, [hash, now]) =>
  db
    .selectFrom('oauthTokens')
    .innerJoin('oauthGrants', 'oauthGrants.id', 'grantId')
    .innerJoin('accounts', 'accounts.id', 'oauthGrants.accountId')
    .innerJoin('members', (join) =>
      join
        .onRef('members.accountId', '=', 'oauthGrants.accountId')
        .onRef('members.personId', '=', 'oauthGrants.personId'),
    )
    .select(['oauthGrants.id', 'hash', 'scope', 'oauthGrants.accountId', 'plan', 'trialEndsAt', 'isOperator'])
    .select(['members.personId', 'role', 'serverIds'])
    .where('hash', '=', hash)
    .where('expiresAt', '>', now)
    .where('kind', '=', sql.lit('access'))
    .where('serverId', 'is', null)
    .where('revokedAt', 'is', null)
    .where('disabledAt', 'is', null),
)

export const noteClientUse = (tx: Db, id: string, lastUsedAt: number) =>
  updateRows(tx, 'oauthClients', { id }, { lastUsedAt })

/** Deletes expired tokens, connections without a token, and registered clients that were not used for long. */
export async function deleteExpiredGrants(
  db: Db,
  now: number,
  unused: { never: number; since: number },
): Promise<void> {
  await db.deleteFrom('oauthTokens').where('expiresAt', '<=', now).execute()
  const live = db.selectFrom('oauthTokens').select('grantId').where('expiresAt', '>', now)
  await db.deleteFrom('oauthGrants').where('id', 'not in', live).execute()
  await deleteRows(db, 'oauthClients', { accountId: null, lastUsedAt: null, createdAt: below(unused.never) })
  await deleteRows(db, 'oauthClients', { accountId: null, lastUsedAt: below(unused.since) })
}
