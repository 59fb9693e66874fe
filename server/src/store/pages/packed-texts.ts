import { hash as digestOf } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#store/db.ts'
import type { Blobs, Bytes } from '#store/engine/blobs/blobs.ts'
import { StoreError } from '#store/engine/outages.ts'
import { rememberRecent } from '#lib/objects.ts'
import { preparedList } from '#store/engine/prepared.ts'
import { findRow } from '#store/rows.ts'

export type TextBytes = { markdown: Uint8Array; outline: Uint8Array }

/** Where a text is: in an object, and there in a place. */
type Packed = { object: string; objectBytes: number; place: Uint8Array }

/** Packs in memory of one pass over the pages of a source. Pages that follow each other are mostly in one pack. */
const PACKS_IN_MEMORY = 4

/**
 * The place of a text in its pack: little-endian uint32 of its offset, of the bytes of its Markdown and of its outline,
 * which follows, and the first bytes of SHA-256 over both.
 */
const DIGEST_AT = 12
const PLACE_BYTES = 24

export function encodePlace(at: number, { markdown, outline }: TextBytes): Uint8Array {
  const place = Buffer.alloc(PLACE_BYTES)
  place.writeUInt32LE(at, 0)
  place.writeUInt32LE(markdown.byteLength, 4)
  place.writeUInt32LE(outline.byteLength, 8)
  place.set(digest(Buffer.concat([markdown, outline])), DIGEST_AT)
  return place
}

const digest = (data: Uint8Array) => digestOf('sha256', data, 'buffer').subarray(0, PLACE_BYTES - DIGEST_AT)

function decodePlace(bytes: Uint8Array) {
  const place = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [at, markdown, outline] = [place.readUInt32LE(0), place.readUInt32LE(4), place.readUInt32LE(8)]
  return { at, markdown, length: markdown + outline, digest: place.subarray(DIGEST_AT) }
}

/** The text of a place in these bytes, which begin with it. Copies, because workers would get the whole pack. */
const textIn = (bytes: Uint8Array, { markdown, length }: { markdown: number; length: number }): TextBytes => ({
  markdown: bytes.slice(0, markdown),
  outline: bytes.slice(markdown, length),
})

/** Reads a text alone. Null if its pack is gone. Throws `StoreError` if it is damaged. */
async function readAlone(blobs: Blobs, { object, objectBytes, place }: Packed): Promise<TextBytes | null> {
  const part = decodePlace(place)
  const bytes = new Uint8Array(part.length)
  if (!(await blobs.read(object, bytes, { from: part.at, of: objectBytes }))) return null
  // A whole pack is compared with its address. Its copy on this node is read again if it is damaged.
  return part.digest.equals(digest(bytes)) ? textIn(bytes, part) : readThrough(blobs)({ object, objectBytes, place })
}

/** Reads texts from whole packs, of which it keeps the last ones. Null if a pack is gone. */
export function readThrough(blobs: Blobs) {
  const packs = new Map<string, Uint8Array>()
  return async ({ object, objectBytes, place }: Packed): Promise<TextBytes | null> => {
    const whole = packs.get(object) ?? new Uint8Array(objectBytes)
    if (!packs.has(object) && !(await blobs.read(object, whole))) return null
    rememberRecent(packs, object, whole, PACKS_IN_MEMORY)
    const part = decodePlace(place)
    const bytes = whole.subarray(part.at, part.at + part.length)
    if (!part.digest.equals(digest(bytes))) throw new StoreError(`A text in ${object} is not where its row says.`)
    return textIn(bytes, part)
  }
}

const packedOf = preparedList({ most: 16, hasKey: true }, (db, hashes, sourceId) =>
  db
    .selectFrom('packedTexts')
    .innerJoin('textPacks', 'textPacks.id', 'packedTexts.pack')
    .select(['hash', 'object', 'objectBytes', 'place'])
    .where('packedTexts.sourceId', '=', sourceId)
    .where('hash', 'in', hashes),
)

/** Reads of rows whose pack was replaced meanwhile. */
const TRIES = 3

/** Texts in packs by hash. Deleted ones are absent. */
export async function readPacked({ read, blobs }: Bytes, sourceId: string, hashes: readonly string[]) {
  const texts = new Map<string, TextBytes>()
  for (let tries = 0; tries < TRIES && texts.size < hashes.length; tries++) {
    const rows = (await packedOf(read, hashes, sourceId)).filter(({ hash }) => !texts.has(hash))
    const found = await Promise.all(rows.map(async (row) => [row.hash, await readAlone(blobs, row)] as const))
    for (const [hash, text] of found) if (text) texts.set(hash, text)
    if (found.every(([, text]) => text)) break
  }
  return texts
}

/** Pages with their texts, in the table or in a pack. */
export const withTexts = (db: Db) =>
  db
    .selectFrom('pages')
    .leftJoin('texts', (join) =>
      join.onRef('texts.sourceId', '=', 'pages.sourceId').onRef('texts.hash', '=', 'pages.textHash'),
    )
    .leftJoin('packedTexts', (join) =>
      join.onRef('packedTexts.sourceId', '=', 'pages.sourceId').onRef('packedTexts.hash', '=', 'pages.textHash'),
    )

export type Wanted = {
  afterId?: number
  /** Pages per query. Requests wait meanwhile. */
  batch: number
  /** Only pages whose current state is not in the published segments. */
  isUnpublished?: boolean
  /** Pages in any state whose texts are in the table or in one of these packs. */
  toPack?: readonly number[]
  /** Only these pages. */
  ids?: readonly number[]
}

/** Pages of a source after a page, with what the table has of their texts. */
export const listTexts = (db: Db, sourceId: string, { afterId = 0, batch, isUnpublished, toPack, ids }: Wanted) =>
  withTexts(db)
    .leftJoin('textPacks', 'textPacks.id', 'packedTexts.pack')
    .select(['pages.id', 'pages.url', 'pages.title', 'pages.anchorTexts', 'texts.markdown', 'texts.outline'])
    .select(sql<string>`pages.text_hash`.as('textHash'))
    .select(['pages.updatedAt', 'pages.lastModified', 'pages.siteDate'])
    .select(['packedTexts.pack', 'packedTexts.place', 'textPacks.object', 'textPacks.objectBytes'])
    .where('pages.sourceId', '=', sourceId)
    // A duplicate has the text of another page.
    .where('pages.state', toPack === undefined ? '=' : '!=', toPack === undefined ? 'indexed' : 'skipped')
    .$if(isUnpublished === true, (query) => query.where('pages.published', '=', sql.lit(0)))
    .$if(ids !== undefined, (query) => query.where('pages.id', 'in', ids ?? []))
    .where('pages.id', '>', afterId)
    .orderBy('pages.id')
    .limit(batch)
    .execute()

/** Indexed pages of a source that have a text, a batch at a time. Other work runs in between. */
export async function* pageTexts(deps: Bytes, sourceId: string, wanted: Wanted) {
  const readText = readThrough(deps.blobs)
  for (let afterId = wanted.afterId ?? 0; ;) {
    const rows = await listTexts(deps.read, sourceId, { ...wanted, afterId })
    const pages = []
    for (const { markdown, outline, pack, place, object, objectBytes, ...page } of rows) {
      if (markdown && outline) pages.push({ ...page, markdown, outline, pack: null })
      if (markdown || pack === null || !(wanted.toPack?.includes(pack) ?? true)) continue
      const isPacked = place && object !== null && objectBytes !== null
      const found = isPacked ? await readText({ place, object, objectBytes }) : null
      // Null if its pack was replaced since the query.
      const text = found ?? (await findText(deps, sourceId, page.textHash))
      if (text) pages.push({ ...page, ...text, pack })
    }
    yield pages
    afterId = rows.at(-1)?.id ?? afterId
    if (rows.length < wanted.batch) return
    await nextTurn()
  }
}

/** A text, wherever it is now. Null if it was deleted. */
export async function findText(deps: Bytes, sourceId: string, hash: string): Promise<TextBytes | null> {
  const inTable = () => findRow(deps.read, 'texts', { sourceId, hash })
  const found = (await inTable()) ?? (await readPacked(deps, sourceId, [hash])).get(hash) ?? (await inTable())
  return found ?? null
}

/** Deletes packs of the source without texts. Their objects go with the next deletion of unused ones. */
export async function deleteEmptyPacks(tx: Db, sourceId: string): Promise<void> {
  const used = tx.selectFrom('packedTexts').select('pack').where('sourceId', '=', sourceId)
  await tx.deleteFrom('textPacks').where('sourceId', '=', sourceId).where('id', 'not in', used).execute()
}
