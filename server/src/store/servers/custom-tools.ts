import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { deletesRow } from '#store/engine/changed-row.ts'

export type CustomToolRow = Selectable<Schema['customTools']>

export async function insertCustomTool(tx: Db, tool: Insertable<Schema['customTools']>): Promise<void> {
  await tx.insertInto('customTools').values(tool).execute()
}

/** Oldest first. */
export async function listCustomToolRows(db: Db, accountId: string): Promise<CustomToolRow[]> {
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

/** Counts ready tools and those being built. A failed build takes no place. */
export async function countCustomTools(db: Db, accountId: string): Promise<number> {
  const { tools } = await db
    .selectFrom('customTools')
    .select(sql<number>`count(*)`.as('tools'))
    .where('accountId', '=', accountId)
    .where('status', '!=', 'failed')
    .executeTakeFirstOrThrow()
  return tools
}

/** Changes the words and the plan of a ready tool. Undefined if it is not ready, or no longer exists. */
export async function updateToolWords(
  db: Db,
  { accountId, id }: Pick<CustomToolRow, 'accountId' | 'id'>,
  words: Pick<CustomToolRow, 'displayName' | 'description' | 'plan' | 'updatedAt'>,
): Promise<CustomToolRow | undefined> {
  return db
    .updateTable('customTools')
    .set(words)
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .where('status', '=', 'ready')
    .returningAll()
    .executeTakeFirst()
}

/** False if it no longer existed. */
export async function deleteCustomToolRow(tx: Db, accountId: string, id: string): Promise<boolean> {
  return deletesRow(tx.deleteFrom('customTools').where('accountId', '=', accountId).where('id', '=', id))
}

/** All servers of the account that select the tool, including deleted ones, which may be restored. */
export async function serversWithTool(tx: Db, accountId: string, tool: string) {
  // Ids consist of letters, digits and `_`. The caller filters out false matches of `_` as a wildcard.
  return tx
    .selectFrom('servers')
    .select(['id', 'name', 'slug', 'tools', 'deletedAt'])
    .where('accountId', '=', accountId)
    .where('tools', 'like', `%"${tool}"%`)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Replaces a server's tool selection (JSON). */
export async function replaceTools(tx: Db, serverId: string, tools: string, updatedAt: number): Promise<void> {
  await tx.updateTable('servers').set({ tools, updatedAt }).where('id', '=', serverId).execute()
}
