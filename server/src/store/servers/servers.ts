import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { deleteRows, findRow, insertRow, updateRows, updatesRow } from '#store/engine/statements.ts'

export type ServerRow = Selectable<Schema['servers']>

export const insertServer = (db: Db, server: Insertable<Schema['servers']>): Promise<void> =>
  insertRow(db, 'servers', server)

export async function slugIsTaken(db: Db, slug: string): Promise<boolean> {
  return (await findRow(db, 'servers', { slug })) !== undefined
}

/** Finds a live server of the account by id or slug. */
export async function findServer(db: Db, accountId: string, idOrSlug: string): Promise<ServerRow | undefined> {
  return named(db, idOrSlug).where('accountId', '=', accountId).where('deletedAt', 'is', null).executeTakeFirst()
}

/** Finds a live server of any account by id or slug, for public operations. */
export async function findAnyServer(db: Db, idOrSlug: string): Promise<ServerRow | undefined> {
  return named(db, idOrSlug).where('deletedAt', 'is', null).executeTakeFirst()
}

/** Finds a server of the account that is live, or deleted and not yet due for its purge. */
export async function findUnpurged(
  db: Db,
  accountId: string,
  idOrSlug: string,
  now: number,
): Promise<ServerRow | undefined> {
  return named(db, idOrSlug)
    .where('accountId', '=', accountId)
    .where((is) => is.or([is('purgeAt', 'is', null), is('purgeAt', '>', now)]))
    .executeTakeFirst()
}

const named = (db: Db, idOrSlug: string) =>
  db
    .selectFrom('servers')
    .selectAll()
    .where((is) => is.or([is('id', '=', idOrSlug), is('slug', '=', idOrSlug)]))

/** Updates a live server. False if it is no longer live. */
export const updateServerRow = (
  tx: Db,
  id: string,
  values: Partial<
    Pick<ServerRow, 'name' | 'description' | 'visibility' | 'tools' | 'refresh' | 'structuredOutput' | 'redaction'>
  > & { updatedAt: number },
): Promise<boolean> => updateRows(tx, 'servers', { id, deletedAt: null }, values)

/** The current server, with its row locked for the rest of the transaction. Undefined if it is no longer live. */
export async function lockServer(tx: Db, id: string): Promise<ServerRow | undefined> {
  return tx
    .updateTable('servers')
    .set((is) => ({ slug: is.ref('slug') }))
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Restores a deleted server. False if its purge has begun. */
export async function markRestored(tx: Db, id: string, now: number): Promise<boolean> {
  return updatesRow(
    tx
      .updateTable('servers')
      .set({ deletedAt: null, purgeAt: null, updatedAt: now })
      .where('id', '=', id)
      .where('purgeAt', '>', now),
  )
}

/** The account's oldest server. */
export async function firstServerId(db: Db, accountId: string): Promise<string | undefined> {
  const first = await db
    .selectFrom('servers')
    .select('id')
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return first?.id
}

export async function serverIdsOf(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('servers')
    .select('id')
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Number of the account's live servers, counted only up to `atMost`, which suffices for a limit. */
export async function countLiveServers(db: Db, accountId: string, atMost: number): Promise<number> {
  const { count } = await db
    .selectFrom((is) =>
      is
        .selectFrom('servers')
        .select('id')
        .where('accountId', '=', accountId)
        .where('deletedAt', 'is', null)
        .limit(atMost)
        .as('live'),
    )
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Locks the account's row for the rest of the transaction, so that two creates cannot both take the last place. */
export async function lockAccount(tx: Db, accountId: string): Promise<void> {
  await tx
    .updateTable('accounts')
    .set((is) => ({ plan: is.ref('plan') }))
    .where('id', '=', accountId)
    .execute()
}

/** Marks a live server deleted. False if it was no longer live. */
export const markDeleted = (tx: Db, id: string, deletedAt: number, purgeAt: number): Promise<boolean> =>
  updateRows(tx, 'servers', { id, deletedAt: null }, { deletedAt, purgeAt, updatedAt: deletedAt })

/** Purge time of a deleted server. Null if it is not deleted, or gone. */
export async function findPurge(db: Db, id: string): Promise<number | null> {
  return (await findRow(db, 'servers', { id }))?.purgeAt ?? null
}

/**
 * Begins the purge of a deleted server after its retention. It cannot be restored afterwards. False if the retention
 * has not ended.
 */
export async function markPurging(tx: Db, id: string, now: number): Promise<boolean> {
  return updatesRow(tx.updateTable('servers').set({ purgeAt: 0 }).where('id', '=', id).where('purgeAt', '<=', now))
}

/**
 * Deletes a server, its jobs, its entries in key scopes and, through foreign keys, all of its data. A key scoped to it
 * alone sees nothing afterwards.
 */
export async function purgeServer(tx: Db, id: string): Promise<void> {
  await deleteRows(tx, 'jobs', { serverId: id })
  const keys = await tx
    .selectFrom('apiKeys')
    .innerJoin('servers', 'servers.accountId', 'apiKeys.accountId')
    .select(['apiKeys.id', 'apiKeys.serverIds'])
    .where('servers.id', '=', id)
    .where('serverIds', 'is not', null)
    .execute()
  for (const key of keys) {
    const serverIds = JSON.parse(key.serverIds ?? '[]') as string[]
    if (!serverIds.includes(id)) continue
    const left = JSON.stringify(serverIds.filter((each) => each !== id))
    await updateRows(tx, 'apiKeys', { id: key.id }, { serverIds: left })
  }
  await deleteRows(tx, 'servers', { id })
}

/** Counts of a server's sources by state. */
export type SourceStates = { total: number; complete: number; busy: number }

/** A server in the list. */
export type ListedServer = SourceStates &
  Pick<
    ServerRow,
    | 'id'
    | 'slug'
    | 'name'
    | 'description'
    | 'visibility'
    | 'tools'
    | 'createdAt'
    | 'updatedAt'
    | 'deletedAt'
    | 'purgeAt'
  >

type Place = Pick<ListedServer, 'createdAt' | 'id'>

/**
 * The next servers of the account after a position, oldest first, including deleted ones until their purge. Reads rows
 * in index order in their final form: a list of ten thousand spends most of its time here.
 */
export async function listServersAfter(
  db: Db,
  accountId: string,
  { now, after, limit }: { now: number; after: Place | undefined; limit: number },
): Promise<ListedServer[]> {
  const { createdAt, id } = after ?? { createdAt: -1, id: '' }
  const { rows } = await sql<ListedServer>`
    select servers.id, slug, name, description, visibility, tools, servers.created_at as "createdAt",
      updated_at as "updatedAt", deleted_at as "deletedAt", purge_at as "purgeAt", count(server_id) as total,
      count(case when crawl_status = 'complete' then 1 end) as complete,
      count(case when crawl_status in ('pending', 'crawling') then 1 end) as busy
    from servers left join sources on sources.server_id = servers.id
    where account_id = ${accountId} and (purge_at is null or purge_at > ${now})
      and (servers.created_at, servers.id) > (${createdAt}, ${id})
    group by servers.created_at, servers.id
    order by servers.created_at, servers.id
    limit ${limit}`.execute(db.withoutPlugins())
  return rows
}
