import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db, Store } from '#store/db.ts'
import { preparedList } from '#store/engine/prepared.ts'
import { deleteRows, findRow, hasRow, insertRow, isNot, isOneOf } from '#store/rows.ts'

/** Bytes per stored part. Each has its own transaction: SQLite takes about 5 ms for it, which block everything else. */
const PART_BYTES = 2_000_000

/** Parts deleted per transaction: about 15 ms on SQLite. */
const PARTS_AT_ONCE = 2

type Segment = { id: string; sourceId: string; data: Uint8Array; format: number }

/** Writes a segment. It is invisible until a source's version names it. */
export async function writeSegment(store: Store, { id, sourceId, data, format }: Segment): Promise<void> {
  await insertRow(store.write, 'segments', { id, sourceId, bytes: data.byteLength, createdAt: Date.now(), format })
  const whole = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  for (let part = 0; part * PART_BYTES < data.byteLength; part++) {
    const slice = whole.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)
    await insertRow(store.write, 'segmentParts', { segmentId: id, part, data: slice })
    await nextTurn()
  }
}

/** A segment's bytes in a separate aligned buffer, or null if it is gone or incomplete. */
export async function readSegment(db: Db, id: string): Promise<Uint8Array | null> {
  const head = await findRow(db, 'segments', { id })
  return head ? joinParts(head.bytes, (part) => findRow(db, 'segmentParts', { segmentId: id, part })) : null
}

/** The parts of a whole of `size` bytes in one buffer. Null if a part is missing, or too long. */
export async function joinParts(size: number, readPart: (part: number) => Promise<{ data: Uint8Array } | undefined>) {
  const bytes = new Uint8Array(size)
  let offset = 0
  // Sequential: most segments have one part, and larger ones block nobody.
  for (let part = 0; offset < size; part++) {
    if (part > 0) await nextTurn()
    const data = (await readPart(part))?.data
    if (!data || offset + data.byteLength > size) return null
    bytes.set(data, offset)
    offset += data.byteLength
  }
  return bytes
}

const servedOf = preparedList({ most: 64 }, (db, ids) =>
  db
    .selectFrom('segments')
    .innerJoin('sources', 'sources.id', 'segments.sourceId')
    .innerJoin('servers', 'servers.id', 'sources.serverId')
    .select(['segments.id', 'sources.segments'])
    .where('segments.id', 'in', ids)
    .where('servers.deletedAt', 'is', null),
)

/** The subset of these segments in the current version of a live source on a live server. */
export async function servedSegments(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const served = new Set<string>()
  for (const { id, segments } of await servedOf(db, ids))
    if ((JSON.parse(segments ?? '[]') as string[]).includes(id)) served.add(id)
  return served
}

/** True if any existing segment among these has another format. */
export async function areAnyStale(db: Db, ids: readonly string[], format: number): Promise<boolean> {
  return ids.length > 0 && hasRow(db, 'segments', { id: isOneOf(ids), format: isNot(format) })
}

/** Deletes some segments outside of the source's version. True if there were any, so that the caller repeats. */
export async function deleteOtherSegments(tx: Db, sourceId: string, keep: readonly string[]): Promise<boolean> {
  let others = tx.selectFrom('segments').select('id').where('sourceId', '=', sourceId)
  if (keep.length > 0) others = others.where('id', 'not in', [...keep])
  const parts = await tx
    .selectFrom('segmentParts')
    .select(['segmentId', 'part'])
    .where('segmentId', 'in', others)
    .limit(PARTS_AT_ONCE)
    .execute()
  for (const part of parts) await deleteRows(tx, 'segmentParts', part)
  if (parts.length > 0) return true
  await tx.deleteFrom('segments').where('id', 'in', others).execute()
  return false
}

const textsOf = preparedList({ most: 16, hasKey: true }, (db, hashes, sourceId) =>
  db.selectFrom('texts').select(['hash', 'markdown']).where('sourceId', '=', sourceId).where('hash', 'in', hashes),
)

/** Compressed Markdown by hash. Missing hashes are absent from the map. */
export async function readTexts(db: Db, sourceId: string, hashes: readonly string[]): Promise<Map<string, Uint8Array>> {
  const rows = await textsOf(db, hashes, sourceId)
  return new Map(rows.map(({ hash, markdown }) => [hash, markdown]))
}
