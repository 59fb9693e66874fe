import { type Selectable, sql } from 'kysely'
import type { Db } from './db.ts'
import type { Schema } from './schema.ts'

export type CustomToolRow = Selectable<Schema['customTools']>

export async function insertCustomTool(tx: Db, tool: CustomToolRow): Promise<void> {
  await tx.insertInto('customTools').values(tool).execute()
}

/** Oldest first. */
export async function listCustomTools(db: Db, accountId: string): Promise<CustomToolRow[]> {
  return db
    .selectFrom('customTools')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export async function findCustomTool(db: Db, accountId: string, id: string): Promise<CustomToolRow | undefined> {
  return db
    .selectFrom('customTools')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function countCustomTools(db: Db, accountId: string): Promise<number> {
  const { tools } = await db
    .selectFrom('customTools')
    .select(sql<number>`count(*)`.as('tools'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return tools
}

/** False when it was not there any more. */
export async function deleteCustomTool(tx: Db, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('customTools')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Every server of the account whose selection names the tool, deleted ones included: they may be restored. */
export async function serversWithTool(tx: Db, accountId: string, tool: string) {
  // Ids are letters, digits and `_`, and a `_` that matches anything is caught by who reads the selection.
  return tx
    .selectFrom('servers')
    .select(['id', 'name', 'slug', 'tools', 'deletedAt'])
    .where('accountId', '=', accountId)
    .where('tools', 'like', `%"${tool}"%`)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Replaces a server's selection of tools (JSON). */
export async function replaceTools(tx: Db, serverId: string, tools: string, updatedAt: number): Promise<void> {
  await tx.updateTable('servers').set({ tools, updatedAt }).where('id', '=', serverId).execute()
}
