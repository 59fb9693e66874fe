import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import {
  countRows,
  deleteRows,
  findRow,
  insertRow,
  listRows,
  updateRows,
  updatesRow,
} from '#store/engine/statements.ts'
import { liveSources } from '#store/sources/sources.ts'

export type CustomToolRow = Selectable<Schema['customTools']>

export const insertCustomTool = (tx: Db, tool: Insertable<Schema['customTools']>): Promise<void> =>
  insertRow(tx, 'customTools', tool)

/** Oldest first. */
export const listCustomToolRows = (db: Db, accountId: string): Promise<CustomToolRow[]> =>
  listRows(db, 'customTools', { accountId }, ['createdAt'])

export const findCustomTool = (db: Db, accountId: string, id: string): Promise<CustomToolRow | undefined> =>
  findRow(db, 'customTools', { accountId, id })

/** Counts ready tools and those being built. A failed build takes no place. */
export const countCustomTools = (db: Db, accountId: string): Promise<number> =>
  countRows(db.selectFrom('customTools').where('accountId', '=', accountId).where('status', '!=', 'failed'))

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
  return (await deleteRows(tx, 'customTools', { accountId, id })) > 0
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
  await updateRows(tx, 'servers', { id: serverId }, { tools, updatedAt })
}

/** A build that this process has claimed. Its attempt fences later writes. */
export type ClaimedBuild = Pick<CustomToolRow, 'id' | 'accountId' | 'attempts'> & {
  prompt: string
  sources: string | null
  serverIds: string | null
}

/** Claims a build that nobody holds. Undefined if another process has it, or if the tool is not being built. */
export async function claimBuild(db: Db, id: string, now: number, leaseMs: number): Promise<ClaimedBuild | undefined> {
  const row = await db
    .updateTable('customTools')
    .set((is) => ({ leaseUntil: now + leaseMs, attempts: is('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'building')
    .where((is) => is.or([is('leaseUntil', 'is', null), is('leaseUntil', '<', now)]))
    .returning(['id', 'accountId', 'attempts', 'prompt', 'sources', 'serverIds'])
    .executeTakeFirst()
  return row && { ...row, prompt: row.prompt ?? '' }
}

/** Tools being built whose process has stopped: no lease, or one that ended. */
export async function interruptedBuilds(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('customTools')
    .select('id')
    .where('status', '=', 'building')
    .where((is) => is.or([is('leaseUntil', 'is', null), is('leaseUntil', '<', now)]))
    .limit(20)
    .execute()
  return rows.map(({ id }) => id)
}

/** Updates a claimed build. False if the tool was deleted or another process has claimed its build. */
export const updateBuild = (
  db: Db,
  { id, attempts }: Pick<ClaimedBuild, 'id' | 'attempts'>,
  values: Partial<Omit<CustomToolRow, 'id' | 'accountId' | 'attempts'>>,
): Promise<boolean> => updateRows(db, 'customTools', { id, attempts, status: 'building' }, values)

/** Begins the build of a failed tool anew. False if it is not failed, or was made without a request. */
export async function restartBuild(tx: Db, id: string, now: number): Promise<boolean> {
  return updatesRow(
    tx
      .updateTable('customTools')
      .set({ status: 'building', error: null, progress: null, attempts: 0, leaseUntil: null, updatedAt: now })
      .where('id', '=', id)
      .where('status', '=', 'failed')
      .where('prompt', 'is not', null),
  )
}

/** Names of the account's other tools. */
export async function namesOfOtherTools(db: Db, accountId: string, id: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('customTools')
    .select('name')
    .where('accountId', '=', accountId)
    .where('id', '!=', id)
    .where('status', '=', 'ready')
    .execute()
  return new Set(rows.map(({ name }) => name))
}

/** Deletes the oldest failed tools of an account beyond `keep`, so that failures do not pile up. */
export async function deleteOldFailures(tx: Db, accountId: string, keep: number): Promise<void> {
  const old = await tx
    .selectFrom('customTools')
    .select('id')
    .where('accountId', '=', accountId)
    .where('status', '=', 'failed')
    .orderBy('updatedAt', 'desc')
    .orderBy('id')
    .offset(keep)
    .limit(1_000)
    .execute()
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  await tx.deleteFrom('customTools').where('id', 'in', ids).execute()
}

/** Sources of the account's live servers, the last indexed first. `serverIds` limits them to some servers. */
export async function sourcesForBuild(db: Db, accountId: string, serverIds: readonly string[] | null) {
  const query = liveSources(db)
    .select([
      'sources.id',
      'sources.url',
      'sources.type',
      'sources.label',
      'sources.crawlStatus',
      'sources.pagesFound',
      'sources.pagesIndexed',
      'sources.segments',
    ])
    .where('servers.accountId', '=', accountId)
    .orderBy('sources.lastIndexedAt', 'desc')
    .orderBy('sources.id')
    .limit(1_000)
  return (serverIds === null ? query : query.where('servers.id', 'in', [...serverIds, ''])).execute()
}
