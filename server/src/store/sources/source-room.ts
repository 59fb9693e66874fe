import { sql } from 'kysely'
import type { Db } from '#store/db.ts'

/** The plan of a source's account, and the text bytes of its server's other sources. */
export async function findSourceRoom(
  db: Db,
  { id, serverId }: { id: string; serverId: string },
): Promise<{ plan: string; otherBytes: number } | undefined> {
  return db
    .selectFrom('servers')
    .innerJoin('accounts', 'accounts.id', 'servers.accountId')
    .leftJoin('sources', (join) => join.onRef('sources.serverId', '=', 'servers.id').on('sources.id', '!=', id))
    .select(['accounts.plan', sql<number>`coalesce(sum(sources.text_bytes), 0)`.as('otherBytes')])
    .where('servers.id', '=', serverId)
    .groupBy('accounts.plan')
    .executeTakeFirst()
}
