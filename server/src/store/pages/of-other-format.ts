import { sql } from 'kysely'
import type { Db } from '#store/db.ts'

/** Sources of live servers that have a segment in another format, after `afterId` in their order. */
export async function sourcesOfOtherFormat(
  db: Db,
  { format, afterId, limit }: { format: number; afterId: string; limit: number },
): Promise<{ id: string; serverId: string }[]> {
  return (
    ofOtherFormat(db, format)
      // Avoids the index of sources, which would scan the segments of all of them.
      .where(sql<string>`sources.id || ''`, '>', afterId)
      .orderBy('sources.id')
      .limit(limit)
      .execute()
  )
}

/** True if a source still has one. Another node may have queued or even rebuilt it meanwhile. */
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
      // Two index ranges, usually empty. A "not equal" condition would not be a range.
      .where((is) => is.or([is('segments.format', '<', format), is('segments.format', '>', format)]))
      // Segments left by a crawl that died are in no version.
      .where(sql<boolean>`replace(sources.segments, '"' || segments.id || '"', '') != sources.segments`)
      .where('servers.deletedAt', 'is', null)
  )
}
