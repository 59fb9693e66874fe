import type { ArchiveReader, ArchiveWriter, Bucket } from './backup-format.ts'
import { createBackupObjects, openBackupObjects } from './backup-objects.ts'
import { placeInBucket } from './list-backups.ts'
import { createTar, openTar } from './tar-file.ts'

/** Creates a backup at a path or an address in the bucket. Throws if the file exists. */
export async function createArchive(address: string, bucket: Bucket, mtime: Date): Promise<ArchiveWriter> {
  const place = placeInBucket(address)
  return place === null ? await createTar(address, mtime) : await createBackupObjects(place, bucket)
}

/** Opens a backup. Reading throws `DamagedBackupError` if it is not one, or ends too early. */
export async function openArchive(address: string, bucket: Bucket): Promise<ArchiveReader> {
  const place = placeInBucket(address)
  return place === null ? await openTar(address) : await openBackupObjects(place, bucket)
}
