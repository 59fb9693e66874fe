import { hash } from 'node:crypto'
import type { Config } from '#config.ts'
import { randomText } from '#lib/ids.ts'
import type { Db } from '#store/db.ts'
import { StoreError } from '#store/engine/outages.ts'
import { findRow, insertNewRow } from '#store/rows.ts'
import { openObjectFolder } from './object-folder.ts'
import type { ObjectStore, Place } from './object-store.ts'

/**
 * Bytes of a row: in the row itself, or `objectBytes` of them as an object. `object` is its address:
 * `<place>:<database>/<account>/<owner>/<SHA-256>.<random>`.
 */
export type StoredBytes = { data: Uint8Array; object: string | null; objectBytes: number }

/** Owner of an object: names in its address, the account first. */
export type Owner = readonly [accountId: string, id: string]

/** Reads of an object whose bytes have another hash than its address, before they count as damaged. */
const READS = 3

const NO_BYTES = new Uint8Array(0)

export type Blobs = ReturnType<typeof openBlobs>

/** Opens the places that the settings name, each when it is first used. New bytes go to `place`. */
export function openBlobs(config: Config['blobs'], write: Db) {
  const opened = new Map<Place, Promise<ObjectStore>>()
  let prefix: Promise<string> | null = null
  const storeOf = (place: Place) => {
    const store = opened.get(place) ?? openPlace(config, place)
    opened.set(place, store)
    return store
  }
  const prefixOf = () => (prefix ??= ownPrefix(write).finally(() => (prefix = null)))
  return {
    place: config.place,
    /** Stores bytes and returns the columns of their row. The row of an object must be written next. */
    async save(data: Uint8Array, owner: () => Promise<Owner>, place = config.place): Promise<StoredBytes> {
      if (place === 'database') return { data, object: null, objectBytes: 0 }
      const key = [await prefixOf(), ...(await owner()), `${hash('sha256', data)}.${randomText(12)}`].join('/')
      await (await storeOf(place)).put(key, data)
      return { data: NO_BYTES, object: `${place}:${key}`, objectBytes: data.byteLength }
    },
    /** Reads an object and verifies its content. Null if it does not exist. Throws `StoreError` if it is damaged. */
    async read(object: string): Promise<Uint8Array | null> {
      const { place, key } = parseAddress(object)
      const expected = key.slice(key.lastIndexOf('/') + 1).split('.')[0]
      const store = await storeOf(place)
      for (let reads = 0; reads < READS; reads++) {
        const data = await store.get(key)
        if (data === null || hash('sha256', data) === expected) return data
      }
      throw new StoreError(`The stored object ${object} is damaged: its content has another SHA-256.`)
    },
    /** Deletes objects, by their addresses. */
    async delete(objects: readonly string[]): Promise<void> {
      const byPlace = Map.groupBy(objects.map(parseAddress), ({ place }) => place)
      for (const [place, found] of byPlace) await (await storeOf(place)).delete(found.map(({ key }) => key))
    },
    /** Addresses of this database's objects at a place, some at a time. */
    async *list(place: Exclude<Place, 'database'>) {
      for await (const found of (await storeOf(place)).list(await prefixOf()))
        yield found.map(({ key, modifiedAt }) => ({ object: `${place}:${key}`, modifiedAt }))
    },
    /** The places outside of the database that the settings name. */
    places: config.folder === null ? [] : (['folder'] as const),
  }
}

function parseAddress(object: string): { place: Place; key: string } {
  const at = object.indexOf(':')
  return { place: object.slice(0, at) as Place, key: object.slice(at + 1) }
}

async function openPlace({ folder }: Config['blobs'], place: Place): Promise<ObjectStore> {
  if (place === 'folder' && folder !== null) return openObjectFolder(folder)
  throw new StoreError(`Bytes are stored in ${place}, which the settings do not name.`)
}

/** First folder of this database's objects. A copy of the database that was restored from a backup has another. */
async function ownPrefix(db: Db): Promise<string> {
  const known = await findRow(db, 'objectPrefix', { id: 1 })
  if (known) return known.prefix
  await insertNewRow(db, 'objectPrefix', { id: 1, prefix: `docent_${randomText(12)}` })
  return ownPrefix(db)
}
