import { type ArchiveReader, type ArchiveWriter, type Bucket, DamagedBackupError } from './backup-format.ts'
import { createBackupObjects, openBackupObjects } from './backup-objects.ts'
import { placeInBucket, unfinishedPath } from './list-backups.ts'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { Header } from 'tar'

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

const BLOCK = 512

/** Creates a tar file that only the user can read. It gets its name when it is on disk. Throws errors of the file system. */
async function createTar(path: string, mtime: Date): Promise<ArchiveWriter> {
  const unfinished = unfinishedPath(path)
  const file = await open(unfinished, 'wx', 0o600)
  return {
    async add(name: string, data: Uint8Array) {
      const header = Buffer.alloc(BLOCK)
      new Header({ path: name, type: 'File', size: data.byteLength, mode: 0o600, uid: 0, gid: 0, mtime }).encode(header)
      await file.writeFile(Buffer.concat([header, data, Buffer.alloc(padding(data.byteLength))]))
    },
    async finish() {
      await file.writeFile(Buffer.alloc(2 * BLOCK))
      await file.sync()
      await rename(unfinished, path)
    },
    discard: () => rm(unfinished, { force: true }),
    [Symbol.asyncDispose]: () => file.close(),
  }
}

/** Opens a tar file of regular files. Reading throws `DamagedBackupError` if it is not one, or ends too early. */
async function openTar(path: string): Promise<ArchiveReader> {
  const file = await open(path)
  const { size } = await file.stat()
  return {
    async *entries() {
      for (let at = 0; ;) {
        const block = await readAt(file, at, BLOCK)
        const header = new Header(block)
        if (header.nullBlock) return
        const { path: name, size: bytes, type } = header
        if (!header.cksumValid || name === undefined || bytes === undefined || type !== 'File')
          throw new DamagedBackupError('it is not a readable tar file')
        const from = at + BLOCK
        at = from + bytes + padding(bytes)
        if (at > size) throw new DamagedBackupError('it ends too early')
        yield { path: name, read: () => readAt(file, from, bytes) }
      }
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

const padding = (bytes: number): number => (BLOCK - (bytes % BLOCK)) % BLOCK

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length;) {
    const { bytesRead } = await file.read(bytes, at, length - at, position + at)
    if (bytesRead === 0) throw new DamagedBackupError('it ends too early')
    at += bytesRead
  }
  return bytes
}
