import { sql } from 'kysely'
import type { Db } from './db.ts'

const HOUR_MS = 60 * 60 * 1000

/**
 * Sources of live servers, but for uploads, that were last indexed, or last tried, longer ago than their server's
 * schedule says; those that have waited longest first.
 */
export async function dueForRefresh(db: Db, now: number, limit: number): Promise<{ id: string; serverId: string }[]> {
  return due(db, now).orderBy('crawlStartedAt').limit(limit).execute()
}

/** Whether a source still is: another node may have queued it meanwhile, and be done with it already. */
export async function isDueForRefresh(db: Db, now: number, sourceId: string): Promise<boolean> {
  const found = await due(db, now).where('sources.id', '=', sourceId).executeTakeFirst()
  return found !== undefined
}

function due(db: Db, now: number) {
  return (
    db
      .selectFrom('sources')
      .innerJoin('servers', 'servers.id', 'sources.serverId')
      .select(['sources.id', 'serverId'])
      .where('crawlStatus', 'in', ['complete', 'error'])
      .where('servers.deletedAt', 'is', null)
      // What was uploaded changes with the next upload only.
      .where('url', 'not like', 'upload://%')
      .where(
        // What is ahead was written by a clock that has been put back since.
        sql<boolean>`(crawl_started_at + case refresh
        when 'hourly' then ${sql.lit(HOUR_MS)} when 'daily' then ${sql.lit(24 * HOUR_MS)}
        when 'weekly' then ${sql.lit(7 * 24 * HOUR_MS)} end <= ${now} or (refresh <> 'off' and crawl_started_at > ${now + HOUR_MS}))`,
      )
  )
}
