import { sql } from 'kysely'
import { isSwitchedOn } from '#store/accounts/accounts.ts'
import type { Db } from '#store/db.ts'
import { liveSources } from './sources.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
/** Milliseconds between the beginnings of two readings, by the schedule of a server. */
export const REFRESH_MS = { hourly: HOUR_MS, daily: DAY_MS, weekly: 7 * DAY_MS }

/** `textFormat` is the ending of the text hashes of this version. */
type When = { now: number; textFormat: string }

/** Sources overdue by schedule, and at most once a day uploads of an earlier version. Longest overdue first. */
export const dueForRefresh = (db: Db, when: When, limit: number): Promise<{ id: string; serverId: string }[]> =>
  due(db, when).orderBy('crawlStartedAt').limit(limit).execute()

/** True if a source is still due. Another node may have queued or even finished it meanwhile. */
export async function isDueForRefresh(db: Db, when: When, sourceId: string): Promise<boolean> {
  return (await due(db, when).where('sources.id', '=', sourceId).executeTakeFirst()) !== undefined
}

function due(db: Db, { now, textFormat }: When) {
  return liveSources(db)
    .select(['sources.id', 'serverId'])
    .where('crawlStatus', 'in', ['complete', 'error'])
    .where(isSwitchedOn('servers.accountId'))
    .where(
      // A future time was written by a clock that has been set back since.
      sql<boolean>`case when url like 'upload://%' then crawl_started_at <= ${now - DAY_MS} and exists (
          select 1 from pages where pages.source_id = sources.id and text_hash not like ${`%${textFormat}`})
        else (crawl_started_at + case refresh
        when 'hourly' then ${sql.lit(REFRESH_MS.hourly)} when 'daily' then ${sql.lit(REFRESH_MS.daily)}
        when 'weekly' then ${sql.lit(REFRESH_MS.weekly)} end <= ${now} or (refresh <> 'off' and crawl_started_at > ${now + HOUR_MS})) end`,
    )
}

/** Sources of live servers that have a segment in another format, after `afterId` in their order. */
export function sourcesWithStaleSegments(
  db: Db,
  { format, afterId, limit }: { format: number; afterId: string; limit: number },
): Promise<{ id: string; serverId: string }[]> {
  // Avoids the index of sources, which would scan the segments of all of them.
  const id = sql<string>`sources.id || ''`
  return ofOtherFormat(db, format).where(id, '>', afterId).orderBy('sources.id').limit(limit).execute()
}

/** True if a source still has one. Another node may have queued or even rebuilt it meanwhile. */
export async function hasStaleSegments(db: Db, format: number, sourceId: string): Promise<boolean> {
  return (await ofOtherFormat(db, format).where('sources.id', '=', sourceId).executeTakeFirst()) !== undefined
}

function ofOtherFormat(db: Db, format: number) {
  return (
    db
      .selectFrom('segments')
      .innerJoin('sources', 'sources.id', 'segments.sourceId')
      .innerJoin('servers', 'servers.id', 'sources.serverId')
      .select(['sources.id', 'sources.serverId'])
      .distinct()
      // Two index ranges, usually empty. A "not equal" condition would not be a range.
      .where((is) => is.or([is('segments.format', '<', format), is('segments.format', '>', format)]))
      // Segments left by a crawl that died are in no version.
      .where(sql<boolean>`replace(sources.segments, '"' || segments.id || '"', '') != sources.segments`)
      .where('servers.deletedAt', 'is', null)
  )
}
