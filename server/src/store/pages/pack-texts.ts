import { sql } from 'kysely'
import type { Db, Store } from '#store/db.ts'
import type { StoredBytes } from '#store/engine/blobs/blobs.ts'
import { deleteUnusedObjects } from '#store/engine/blobs/delete-objects.ts'
import type { Place } from '#store/engine/blobs/object-store.ts'
import { savePart } from '#store/engine/blobs/parts.ts'
import { insertMany } from '#store/engine/prepared.ts'
import { deleteRows, hasRow, isOneOf, takeRows, updateRows } from '#store/rows.ts'
import { type TextBytes, deleteEmptyPacks, encodePlace, pageTexts, readThrough } from './packed-texts.ts'
import { ownerOf } from './segments.ts'
import { insertText } from './texts.ts'

/** Bytes and texts of a pack. Its transaction takes about 15 ms on SQLite, which block everything else. */
const PACK_BYTES = 4_000_000
const PACK_TEXTS = 1_000
/** A pack is written again when this share of its texts is gone, or when it is half empty and others are written too. */
const MOST_GONE = 0.25
const PAGES_AT_ONCE = 250

export type Moving = { to: Place; signal: AbortSignal; onMoved: (bytes: number) => void }
type Packing = { signal?: AbortSignal; place?: Place; mostGone?: number; onMoved?: Moving['onMoved'] }
/** A text, and the pack in which it is so far. */
type Text = TextBytes & { hash: string; pack: number | null }

/**
 * Moves the texts of a source out of the database, in packs in the order of the pages, and rewrites wasteful packs. If
 * new bytes go to the database, only takes the texts of wasteful packs back there.
 */
export async function packTexts(store: Store, sourceId: string, packing: Packing): Promise<void> {
  const { signal, place = store.blobs.place, mostGone = MOST_GONE } = packing
  const hasNew = place !== 'database' && (await hasRow(store.read, 'texts', { sourceId }))
  const wasteful = await listWasteful(store.read, sourceId, { mostGone, hasNew })
  if (!hasNew && wasteful.length === 0) return
  if (place === 'database') for (const pack of wasteful) await unpackTexts(store, pack)
  else {
    const toPack = wasteful.map(({ id }) => id)
    let texts = new Map<string, Text>()
    let bytes = 0
    for await (const pages of pageTexts(store, sourceId, { batch: PAGES_AT_ONCE, toPack }))
      for (const { textHash: hash, markdown, outline, pack } of pages) {
        signal?.throwIfAborted()
        if (!texts.has(hash)) bytes += markdown.byteLength + outline.byteLength
        texts.set(hash, { hash, markdown, outline, pack })
        if (texts.size < PACK_TEXTS && bytes < PACK_BYTES) continue
        await writePack(store, sourceId, [...texts.values()], { ...packing, place })
        texts = new Map()
        bytes = 0
      }
    if (texts.size > 0) await writePack(store, sourceId, [...texts.values()], { ...packing, place })
    await store.transaction((tx) => deleteEmptyPacks(tx, sourceId))
  }
  await deleteUnusedObjects(store)
}

/** Rewrites all packs with texts that no page has any more. */
export async function sweepTexts(store: Store): Promise<void> {
  const sources = await store.read.selectFrom('textPacks').select('sourceId').distinct().execute()
  for (const { sourceId } of sources) {
    await store.transaction((tx) => deleteEmptyPacks(tx, sourceId))
    await packTexts(store, sourceId, { mostGone: 0 })
  }
}

/** Packs that lost texts, and small ones if there is more than one of them or there are new texts. */
async function listWasteful(db: Db, sourceId: string, { mostGone, hasNew }: { mostGone: number; hasNew: boolean }) {
  const packs = await db
    .selectFrom('textPacks')
    .leftJoin('packedTexts', (join) =>
      join.on('packedTexts.sourceId', '=', sourceId).onRef('packedTexts.pack', '=', 'textPacks.id'),
    )
    .select(['id', 'textPacks.sourceId', 'object', 'objectBytes', 'texts', sql<number>`count(hash)`.as('left')])
    .where('textPacks.sourceId', '=', sourceId)
    .groupBy(['id', 'textPacks.sourceId', 'object', 'objectBytes', 'texts'])
    .execute()
  const small = packs.filter((pack) => pack.objectBytes < PACK_BYTES / 2 && pack.texts < PACK_TEXTS / 2)
  const merged = hasNew || small.length > 1 ? small : []
  return packs.filter((pack) => 1 - pack.left / pack.texts > mostGone || merged.includes(pack))
}

const insertPacked = insertMany('packedTexts', ['sourceId', 'hash', 'size', 'pack', 'place'], (insert) =>
  insert.onConflict((at) =>
    at
      .columns(['sourceId', 'hash'])
      .doUpdateSet((row) => ({ pack: row.ref('excluded.pack'), place: row.ref('excluded.place') })),
  ),
)

/** Writes a pack, then its rows. Texts that were deleted or moved meanwhile get no row. */
async function writePack(store: Store, sourceId: string, texts: readonly Text[], packing: Packing): Promise<void> {
  const data = Buffer.concat(texts.flatMap(({ markdown, outline }) => [markdown, outline]))
  const places = new Map<string, Uint8Array>()
  let at = 0
  for (const text of texts) {
    places.set(text.hash, encodePlace(at, text))
    at += text.markdown.byteLength + text.outline.byteLength
  }
  const insert = ({ object, objectBytes }: StoredBytes) =>
    store.transaction(async (tx) => {
      const row = { sourceId, object: object ?? '', objectBytes, texts: texts.length }
      const { id } = await tx.insertInto('textPacks').values(row).returning('id').executeTakeFirstOrThrow()
      for (const [pack, some] of Map.groupBy(texts, (text) => text.pack)) {
        const isOfPack = pack === null ? {} : { pack }
        const taken = await takeRows(tx, pack === null ? 'texts' : 'packedTexts', {
          sourceId,
          ...isOfPack,
          hash: isOneOf(some.map(({ hash }) => hash)),
        })
        const rows = taken.map(({ hash, size }) => ({ sourceId, hash, size, pack: id, place: places.get(hash) }))
        await insertPacked(
          tx,
          rows.flatMap(({ place, ...moved }) => (place ? [{ ...moved, place }] : [])),
        )
      }
    })
  await savePart(store.blobs, data, () => ownerOf(store.write, sourceId), insert, packing.place)
  packing.onMoved?.(data.byteLength)
}

type Pack = { id: number; sourceId: string; object: string; objectBytes: number }

/** Takes the texts of a pack back into the table. */
async function unpackTexts(store: Store, { id, sourceId, object, objectBytes }: Pack): Promise<void> {
  const readText = readThrough(store.blobs)
  const texts = new Map<string, TextBytes>()
  const key = { sourceId, pack: id }
  const rows = await store.read
    .selectFrom('packedTexts')
    .select(['hash', 'place'])
    .where((is) => is.and(key))
    .execute()
  for (const { hash, place } of rows) {
    const text = await readText({ object, objectBytes, place })
    // The pack was replaced meanwhile.
    if (text === null) return
    texts.set(hash, text)
  }
  await store.transaction(async (tx) => {
    for (const { hash, size } of await takeRows(tx, 'packedTexts', key)) {
      const text = texts.get(hash)
      if (text) await insertText(tx, sourceId, { hash, size, ...text })
    }
    await deleteRows(tx, 'textPacks', { id })
  })
}

/** Moves all texts to another place. Each is in the table or in a whole pack at any moment. */
export async function moveTexts(store: Store, { to, signal, onMoved }: Moving): Promise<void> {
  const packs = store.read.selectFrom('textPacks').selectAll().orderBy('id').limit(1)
  for (let after = 0; ;) {
    signal.throwIfAborted()
    const pack = await packs.where('id', '>', after).executeTakeFirst()
    if (!pack) break
    after = pack.id
    if (pack.object.startsWith(`${to}:`)) continue
    if (to === 'database') await unpackTexts(store, pack)
    else await movePack(store, pack, to)
    onMoved(pack.objectBytes)
  }
  if (to === 'database') return
  const sources = await store.read.selectFrom('texts').select('sourceId').distinct().execute()
  for (const { sourceId } of sources) await packTexts(store, sourceId, { signal, place: to, onMoved })
}

async function movePack(store: Store, { id, sourceId, object, objectBytes }: Pack, to: Place): Promise<void> {
  const data = new Uint8Array(objectBytes)
  if (!(await store.blobs.read(object, data))) return
  const moved = await store.blobs.save(data, () => ownerOf(store.write, sourceId), to)
  const isMoved = await updateRows(store.write, 'textPacks', { id, object }, { object: moved.object ?? '' })
  if (!isMoved && moved.object !== null) await store.blobs.delete([moved.object])
}
