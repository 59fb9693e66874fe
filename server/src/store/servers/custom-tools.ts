import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { changeRow, countRows, deleteRows, findRow, insertRow, isPresent, listRows, updateRows } from '#store/rows.ts'
import { liveSources } from '#store/sources/sources.ts'

export type CustomToolRow = Selectable<Schema['customTools']>

export const insertCustomTool = (tx: Db, tool: Insertable<Schema['customTools']>) => insertRow(tx, 'customTools', tool)

/** Newest first. */
export const listCustomToolRows = async (db: Db, accountId: string): Promise<CustomToolRow[]> =>
  (await listRows(db, 'customTools', { accountId }, ['createdAt'])).toReversed()

export const findCustomTool = (db: Db, accountId: string, id: string) => findRow(db, 'customTools', { accountId, id })

/** Counts ready tools and those being built. A failed build takes no place. */
export const countCustomTools = (db: Db, accountId: string) =>
  countRows(db.selectFrom('customTools').where('accountId', '=', accountId).where('status', '!=', 'failed'))

/** Changes the words and the plan of a ready tool. Undefined if it is not ready, or no longer exists. */
export const updateToolWords = (
  db: Db,
  { accountId, id }: Pick<CustomToolRow, 'accountId' | 'id'>,
  words: Pick<CustomToolRow, 'displayName' | 'description' | 'plan' | 'updatedAt'>,
) => changeRow(db, 'customTools', { accountId, id, status: 'ready' }, words)

/** False if it no longer existed. */
export async function deleteCustomToolRow(tx: Db, accountId: string, id: string): Promise<boolean> {
  return (await deleteRows(tx, 'customTools', { accountId, id })) > 0
}

/** All servers of the account that select the tool, including deleted ones, which may be restored. */
export async function serversWithTool(tx: Db, accountId: string, tool: string) {
  // Ids consist of letters, digits and `_`. The caller filters out false matches of `_` as a wildcard.
  const mayHave = () => sql<boolean>`tools like ${`%"${tool}"%`}`
  return listRows(tx, 'servers', { accountId, tools: mayHave }, ['createdAt'])
}

/** Replaces a server's tool selection (JSON). */
export const replaceTools = (tx: Db, id: string, tools: string, updatedAt: number) =>
  updateRows(tx, 'servers', { id }, { tools, updatedAt })

/** A build that this process has claimed. Its attempt fences later writes. */
export type ClaimedBuild = Pick<CustomToolRow, 'id' | 'accountId' | 'attempts' | 'sources' | 'serverIds'> & {
  prompt: string
}

/** No process builds it, or one that has stopped. */
const hasNoLease = (now: number) => sql<boolean>`(lease_until is null or lease_until < ${now})`

/** Claims a build that nobody holds. Undefined if another process has it, or if the tool is not being built. */
export async function claimBuild(db: Db, id: string, now: number, leaseMs: number): Promise<ClaimedBuild | undefined> {
  const lease = { leaseUntil: now + leaseMs, attempts: sql<number>`attempts + 1` }
  const row = await changeRow(db, 'customTools', { id, status: 'building', leaseUntil: () => hasNoLease(now) }, lease)
  return row && { ...row, prompt: row.prompt ?? '' }
}

/** Tools being built whose process has stopped. */
export async function interruptedBuilds(db: Db, now: number): Promise<string[]> {
  const building = db.selectFrom('customTools').select('id').where('status', '=', 'building')
  return (await building.where(hasNoLease(now)).limit(20).execute()).map(({ id }) => id)
}

/** Updates a claimed build. False if the tool was deleted or another process has claimed its build. */
export const updateBuild = (
  db: Db,
  { id, attempts }: Pick<ClaimedBuild, 'id' | 'attempts'>,
  values: Partial<Omit<CustomToolRow, 'id' | 'accountId' | 'attempts'>>,
): Promise<boolean> => updateRows(db, 'customTools', { id, attempts, status: 'building' }, values)

/** Begins the build of a failed tool anew. False if it is not failed, or was made without a request. */
export function restartBuild(tx: Db, id: string, now: number): Promise<boolean> {
  const fresh = { status: 'building' as const, error: null, progress: null, attempts: 0, leaseUntil: null }
  return updateRows(tx, 'customTools', { id, status: 'failed', prompt: isPresent }, { ...fresh, updatedAt: now })
}

export async function namesOfOtherTools(db: Db, accountId: string, id: string): Promise<Set<string>> {
  const ready = db.selectFrom('customTools').where('accountId', '=', accountId).where('status', '=', 'ready')
  const rows = await ready.where('id', '!=', id).select('name').execute()
  return new Set(rows.map(({ name }) => name))
}

/** Deletes the oldest failed tools of an account beyond `keep`, so that failures do not pile up. */
export async function deleteOldFailures(tx: Db, accountId: string, keep: number): Promise<void> {
  const failed = tx.selectFrom('customTools').where('accountId', '=', accountId).where('status', '=', 'failed')
  const newestFirst = failed.select('id').orderBy('updatedAt', 'desc').orderBy('id')
  const old = newestFirst.offset(keep).limit(1_000)
  await tx.deleteFrom('customTools').where('id', 'in', old).execute()
}

/** Sources of the account's live servers, the last indexed first. `serverIds` limits them to some servers. */
export async function sourcesForBuild(db: Db, accountId: string, serverIds: readonly string[] | null) {
  const query = liveSources(db)
    .select(['sources.id', 'sources.url', 'sources.type', 'sources.label', 'sources.segments'])
    .select(['sources.crawlStatus', 'sources.pagesFound', 'sources.pagesIndexed'])
    .where('servers.accountId', '=', accountId)
    .orderBy('sources.lastIndexedAt', 'desc')
    .orderBy('sources.id')
    .limit(1_000)
  return (serverIds === null ? query : query.where('servers.id', 'in', [...serverIds, ''])).execute()
}
