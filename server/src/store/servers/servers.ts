import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Schema } from '#store/schema.ts'
import { above, atMost, changeRow, deleteRows, findRow, hasRow, insertRow, updateRows } from '#store/rows.ts'

export type ServerRow = Selectable<Schema['servers']>

export const insertServer = (db: Db, server: Insertable<Schema['servers']>) => insertRow(db, 'servers', server)

export const slugIsTaken = (db: Db, slug: string) => hasRow(db, 'servers', { slug })

/** Finds a live server of the account by id or slug. */
export const findServer = (db: Db, accountId: string, idOrSlug: string): Promise<ServerRow | undefined> =>
  named(db, idOrSlug).where('accountId', '=', accountId).where('deletedAt', 'is', null).executeTakeFirst()

/** Finds a live server of any account by id or slug, for public operations. */
export const findAnyServer = (db: Db, idOrSlug: string): Promise<ServerRow | undefined> =>
  named(db, idOrSlug).where('deletedAt', 'is', null).executeTakeFirst()

/** Finds a server of the account that is live, or deleted and not yet due for its purge. */
export async function findUnpurged(db: Db, accountId: string, idOrSlug: string, now: number) {
  const isUnpurged = sql<boolean>`(purge_at is null or purge_at > ${now})`
  return named(db, idOrSlug).where('accountId', '=', accountId).where(isUnpurged).executeTakeFirst()
}

const named = (db: Db, idOrSlug: string) =>
  db
    .selectFrom('servers')
    .selectAll()
    .where(sql<boolean>`(id = ${idOrSlug} or slug = ${idOrSlug})`)

/** Updates a live server. False if it is no longer live. */
export const updateServerRow = (
  tx: Db,
  id: string,
  values: Partial<
    Pick<ServerRow, 'name' | 'description' | 'visibility' | 'tools' | 'refresh'> &
      Pick<ServerRow, 'structuredOutput' | 'redaction' | 'webPages'>
  > & { updatedAt: number },
): Promise<boolean> => updateRows(tx, 'servers', { id, deletedAt: null }, values)

/** Updates when clients last connected to many servers at once. Times never go back. */
export async function touchServers(db: Db, connections: ReadonlyMap<string, number>): Promise<void> {
  for (const [id, at] of connections) {
    const isOlder = () => sql<boolean>`(last_connected_at is null or last_connected_at < ${at})`
    await updateRows(db, 'servers', { id, lastConnectedAt: isOlder }, { lastConnectedAt: at })
  }
}

/** The current server, with its row locked for the rest of the transaction. Undefined if it is no longer live. */
export const lockServer = (tx: Db, id: string): Promise<ServerRow | undefined> =>
  changeRow(tx, 'servers', { id, deletedAt: null }, { slug: sql<string>`slug` })

/** Restores a deleted server. False if its purge has begun. */
export const markRestored = (tx: Db, id: string, now: number) =>
  updateRows(tx, 'servers', { id, purgeAt: above(now) }, { deletedAt: null, purgeAt: null, updatedAt: now })

/** Time of purge of a server that is being imported: long ago, so that nobody sees it, and not that of a begun purge. */
export const IMPORTING = 1

/** Makes a server live that an import has filled. False if its purge has begun. */
export const markImported = (tx: Db, id: string, values: Pick<ServerRow, 'tools' | 'visibility'>) =>
  updateRows(tx, 'servers', { id, purgeAt: IMPORTING }, { ...values, deletedAt: null, purgeAt: null })

/** Dedupe key of a server's purge job, by which it is found on restore. */
export const purgeKey = (serverId: string): string => `purge:${serverId}`

const liveIds = (db: Db, accountId: string) =>
  db.selectFrom('servers').select('id').where('accountId', '=', accountId).where('deletedAt', 'is', null)

export async function firstServerId(db: Db, accountId: string): Promise<string | undefined> {
  const oldest = liveIds(db, accountId).orderBy('createdAt').orderBy('id')
  return (await oldest.limit(1).executeTakeFirst())?.id
}

export async function serverIdsOf(db: Db, accountId: string): Promise<string[]> {
  return (await liveIds(db, accountId).execute()).map(({ id }) => id)
}

/** Number of the account's live servers, counted only up to `most`, which suffices for a limit. */
export async function countLiveServers(db: Db, accountId: string, most: number): Promise<number> {
  const live = db.selectFrom(liveIds(db, accountId).limit(most).as('live'))
  return (await live.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()).count
}

/** Locks the account's row for the rest of the transaction, so that two creates cannot both take the last place. */
export const lockAccount = (tx: Db, id: string) => updateRows(tx, 'accounts', { id }, { plan: sql<string>`plan` })

/** Marks a live server deleted. False if it was no longer live. */
export const markDeleted = (tx: Db, id: string, deletedAt: number, purgeAt: number) =>
  updateRows(tx, 'servers', { id, deletedAt: null }, { deletedAt, purgeAt, updatedAt: deletedAt })

/** Purge time of a deleted server. Null if it is not deleted, or gone. */
export async function findPurge(db: Db, id: string): Promise<number | null> {
  return (await findRow(db, 'servers', { id }))?.purgeAt ?? null
}

/** Begins the purge of a deleted server, which can no longer be restored. False before the end of its retention. */
export const markPurging = (tx: Db, id: string, now: number) =>
  updateRows(tx, 'servers', { id, purgeAt: atMost(now) }, { purgeAt: 0 })

/** Deletes a server, its jobs and, through foreign keys, its data. A key scoped to it alone sees nothing afterwards. */
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

export type SourceStates = { total: number; complete: number; busy: number }

export type ListedServer = SourceStates &
  Pick<ServerRow, 'id' | 'slug' | 'name' | 'description' | 'visibility' | 'tools'> &
  Pick<ServerRow, 'createdAt' | 'updatedAt' | 'deletedAt' | 'purgeAt'>

/** The account's next servers after a position, newest first, including deleted ones until their purge. */
export async function listServersAfter(
  db: Db,
  accountId: string,
  { now, after, limit }: { now: number; after: Pick<ListedServer, 'createdAt' | 'id'> | undefined; limit: number },
): Promise<ListedServer[]> {
  const { createdAt, id } = after ?? { createdAt: Number.MAX_SAFE_INTEGER, id: '' }
  const { rows } = await sql<ListedServer>`
    select servers.id, slug, name, description, visibility, tools, servers.created_at as "createdAt",
      updated_at as "updatedAt", deleted_at as "deletedAt", purge_at as "purgeAt", count(server_id) as total,
      count(case when crawl_status = 'complete' then 1 end) as complete,
      count(case when crawl_status in ('pending', 'crawling') then 1 end) as busy
    from servers left join sources on sources.server_id = servers.id
    where account_id = ${accountId} and (purge_at is null or purge_at > ${now})
      and (servers.created_at, servers.id) < (${createdAt}, ${id})
    group by servers.created_at, servers.id
    order by servers.created_at desc, servers.id desc
    limit ${limit}`.execute(db.withoutPlugins())
  return rows
}
