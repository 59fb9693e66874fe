import { setImmediate as nextTurn } from 'node:timers/promises'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import type { Blobs, Owner, StoredBytes } from './blobs.ts'
import type { Place } from './object-store.ts'

/** Stores the bytes of a part, then its row. Without the row, for example because its owner was deleted, neither. */
export async function savePart(
  blobs: Blobs,
  data: Uint8Array,
  owner: () => Promise<Owner>,
  insert: (bytes: StoredBytes) => Promise<unknown>,
  place: Place = blobs.place,
): Promise<void> {
  const bytes = await blobs.save(data, owner, place)
  try {
    await insert(bytes)
  } catch (error) {
    // The row may have been written, if the database did not answer: then the sweeper decides.
    if (bytes.object !== null && !(error instanceof StoreUnavailableError)) await blobs.delete([bytes.object])
    throw error
  }
}

/**
 * Fills memory with the parts of a whole, and returns it. Null if a part is missing or too long. Objects are read at the
 * same time. Their rows are read again if one is gone: it can just have been moved to another place.
 */
export async function joinParts<Whole extends Uint8Array>(
  blobs: Blobs,
  whole: Whole,
  readPart: (part: number) => Promise<StoredBytes | undefined>,
): Promise<Whole | null> {
  for (let tries = 0; tries < 2; tries++) {
    const objects = await fillFromRows(whole, readPart)
    if (objects === null) return null
    const arrived = await Promise.all(objects.map(({ object, bytes }) => blobs.read(object, bytes)))
    if (arrived.every(Boolean)) return whole
  }
  return null
}

/** Copies the parts that are in the database, and returns the others. Null if a part is missing or too long. */
async function fillFromRows(whole: Uint8Array, readPart: (part: number) => Promise<StoredBytes | undefined>) {
  const objects: { object: string; bytes: Uint8Array }[] = []
  let offset = 0
  // Sequential: most wholes have one part, and larger ones block nobody.
  for (let part = 0; offset < whole.byteLength; part++) {
    if (part > 0) await nextTurn()
    const row = await readPart(part)
    const bytes = row ? row.data.byteLength + row.objectBytes : 0
    if (!row || bytes === 0 || offset + bytes > whole.byteLength) return null
    if (row.object === null) whole.set(row.data, offset)
    else objects.push({ object: row.object, bytes: whole.subarray(offset, offset + bytes) })
    offset += bytes
  }
  return objects
}
