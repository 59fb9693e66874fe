import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Store } from './db.ts'
import { prepared } from './prepared.ts'

/**
 * Bytes of one stored part. Segments are written in parts, each in a transaction of its own, so that writing a large
 * one holds up nothing else: on SQLite 2 MB take some 5 ms.
 */
const PART_BYTES = 2_000_000

/** Parts that one transaction deletes: on SQLite some 15 ms. */
const PARTS_AT_ONCE = 2

type Segment = { id: string; sourceId: string; data: Uint8Array; format: number }

/** Writes a segment. Nobody sees it until a source's version names it. */
export async function writeSegment(store: Store, { id, sourceId, data, format }: Segment): Promise<void> {
  await store.write
    .insertInto('segments')
    .values({ id, sourceId, bytes: data.byteLength, createdAt: Date.now(), format })
    .execute()
  for (let part = 0; part * PART_BYTES < data.byteLength; part++) {
    const slice = Buffer.from(data.buffer, data.byteOffset, data.byteLength).subarray(
      part * PART_BYTES,
      (part + 1) * PART_BYTES,
    )
    await store.write.insertInto('segmentParts').values({ segmentId: id, part, data: slice }).execute()
    await nextTurn()
  }
}

const onePart = prepared(['', 0], (db, [segmentId, part]) =>
  db.selectFrom('segmentParts').select('data').where('segmentId', '=', segmentId).where('part', '=', part),
)

/** A segment's bytes in an aligned buffer of their own, or null when it is gone or was not written to its end. */
export async function readSegment(db: Db, id: string): Promise<Uint8Array | null> {
  const head = await db.selectFrom('segments').select('bytes').where('id', '=', id).executeTakeFirst()
  if (!head) return null
  const bytes = new Uint8Array(head.bytes)
  let offset = 0
  // Most segments are one part, and those that are many hold up nobody.
  for (let part = 0; offset < head.bytes; part++) {
    if (part > 0) await nextTurn()
    const [row] = await onePart(db, [id, part])
    if (!row || offset + row.data.byteLength > head.bytes) return null
    bytes.set(row.data, offset)
    offset += row.data.byteLength
  }
  return bytes
}

/** Ids in one statement, which is compiled once: for fewer an id is asked for again. */
const IDS_AT_ONCE = 64

const servedOf = prepared(
  Array.from({ length: IDS_AT_ONCE }, () => ''),
  (db, ids) =>
    db
      .selectFrom('segments')
      .innerJoin('sources', 'sources.id', 'segments.sourceId')
      .innerJoin('servers', 'servers.id', 'sources.serverId')
      .select(['segments.id', 'sources.segments'])
      .where('segments.id', 'in', [...ids])
      .where('servers.deletedAt', 'is', null),
)

/** Which of these segments are of the current version of a source, where neither it nor its server was deleted. */
export async function servedSegments(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const served = new Set<string>()
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const asked = ids.slice(from, from + IDS_AT_ONCE)
    const rows = await servedOf(
      db,
      Array.from({ length: IDS_AT_ONCE }, (_, at) => asked[at] ?? asked[0] ?? ''),
    )
    for (const { id, segments } of rows) if ((JSON.parse(segments ?? '[]') as string[]).includes(id)) served.add(id)
  }
  return served
}

/** Whether any of these segments that is there is of another format than this. */
export async function areOfOtherFormat(db: Db, ids: readonly string[], format: number): Promise<boolean> {
  if (ids.length === 0) return false
  const other = await db
    .selectFrom('segments')
    .select('id')
    .where('id', 'in', [...ids])
    .where('format', '!=', format)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/**
 * Deletes some of the source's segments that its version does not name, which are replaced ones and those of a crawl
 * that died: at most `PARTS_AT_ONCE` parts, since what is deleted is overwritten. Returns whether any were left to
 * delete, so that the caller goes on until there are none.
 */
export async function deleteOtherSegments(tx: Db, sourceId: string, keep: readonly string[]): Promise<boolean> {
  let others = tx.selectFrom('segments').select('id').where('sourceId', '=', sourceId)
  if (keep.length > 0) others = others.where('id', 'not in', [...keep])
  const parts = await tx
    .selectFrom('segmentParts')
    .select(['segmentId', 'part'])
    .where('segmentId', 'in', others)
    .limit(PARTS_AT_ONCE)
    .execute()
  for (const { segmentId, part } of parts)
    await tx.deleteFrom('segmentParts').where('segmentId', '=', segmentId).where('part', '=', part).execute()
  if (parts.length > 0) return true
  await tx.deleteFrom('segments').where('id', 'in', others).execute()
  return false
}

const oneText = prepared(['', ''], (db, [sourceId, hash]) =>
  db.selectFrom('texts').select('markdown').where('sourceId', '=', sourceId).where('hash', '=', hash),
)

/** Compressed Markdown by hash; a hash that is gone is absent from the map. */
export async function readTexts(db: Db, sourceId: string, hashes: readonly string[]): Promise<Map<string, Uint8Array>> {
  const texts = new Map<string, Uint8Array>()
  for (const hash of hashes) {
    const [row] = await oneText(db, [sourceId, hash])
    if (row) texts.set(hash, row.markdown)
  }
  return texts
}
