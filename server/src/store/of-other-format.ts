import { sql } from 'kysely'
import type { Db } from './db.ts'

/** Sources of live servers whose version has a segment of another format than this, after `afterId` in their order. */
export async function sourcesOfOtherFormat(
  db: Db,
  { format, afterId, limit }: { format: number; afterId: string; limit: number },
): Promise<{ id: string; serverId: string }[]> {
  return (
    ofOtherFormat(db, format)
      // Not by the index of sources, which would lead through the segments of all of them.
      .where(sql<string>`sources.id || ''`, '>', afterId)
      .orderBy('sources.id')
      .limit(limit)
      .execute()
  )
}

/** Whether a source still has one: another node may have queued it meanwhile, and have built it anew already. */
export async function isSourceOfOtherFormat(db: Db, format: number, sourceId: string): Promise<boolean> {
  const found = await ofOtherFormat(db, format).where('sources.id', '=', sourceId).executeTakeFirst()
  return found !== undefined
}

function ofOtherFormat(db: Db, format: number) {
  return (
    db
      .selectFrom('segments')
      .innerJoin('sources', 'sources.id', 'segments.sourceId')
      .innerJoin('servers', 'servers.id', 'sources.serverId')
      .select(['sources.id', 'sources.serverId'])
      .distinct()
      // Two ranges of an index, in which there is nothing most of the time; "other than" would be no range.
      .where((is) => is.or([is('segments.format', '<', format), is('segments.format', '>', format)]))
      // What a crawl that died has left is in no version.
      .where(sql<boolean>`replace(sources.segments, '"' || segments.id || '"', '') != sources.segments`)
      .where('servers.deletedAt', 'is', null)
  )
}
