import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { liveSources } from '#store/sources/sources.ts'

const SOURCES_AT_ONCE = 200

/**
 * The segments of published versions, in the order of their sources: the size as noted, and that of the stored parts.
 * Null if it is missing. Reads no content.
 */
export async function* listPublishedSegments(db: Db) {
  for (let after = ''; ;) {
    const sources = await liveSources(db)
      .select(['sources.id', 'sources.segments'])
      .where('sources.id', '>', after)
      .orderBy('sources.id')
      .limit(SOURCES_AT_ONCE)
      .execute()
    for (const source of sources) yield* ofSource(db, source)
    after = sources.at(-1)?.id ?? ''
    if (sources.length < SOURCES_AT_ONCE) return
  }
}

async function* ofSource(db: Db, { id: sourceId, segments }: { id: string; segments: string }) {
  const ids = JSON.parse(segments) as string[]
  if (ids.length === 0) return
  const rows = await db
    .selectFrom('segments')
    .leftJoin('segmentParts', 'segmentParts.segmentId', 'segments.id')
    .select(['segments.id', 'segments.bytes', 'segments.format'])
    .select(sql<number>`coalesce(sum(length(data) + object_bytes), 0)`.as('stored'))
    .where('segments.id', 'in', ids)
    .groupBy(['segments.id', 'segments.bytes', 'segments.format'])
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  for (const id of ids) {
    const { bytes, stored, format } = found.get(id) ?? { bytes: null, stored: null, format: null }
    yield { id, sourceId, bytes, stored, format }
  }
}
