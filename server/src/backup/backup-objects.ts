import { hash } from 'node:crypto'
import { type ObjectStore, isWhole } from '#store/engine/blobs/object-store.ts'
import { StoreError } from '#store/engine/outages.ts'
import { type ArchiveReader, type ArchiveWriter, type Bucket, DamagedBackupError, ENTRY } from './backup-format.ts'

/** A backup in a bucket. Its objects are its entries: `<folder>/<name>/<number>/<SHA-256>.<path with ~ for />`. */
export type BackupObjects = {
  name: string
  objects: { key: string; bytes: number }[]
  modifiedAt: number
  isComplete: boolean
}

/** Reads of an object whose bytes have another hash than its key, before the backup counts as damaged. */
const READS = 3
/** After this time without a new object, nothing writes the backup any more. */
const LEFT_MS = 24 * 3600 * 1000

/** Begins a backup, after the deletion of those beside it that a crash left without an end. */
export async function createBackupObjects(place: string, bucket: Bucket): Promise<ArchiveWriter> {
  const store = await openBucket(bucket)
  const remove = async (backups: readonly BackupObjects[]) =>
    store.delete(backups.flatMap(({ objects }) => objects.map(({ key }) => key)))
  const isLeft = ({ isComplete, modifiedAt }: BackupObjects) => !isComplete && modifiedAt < Date.now() - LEFT_MS
  await remove((await findBackups(store, place.slice(0, place.lastIndexOf('/')))).filter(isLeft))
  let count = 0
  return {
    async add(name, data) {
      const number = String(++count).padStart(8, '0')
      await store.put(`${place}/${number}/${hash('sha256', data)}.${name.replaceAll('/', '~')}`, data)
    },
    async finish() {},
    discard: async () => remove(await findBackups(store, place)),
    [Symbol.asyncDispose]: async () => store.close?.(),
  }
}

/** Opens a backup. Objects that arrive damaged are read again. */
export async function openBackupObjects(place: string, bucket: Bucket): Promise<ArchiveReader> {
  const store = await openBucket(bucket)
  const read = async (key: string, bytes: number) => {
    const data = Buffer.alloc(bytes)
    for (let reads = 0; reads < READS; reads++) {
      if (!(await store.get(key, data))) throw new DamagedBackupError(`${key} is missing`)
      if (isWhole(key, data)) break
    }
    return data
  }
  return {
    async *entries() {
      const objects = (await findBackups(store, place)).flatMap((backup) => backup.objects)
      for (const { key, bytes } of objects.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
        yield { path: pathOf(key), read: () => read(key, bytes) }
    },
    [Symbol.asyncDispose]: async () => store.close?.(),
  }
}

/** The backups in a folder of the bucket, or the backup itself. */
export async function listBackupObjects(place: string, bucket: Bucket): Promise<BackupObjects[]> {
  const store = await openBucket(bucket)
  try {
    return await findBackups(store, place)
  } finally {
    await store.close?.()
  }
}

async function findBackups(store: ObjectStore, folder: string): Promise<BackupObjects[]> {
  const found = new Map<string, BackupObjects>()
  for await (const some of store.list(folder))
    for (const { key, bytes, modifiedAt } of some) {
      const name = key.split('/').slice(0, -2).join('/')
      const backup = found.get(name) ?? { name, objects: [], modifiedAt: 0, isComplete: false }
      backup.objects.push({ key, bytes })
      backup.modifiedAt = Math.max(backup.modifiedAt, modifiedAt)
      backup.isComplete ||= pathOf(key) === ENTRY.checksum
      found.set(name, backup)
    }
  return [...found.values()]
}

const pathOf = (key: string): string => key.slice(key.indexOf('.', key.lastIndexOf('/')) + 1).replaceAll('~', '/')

async function openBucket(bucket: Bucket): Promise<ObjectStore> {
  if (bucket === null) throw new StoreError('Backups in a bucket need DOCENT_S3_BUCKET.')
  const { openObjectS3 } = await import('#store/engine/blobs/object-s3.ts')
  return openObjectS3(bucket)
}
