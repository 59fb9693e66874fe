import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { ServerRow } from './servers.ts'

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
