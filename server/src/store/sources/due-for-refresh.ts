import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { liveSources } from './live-sources.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** `textFormat` is the ending of the text hashes of this version. */
type When = { now: number; textFormat: string }

/**
 * Sources of live servers whose last indexing or attempt is older than their server's schedule. An upload is due if an
 * earlier version indexed it, at most once a day, because its file may fail again. Longest overdue first.
 */
export async function dueForRefresh(db: Db, when: When, limit: number): Promise<{ id: string; serverId: string }[]> {
  return due(db, when).orderBy('crawlStartedAt').limit(limit).execute()
}

/** True if a source is still due. Another node may have queued or even finished it meanwhile. */
export async function isDueForRefresh(db: Db, when: When, sourceId: string): Promise<boolean> {
  const found = await due(db, when).where('sources.id', '=', sourceId).executeTakeFirst()
  return found !== undefined
}

function due(db: Db, { now, textFormat }: When) {
  return liveSources(db)
    .select(['sources.id', 'serverId'])
    .where('crawlStatus', 'in', ['complete', 'error'])
    .where(
      // A future time was written by a clock that has been set back since.
      sql<boolean>`case when url like 'upload://%' then crawl_started_at <= ${now - DAY_MS} and exists (
          select 1 from pages where pages.source_id = sources.id and text_hash not like ${`%${textFormat}`})
        else (crawl_started_at + case refresh
        when 'hourly' then ${sql.lit(HOUR_MS)} when 'daily' then ${sql.lit(DAY_MS)}
        when 'weekly' then ${sql.lit(7 * DAY_MS)} end <= ${now} or (refresh <> 'off' and crawl_started_at > ${now + HOUR_MS})) end`,
    )
}
