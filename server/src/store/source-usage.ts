import { sql } from 'kysely'
import type { Db } from './db.ts'

/** For every live server of the account, oldest first: how many sources it has, and how many were bought for it. */
export async function sourceUsage(db: Db, accountId: string) {
  return db
    .selectFrom('servers')
    .leftJoin('sources', 'sources.serverId', 'servers.id')
    .leftJoin('sourceCredits', 'sourceCredits.serverId', 'servers.id')
    .select([
      'servers.id as serverId',
      sql<number>`count(sources.id)`.as('sources'),
      sql<number>`coalesce(max(source_credits.credits), 0)`.as('credits'),
    ])
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .groupBy(['servers.id', 'servers.createdAt'])
    .orderBy('servers.createdAt')
    .orderBy('servers.id')
    .execute()
}
