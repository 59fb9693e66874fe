import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { liveSources } from '#store/sources/sources.ts'

const SOURCES_AT_ONCE = 200

/** A published segment: its size as noted, and the size of its stored parts. Both are null if it is missing. */
export type StoredSegment = {
  id: string
  sourceId: string
  bytes: number | null
  stored: number | null
  format: number | null
}

/** Reads the sizes of all segments of published versions, in the order of their sources. Reads no content. */
export async function* listPublishedSegments(db: Db): AsyncGenerator<StoredSegment> {
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
    .select([
      'segments.id',
      'segments.bytes',
      'segments.format',
      sql<number>`coalesce(sum(length(data)), 0)`.as('stored'),
    ])
    .where('segments.id', 'in', ids)
    .groupBy(['segments.id', 'segments.bytes', 'segments.format'])
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  for (const id of ids) {
    const { bytes, stored, format } = found.get(id) ?? { bytes: null, stored: null, format: null }
    yield { id, sourceId, bytes, stored, format } satisfies StoredSegment
  }
}
