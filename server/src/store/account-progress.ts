import { sql } from 'kysely'
import type { Db } from './db.ts'
import type { SourceRow } from './sources.ts'

/** What the progress of a server is worked out from. */
export type ProgressRow = Pick<
  SourceRow,
  | 'id'
  | 'serverId'
  | 'crawlStatus'
  | 'crawlStartedAt'
  | 'pagesFound'
  | 'pagesToGo'
  | 'pagesIndexed'
  | 'pagesSkipped'
  | 'pagesFailed'
>

export type JobCounts = { queued: number; running: number; failed: number }

export type ServerProgress = { serverId: string; accountId: string; sources: ProgressRow[]; jobs: JobCounts }

/** Every live server of some accounts, with its sources in their order and its jobs. Three queries, however many. */
export async function readAccountsProgress(db: Db, accountIds: readonly string[]): Promise<ServerProgress[]> {
  if (accountIds.length === 0) return []
  const live = db
    .selectFrom('servers')
    .where('accountId', 'in', [...accountIds])
    .where('deletedAt', 'is', null)
  const rows = await live.select(['id', 'accountId']).orderBy('id').execute()
  const servers = new Map(
    rows.map(({ id, accountId }): [string, ServerProgress] => [
      id,
      { serverId: id, accountId, sources: [], jobs: { queued: 0, running: 0, failed: 0 } },
    ]),
  )
  const sources = await db
    .selectFrom('sources')
    .select(['id', 'serverId', 'crawlStatus', 'crawlStartedAt'])
    .select(['pagesFound', 'pagesToGo', 'pagesIndexed', 'pagesSkipped', 'pagesFailed'])
    .where('serverId', 'in', live.select('id'))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  for (const source of sources) servers.get(source.serverId)?.sources.push(source)
  const counts = await db
    .selectFrom('jobs')
    .select(['serverId', 'state', sql<number>`count(*)`.as('jobs')])
    .where('serverId', 'in', live.select('id'))
    .groupBy(['serverId', 'state'])
    .execute()
  for (const { serverId, state, jobs } of counts) {
    const server = servers.get(serverId ?? '')
    if (server && state !== 'done') server.jobs[state] = jobs
  }
  return [...servers.values()]
}
