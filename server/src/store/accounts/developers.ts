import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { isSwitchedOn } from '#store/accounts/accounts.ts'
import { preparedRow } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'
import {
  above,
  atMost,
  below,
  deleteRows,
  findRow,
  insertNewRow,
  insertRow,
  listRows,
  updateRows,
} from '#store/rows.ts'

export type Developer = Selectable<Schema['developers']>

/** The developer with this client secret, with the account data that every operation needs. */
export const findDeveloperBySecret = preparedRow([''], (db, [hash]) =>
  db
    .selectFrom('developers')
    .innerJoin('accounts', 'accounts.id', 'developers.accountId')
    .select(['developers.id', 'clientId', 'secretHash', 'accountId', 'plan', 'trialEndsAt', 'isOperator'])
    .where('secretHash', '=', hash)
    .where('disabledAt', 'is', null),
)

export const findDeveloper = (db: Db, accountId: string) => findRow(db, 'developers', { accountId })

/** Inserts the profile unless the account has one. */
export const insertDeveloper = (db: Db, developer: Developer) => insertNewRow(db, 'developers', developer)

export const replaceSecret = (
  db: Db,
  accountId: string,
  next: Pick<Developer, 'secretHash' | 'sealedSecret' | 'updatedAt'>,
) => updateRows(db, 'developers', { accountId }, next)

/** Locks the profile for the transaction, so that two changes of its configurations run one after the other. */
export const lockDeveloper = (tx: Db, id: string) =>
  updateRows(tx, 'developers', { id }, { appName: sql<string>`app_name` })

export type Configuration = Selectable<Schema['configurations']>

/** The developer's configurations, the last updated first. */
export const listConfigurationRows = (db: Db, developerId: string) =>
  listRows(db, 'configurations', { developerId }, ['updatedAt', 'desc'])

export const findConfigurationOf = (db: Db, developerId: string, domain: string) =>
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

export const insertConfiguration = (tx: Db, configuration: Configuration) =>
  insertRow(tx, 'configurations', configuration)

export const updateConfiguration = (tx: Db, { id, ...values }: Configuration) =>
  updateRows(tx, 'configurations', { id }, values)

const withOwner = (db: Db) =>
  db.selectFrom('configurations').innerJoin('developers', 'developers.id', 'configurations.developerId')

const ofAccount = (db: Db, accountId: string) => withOwner(db).where('developers.accountId', '=', accountId)

export const findConfigurationOfAccount = (db: Db, accountId: string, id: string) =>
  ofAccount(db, accountId).selectAll('configurations').where('configurations.id', '=', id).executeTakeFirst()

export const deleteConfigurationRow = (db: Db, id: string) => deleteRows(db, 'configurations', { id })

/** An active configuration with its owner, as a widget needs it. None of an account that is switched off. */
export function findActiveConfiguration(db: Db, id: string) {
  const found = withOwner(db)
    .selectAll('configurations')
    .select('developers.accountId')
    .where(isSwitchedOn('developers.accountId'))
  return found.where('configurations.id', '=', id).where('isActive', '=', 1).executeTakeFirst()
}

/** Names of the account's configurations by id. */
export async function configurationNames(db: Db, accountId: string): Promise<Map<string, string>> {
  const rows = await ofAccount(db, accountId).select(['configurations.id', 'configurations.name']).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export const insertEmbedSession = (db: Db, session: Schema['embedSessions']) => insertRow(db, 'embedSessions', session)

/** The session with this hash, if it has not ended. */
export const findEmbedSession = (db: Db, hash: string, now: number) =>
  findRow(db, 'embedSessions', { hash, expiresAt: above(now) })

export const deleteEndedEmbedSessions = (db: Db, now: number) =>
  deleteRows(db, 'embedSessions', { expiresAt: atMost(now) })

export const insertAttributionToken = (db: Db, token: Selectable<Schema['attributionTokens']>) =>
  insertRow(db, 'attributionTokens', token)

const use = preparedRow([0, '', '', 0], (db, [now, id, developerId, at]) =>
  db
    .updateTable('attributionTokens')
    .set({ usedAt: now })
    .where('id', '=', id)
    .where('developerId', '=', developerId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', at)
    .returning(['id', 'endUserId']),
)

/** Uses up a token of the developer in one conditional statement: of concurrent uses exactly one succeeds. */
export const useAttributionToken = (db: Db, { id, developerId }: { id: string; developerId: string }, now: number) =>
  use(db, now, id, developerId, now)

export const deleteUnusedTokens = (tx: Db, developerId: string) =>
  deleteRows(tx, 'attributionTokens', { developerId, usedAt: null })

/** Deletes tokens that expired before `time`. */
export const deleteExpiredTokens = (db: Db, time: number) =>
  deleteRows(db, 'attributionTokens', { expiresAt: below(time) })
