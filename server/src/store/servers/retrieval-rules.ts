import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'

export type RuleRow = Selectable<Schema['retrievalRules']>

export async function insertRule(tx: Db, rule: RuleRow): Promise<void> {
  await tx.insertInto('retrievalRules').values(rule).execute()
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

/** Returns the updated rule, or undefined if it was deleted. */
export async function updateRuleRow(
  db: Db,
  id: string,
  values: Partial<Pick<RuleRow, 'enabled' | 'priority'>> & { updatedAt: number },
): Promise<RuleRow | undefined> {
  return db.updateTable('retrievalRules').set(values).where('id', '=', id).returningAll().executeTakeFirst()
}

export async function deleteRuleRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom('retrievalRules').where('id', '=', id).execute()
}
