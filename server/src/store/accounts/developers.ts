import type { Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import { prepared } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'
import { deleteRows, findRow, insertRow, listRows, updateRows } from '#store/engine/statements.ts'

export type Developer = Selectable<Schema['developers']>

const bySecret = prepared([''], (db, [hash]) =>
  db
    .selectFrom('developers')
    .innerJoin('accounts', 'accounts.id', 'developers.accountId')
    .select(['developers.id', 'clientId', 'secretHash', 'accountId', 'plan', 'trialEndsAt', 'isOperator'])
    .where('secretHash', '=', hash),
)

/** The developer with this client secret, with the account data that every operation needs. */
export async function findDeveloperBySecret(db: Db, hash: string) {
  const [developer] = await bySecret(db, [hash])
  return developer
}

export const findDeveloper = (db: Db, accountId: string): Promise<Developer | undefined> =>
  findRow(db, 'developers', { accountId })

/** Inserts the profile unless the account has one. */
export async function insertDeveloper(db: Db, developer: Developer): Promise<void> {
  await db
    .insertInto('developers')
    .values(developer)
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute()
}

export async function replaceSecret(
  db: Db,
  accountId: string,
  next: Pick<Developer, 'secretHash' | 'sealedSecret' | 'updatedAt'>,
): Promise<void> {
  await updateRows(db, 'developers', { accountId }, next)
}

/** Locks the profile for the transaction, so that two changes of its configurations run one after the other. */
export async function lockDeveloper(tx: Db, id: string): Promise<void> {
  await tx
    .updateTable('developers')
    .set((is) => ({ appName: is.ref('appName') }))
    .where('id', '=', id)
    .execute()
}

export type Configuration = Selectable<Schema['configurations']>

/** The developer's configurations, the last updated first. */
export const listConfigurationRows = (db: Db, developerId: string): Promise<Configuration[]> =>
  listRows(db, 'configurations', { developerId }, ['updatedAt', 'desc'])

export const findConfigurationOf = (db: Db, developerId: string, domain: string): Promise<Configuration | undefined> =>
  findRow(db, 'configurations', { developerId, domain })

/** Number of the developer's configurations, and the time of the last update (0 without any). */
export async function countConfigurations(tx: Db, developerId: string): Promise<{ count: number; lastUpdate: number }> {
  const { count, lastUpdate } = await tx
    .selectFrom('configurations')
    .select((is) => [is.fn.countAll().as('count'), is.fn.max('updatedAt').as('lastUpdate')])
    .where('developerId', '=', developerId)
    .executeTakeFirstOrThrow()
  return { count: Number(count), lastUpdate: lastUpdate ?? 0 }
}

export const insertConfiguration = (tx: Db, configuration: Configuration): Promise<void> =>
  insertRow(tx, 'configurations', configuration)

export async function updateConfiguration(tx: Db, { id, ...values }: Configuration): Promise<void> {
  await updateRows(tx, 'configurations', { id }, values)
}

export async function findConfigurationOfAccount(
  db: Db,
  accountId: string,
  id: string,
): Promise<Configuration | undefined> {
  return db
    .selectFrom('configurations')
    .innerJoin('developers', 'developers.id', 'configurations.developerId')
    .selectAll('configurations')
    .where('configurations.id', '=', id)
    .where('developers.accountId', '=', accountId)
    .executeTakeFirst()
}

export async function deleteConfigurationRow(db: Db, id: string): Promise<void> {
  await deleteRows(db, 'configurations', { id })
}

/** An active configuration with its owner, as a widget needs it. */
export type ActiveConfiguration = Configuration & { accountId: string }

export async function findActiveConfiguration(db: Db, id: string): Promise<ActiveConfiguration | undefined> {
  return db
    .selectFrom('configurations')
    .innerJoin('developers', 'developers.id', 'configurations.developerId')
    .selectAll('configurations')
    .select('developers.accountId')
    .where('configurations.id', '=', id)
    .where('isActive', '=', 1)
    .executeTakeFirst()
}

/** Names of the account's configurations by id. */
export async function configurationNames(db: Db, accountId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('configurations')
    .innerJoin('developers', 'developers.id', 'configurations.developerId')
    .select(['configurations.id', 'configurations.name'])
    .where('developers.accountId', '=', accountId)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export type EmbedSession = Selectable<Schema['embedSessions']>

export const insertEmbedSession = (db: Db, session: EmbedSession): Promise<void> =>
  insertRow(db, 'embedSessions', session)

/** The session with this hash, if it has not ended. */
export async function findEmbedSession(db: Db, hash: string, now: number): Promise<EmbedSession | undefined> {
  return db
    .selectFrom('embedSessions')
    .selectAll()
    .where('hash', '=', hash)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

export async function deleteEndedEmbedSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('embedSessions').where('expiresAt', '<=', now).execute()
}

export type AttributionToken = Selectable<Schema['attributionTokens']>

export const insertAttributionToken = (db: Db, token: AttributionToken): Promise<void> =>
  insertRow(db, 'attributionTokens', token)

const use = prepared([0, '', '', 0], (db, [now, id, developerId, at]) =>
  db
    .updateTable('attributionTokens')
    .set({ usedAt: now })
    .where('id', '=', id)
    .where('developerId', '=', developerId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', at)
    .returning(['id', 'endUserId']),
)

/**
 * Uses up a token of the developer. One conditional statement, so that of any number of concurrent uses exactly one
 * succeeds. Undefined if the token is unknown, expired or used.
 */
export async function useAttributionToken(db: Db, token: { id: string; developerId: string }, now: number) {
  const [used] = await use(db, [now, token.id, token.developerId, now])
  return used
}

/** Deletes tokens that expired before `time`. */
export async function deleteExpiredTokens(db: Db, time: number): Promise<void> {
  await db.deleteFrom('attributionTokens').where('expiresAt', '<', time).execute()
}
