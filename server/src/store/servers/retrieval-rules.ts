import type { RuleEffect } from '@docent/contract/values/rule-effects'
import type { Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import type { ServedRule } from './served.ts'
import { changeRow, countRows, deleteRows, insertRow, updateRows } from '#store/rows.ts'

export type RuleRow = Selectable<Schema['retrievalRules']>

/** Call `lockServer` first, like for every change of rules: the server's row gets all of them. */
export async function insertRule(tx: Db, rule: RuleRow): Promise<void> {
  await insertRow(tx, 'retrievalRules', rule)
  await serveRules(tx, rule.serverId)
}

/** Writes the enabled rules into the server's row, which makes the next call of every node see them. */
async function serveRules(tx: Db, serverId: string): Promise<void> {
  const rules = (await listRuleRows(tx, serverId))
    .filter(({ enabled }) => enabled === 1)
    .map(({ id, sourceId, effects }): ServedRule => ({ id, sourceId, effects: JSON.parse(effects) as RuleEffect[] }))
  await updateRows(tx, 'servers', { id: serverId }, { rules: JSON.stringify(rules) })
}

/** In execution order: higher priority first, then older first. */
export async function listRuleRows(db: Db, serverId: string): Promise<RuleRow[]> {
  const rules = db.selectFrom('retrievalRules').selectAll().where('serverId', '=', serverId)
  return rules.orderBy('priority', 'desc').orderBy('createdAt').orderBy('id').execute()
}

export const countRules = (db: Db, serverId: string) =>
  countRows(db.selectFrom('retrievalRules').where('serverId', '=', serverId))

/** Finds a rule of a live server of the account. */
export async function findRule(db: Db, accountId: string, id: string): Promise<RuleRow | undefined> {
  return db
    .selectFrom('retrievalRules')
    .innerJoin('servers', 'servers.id', 'retrievalRules.serverId')
    .selectAll('retrievalRules')
    .where('retrievalRules.id', '=', id)
    .where('servers.accountId', '=', accountId)
    .where('servers.deletedAt', 'is', null)
    .executeTakeFirst()
}

/** Returns the updated rule, or undefined if it was deleted. Needs `lockServer`. */
export async function updateRuleRow(
  tx: Db,
  { id, serverId }: Pick<RuleRow, 'id' | 'serverId'>,
  values: Partial<Pick<RuleRow, 'enabled' | 'priority'>> & { updatedAt: number },
): Promise<RuleRow | undefined> {
  const changed = await changeRow(tx, 'retrievalRules', { id }, values)
  await serveRules(tx, serverId)
  return changed
}

/** Needs `lockServer`. */
export async function deleteRuleRow(tx: Db, { id, serverId }: Pick<RuleRow, 'id' | 'serverId'>): Promise<void> {
  await deleteRows(tx, 'retrievalRules', { id })
  await serveRules(tx, serverId)
}
