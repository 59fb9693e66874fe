import type { RuleEffect } from '@docent/contract/values/rule-effects'
import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import type { ServedRule } from './served.ts'

export type RuleRow = Selectable<Schema['retrievalRules']>

/** Call `lockServer` first, like for every change of rules: the server's row gets all of them. */
export async function insertRule(tx: Db, rule: RuleRow): Promise<void> {
  await tx.insertInto('retrievalRules').values(rule).execute()
  await serveRules(tx, rule.serverId)
}

/** Writes the enabled rules into the server's row, which makes the next call of every node see them. */
async function serveRules(tx: Db, serverId: string): Promise<void> {
  const rules = (await listRuleRows(tx, serverId))
    .filter(({ enabled }) => enabled === 1)
    .map(({ id, sourceId, effects }): ServedRule => ({ id, sourceId, effects: JSON.parse(effects) as RuleEffect[] }))
  await tx
    .updateTable('servers')
    .set({ rules: JSON.stringify(rules) })
    .where('id', '=', serverId)
    .execute()
}

/** In execution order: higher priority first, then older first. */
export async function listRuleRows(db: Db, serverId: string): Promise<RuleRow[]> {
  return db
    .selectFrom('retrievalRules')
    .selectAll()
    .where('serverId', '=', serverId)
    .orderBy('priority', 'desc')
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export async function countRules(db: Db, serverId: string): Promise<number> {
  const { rules } = await db
    .selectFrom('retrievalRules')
    .select(sql<number>`count(*)`.as('rules'))
    .where('serverId', '=', serverId)
    .executeTakeFirstOrThrow()
  return rules
}

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
  const changed = await tx
    .updateTable('retrievalRules')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  await serveRules(tx, serverId)
  return changed
}

/** Needs `lockServer`. */
export async function deleteRuleRow(tx: Db, { id, serverId }: Pick<RuleRow, 'id' | 'serverId'>): Promise<void> {
  await tx.deleteFrom('retrievalRules').where('id', '=', id).execute()
  await serveRules(tx, serverId)
}
