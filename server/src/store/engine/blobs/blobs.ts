import { hash } from 'node:crypto'
import type { Config } from '#config.ts'
import { randomText } from '#lib/ids.ts'
import type { Db, Store } from '#store/db.ts'
import { type OutageReporter, StoreError } from '#store/engine/outages.ts'
import { findRow, insertNewRow } from '#store/rows.ts'
import { usedObjects } from './delete-objects.ts'
import { cacheObjects } from './object-cache.ts'
import { openObjectFolder } from './object-folder.ts'
import { type ObjectStore, type Part, type Place, verifyReads } from './object-store.ts'

/**
 * Bytes of a row: in the row itself, or `objectBytes` of them as an object. `object` is its address:
 * `<place>:<database>/<account>/<owner>/<SHA-256>.<random>`.
 */
export type StoredBytes = { data: Uint8Array; object: string | null; objectBytes: number }

/** Owner of an object: names in its address, the account first. */
export type Owner = readonly [accountId: string, id: string]

/** Folder for copies of the objects in a bucket, which one process uses. */
export type Copies = { folder: string; onError: (error: unknown) => void }

const NO_BYTES = new Uint8Array(0)

export type Blobs = ReturnType<typeof openBlobs>

/** What reads of bytes need. */
export type Bytes = Pick<Store, 'read' | 'blobs'>

/** Opens the places that the settings name, each when it is first used. New bytes go to `place`. Reports failed reads. */
export function openBlobs(config: Config['blobs'], write: Db, copies: Copies | null, outages: OutageReporter) {
  const opened = new Map<Place, Promise<ObjectStore>>()
  let prefix: Promise<string> | null = null
  const storeOf = (place: Place) => {
    const store = opened.get(place) ?? openPlace(config, place, { write, copies })
    opened.set(place, store)
    return store
  }
  // The client of a bucket loads in a third of a second, which the first call should not wait for. Uses report errors.
  if (copies !== null && config.place === 's3') storeOf('s3').catch(() => {})
  const prefixOf = () =>
    (prefix ??= ownPrefix(write).catch((error: unknown) => {
      prefix = null
      throw error
    }))
  return {
    place: config.place,
    /** Stores bytes and returns the columns of their row. The row of an object must be written next. */
    async save(data: Uint8Array, owner: () => Promise<Owner>, place = config.place): Promise<StoredBytes> {
      if (place === 'database') return { data, object: null, objectBytes: 0 }
      const key = [await prefixOf(), ...(await owner()), `${hash('sha256', data)}.${randomText(12)}`].join('/')
      await (await storeOf(place)).put(key, data)
      return { data: NO_BYTES, object: `${place}:${key}`, objectBytes: data.byteLength }
    },
    /**
     * Reads an object into memory of its size, and verifies its content, or reads a part without. False if it does not
     * exist. Throws `StoreError` if it is damaged. The memory must not change afterwards: it is copied to the disk later.
     */
    async read(object: string, into: Uint8Array, part?: Part): Promise<boolean> {
      const { place, key } = parseAddress(object)
      const reading = (await storeOf(place)).get(key, into, part)
      return reading.catch((error: unknown) => {
        throw outages.failed(error)
      })
    },
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
    places: (['folder', 's3'] as const).filter((place) => config[place] !== null),
    async close(): Promise<void> {
      for (const store of opened.values()) await (await store.catch(() => null))?.close?.()
    },
  }
}

function parseAddress(object: string): { place: Place; key: string } {
  const at = object.indexOf(':')
  return { place: object.slice(0, at) as Place, key: object.slice(at + 1) }
}

async function openPlace(
  { folder, s3, cacheMb }: Config['blobs'],
  place: Place,
  { write, copies }: { write: Db; copies: Copies | null },
): Promise<ObjectStore> {
  if (place === 'folder' && folder !== null) return verifyReads(openObjectFolder(folder))
  if (place === 's3' && s3 !== null) {
    const { openObjectS3 } = await import('./object-s3.ts')
    const bucket = verifyReads(openObjectS3(s3))
    if (copies === null || cacheMb === 0) return bucket
    const used = async (keys: readonly string[]) => {
      const objects = await usedObjects(
        write,
        keys.map((key) => `s3:${key}`),
      )
      return keys.filter((key) => objects.has(`s3:${key}`))
    }
    return cacheObjects(bucket, { ...copies, capacity: cacheMb * 1_000_000, used })
  }
  throw new StoreError(`Bytes are stored in ${place}, which the settings do not name.`)
}

/** First folder of this database's objects. A copy of the database that was restored from a backup has another. */
async function ownPrefix(db: Db): Promise<string> {
  const known = await findRow(db, 'objectPrefix', { id: 1 })
  if (known) return known.prefix
  await insertNewRow(db, 'objectPrefix', { id: 1, prefix: `docent_${randomText(12)}` })
  return ownPrefix(db)
}
