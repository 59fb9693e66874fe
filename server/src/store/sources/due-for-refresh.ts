import { sql } from 'kysely'
import type { Db } from '#store/db.ts'

const HOUR_MS = 60 * 60 * 1000

/**
 * Sources of live servers, except uploads, whose last indexing or attempt is older than their server's schedule.
 * Longest overdue first.
 */
export async function dueForRefresh(db: Db, now: number, limit: number): Promise<{ id: string; serverId: string }[]> {
  return due(db, now).orderBy('crawlStartedAt').limit(limit).execute()
}

/** True if a source is still due. Another node may have queued or even finished it meanwhile. */
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
      // Uploads change only with the next upload.
      .where('url', 'not like', 'upload://%')
      .where(
        // A future time was written by a clock that has been set back since.
        sql<boolean>`(crawl_started_at + case refresh
        when 'hourly' then ${sql.lit(HOUR_MS)} when 'daily' then ${sql.lit(24 * HOUR_MS)}
        when 'weekly' then ${sql.lit(7 * 24 * HOUR_MS)} end <= ${now} or (refresh <> 'off' and crawl_started_at > ${now + HOUR_MS}))`,
      )
  )
}
