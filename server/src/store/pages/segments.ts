import { setImmediate as nextTurn } from 'node:timers/promises'
import { digestsOf } from '#store/engine/blobs/block-digests.ts'
import type { Bytes, Owner } from '#store/engine/blobs/blobs.ts'
import { joinParts, savePart } from '#store/engine/blobs/parts.ts'
import type { Db, Store } from '#store/db.ts'
import { preparedList } from '#store/engine/prepared.ts'
import { readPacked } from '#store/pages/packed-texts.ts'
import { deleteRows, findRow, hasRow, insertRow, isNot, isOneOf } from '#store/rows.ts'

/** Bytes per stored part. Each has its own transaction: SQLite takes about 5 ms for it, which block everything else. */
const PART_BYTES = 2_000_000
/** Bytes per object. Those of a segment are read at the same time. */
const OBJECT_BYTES = 8_000_000

/** Parts deleted per transaction: about 15 ms on SQLite. */
const PARTS_AT_ONCE = 2

/** `starts`: where the parts that `openStoredSegment` reads later, and by ranges, begin in the bytes. */
type Segment = { id: string; sourceId: string; data: Uint8Array; format: number; starts?: readonly number[] }

/** Writes a segment. It is invisible until a source's version names it. */
export async function writeSegment(store: Store, segment: Segment): Promise<void> {
  const { id, sourceId, data, format } = segment
  await insertRow(store.write, 'segments', { id, sourceId, bytes: data.byteLength, createdAt: Date.now(), format })
  const { blobs, write } = store
  const whole = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const most = blobs.place === 'database' ? PART_BYTES : OBJECT_BYTES
  for (const [part, { from, to, hasRanges }] of partsOf(segment, most).entries()) {
    const slice = whole.subarray(from, to)
    const digests = hasRanges ? digestsOf(slice) : null
    await savePart(
      blobs,
      slice,
      () => ownerOf(write, sourceId),
      (bytes) => insertRow(write, 'segmentParts', { segmentId: id, part, digests, ...bytes }),
    )
    await nextTurn()
  }
}

/** Divides a segment into parts of at most so many bytes, a large one also where its parts that are read later begin. */
function partsOf({ data: { byteLength }, starts = [] }: Segment, most: number) {
  const parts: { from: number; to: number; hasRanges: boolean }[] = []
  const bounds = byteLength > OBJECT_BYTES ? [0, ...starts, byteLength] : [0, byteLength]
  for (const [at, end] of bounds.slice(1).entries())
    for (let from = bounds[at] ?? 0; from < end; from += most)
      parts.push({ from, to: Math.min(end, from + most), hasRanges: at > 0 && at === starts.length })
  return parts
}

/** The folders of a source's objects. */
export async function ownerOf(db: Db, sourceId: string): Promise<Owner> {
  const query = db.selectFrom('sources').innerJoin('servers', 'servers.id', 'sources.serverId').select('accountId')
  const { accountId } = await query.where('sources.id', '=', sourceId).executeTakeFirstOrThrow()
  return [accountId, sourceId]
}

/** A segment's bytes in a separate buffer, which threads can share, or null if it is gone or incomplete. */
export async function readSegment({ read, blobs }: Bytes, id: string): Promise<Uint8Array | null> {
  const head = await findRow(read, 'segments', { id })
  if (!head) return null
  const whole = new Uint8Array(new SharedArrayBuffer(head.bytes))
  return joinParts(blobs, whole, (part) => findRow(read, 'segmentParts', { segmentId: id, part }))
}

const sizesOf = preparedList({ most: 64 }, (db, ids) =>
  db.selectFrom('segments').select('bytes').where('id', 'in', ids),
)

/** Bytes of these segments together. */
export const bytesOfSegments = async (db: Db, ids: readonly string[]): Promise<number> =>
  (await sizesOf(db, ids)).reduce((sum, { bytes }) => sum + bytes, 0)

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
export async function readTexts(deps: Bytes, sourceId: string, hashes: readonly string[]) {
  const rows = await textsOf(deps.read, hashes, sourceId)
  const texts = new Map(rows.map(({ hash, markdown }) => [hash, markdown]))
  const others = hashes.filter((hash) => !texts.has(hash))
  if (others.length > 0)
    for (const [hash, { markdown }] of await readPacked(deps, sourceId, others)) texts.set(hash, markdown)
  return texts
}
